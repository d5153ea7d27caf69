// The engine as wasm: orders come in as messages, replies go out while one is carried out.

type Exports = { memory: WebAssembly.Memory; input(length: number): number; handle(): number };

const decoder = new TextDecoder();
const encoder = new TextEncoder();
let engine: Exports;

const imports = {
  env: {
    now: () => performance.now(),
    reply: (start: number, length: number) => {
      const text = decoder.decode(new Uint8Array(engine.memory.buffer, start, length));
      const reply = JSON.parse(text) as { event: string; text: string };
      postMessage(reply.event === "broken" ? { broken: reply.text } : reply);
    },
  },
};

function obey(orders: unknown): void {
  const bytes = encoder.encode(JSON.stringify(orders));
  const start = engine.input(bytes.length);
  new Uint8Array(engine.memory.buffer, start, bytes.length).set(bytes);
  if (engine.handle() !== 0) throw new Error("the engine does not understand this order");
}

// The first message is the program, all others are orders.
onmessage = (message: MessageEvent<unknown>) => {
  try {
    if (message.data instanceof WebAssembly.Module) {
      engine = new WebAssembly.Instance(message.data, imports).exports as unknown as Exports;
      postMessage({ ready: true });
    } else obey(message.data);
  } catch (error) {
    const isDeep = error instanceof RangeError;
    postMessage({ broken: isDeep ? "this goes too deep for a browser: `bid serve` has room for it" : String(error) });
  }
};

export {};

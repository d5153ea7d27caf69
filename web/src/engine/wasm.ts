// The engine as wasm in workers, as the native one has threads: one answers questions about texts, one runs them, and another one runs what
// is wanted meanwhile. A worker that computes hears nothing, so a request is stopped by ending its worker; another one takes its place.

import type { Listener, Transport } from "./engine.ts";
import type { Order, Reply } from "./messages.ts";

// The document that an order gives a text.
function openedPath(order: Order): string | null {
  return "change" in order && "open" in order.change ? order.change.open[0] : null;
}

// The number of what an order asks, or has run.
function openId(order: Order): number | null {
  if ("ask" in order) return order.ask[0];
  return "request" in order ? order.request[0] : null;
}

class Desk {
  private worker: Worker | null = null;
  private isReady = false;
  private readonly waiting: Order[] = [];
  private running: number | null = null;
  readonly documents: Map<string, Order>;
  private readonly listener: Listener;
  private readonly program: Promise<WebAssembly.Module>;

  constructor(listener: Listener, program: Promise<WebAssembly.Module>, documents = new Map<string, Order>()) {
    [this.listener, this.program, this.documents] = [listener, program, new Map(documents)];
    this.waiting.push(...this.documents.values());
    this.start();
  }

  private start(): void {
    this.isReady = false;
    const worker = new Worker("worker.js", { type: "module" });
    this.worker = worker;
    this.program.then((program) => worker.postMessage(program), (error: Error) => this.listener.state("broken", `The engine cannot be loaded: ${error.message}`));
    worker.onmessage = (message: MessageEvent<Reply | { ready: true } | { broken: string }>) => {
      const said = message.data;
      if ("ready" in said) {
        this.isReady = true;
        this.listener.state("ready");
        this.next();
      } else if ("broken" in said) this.broken(said.broken);
      else this.hear(said);
    };
    worker.onerror = (event) => this.broken(event.message);
  }

  private hear(reply: Reply): void {
    if (reply.event === "done" && reply.id === this.running) this.running = null;
    this.listener.reply(reply);
    if (this.running === null) this.next();
  }

  // Sends what is next: everything up to a request, which must be done before more is sent.
  private next(): void {
    while (this.isReady && this.running === null && this.waiting.length > 0) {
      const order = this.waiting.shift()!;
      this.running = openId(order);
      this.worker!.postMessage([order]);
    }
  }

  private broken(why: string): void {
    const id = this.running;
    this.restart();
    if (id === null) return this.listener.state("broken", why);
    const finding = { code: "E1001", severity: "error" as const, message: why, places: [], notes: [], help: null, mendings: [], drawn: why };
    this.listener.reply({ id, event: "finding", finding });
    this.listener.reply({ id, event: "done", errors: 1, failed_checks: 0, stopped: false });
  }

  // Another worker, which knows the documents that this one knew.
  private restart(): void {
    this.worker?.terminate();
    this.running = null;
    this.waiting.unshift(...this.documents.values());
    this.start();
  }

  send(order: Order): void {
    if ("change" in order) {
      if ("open" in order.change) this.documents.set(order.change.open[0], order);
      else if ("close" in order.change) this.documents.delete(order.change.close);
    }
    const last = this.waiting.at(-1);
    if (last && openedPath(last) !== null && openedPath(last) === openedPath(order)) this.waiting.pop();
    this.waiting.push(order);
    this.next();
  }

  stop(id: number): boolean {
    const at = this.waiting.findIndex((order) => openId(order) === id);
    if (at >= 0) this.waiting.splice(at, 1);
    else if (id === this.running) this.restart();
    else return false;
    const finding = {
      code: "E0904", severity: "error" as const, message: "interrupted", places: [], notes: [], help: null, mendings: [],
      drawn: "interrupted",
    };
    if (at < 0) this.listener.reply({ id, event: "finding", finding });
    this.listener.reply({ id, event: "done", errors: 0, failed_checks: 0, stopped: true });
    return true;
  }
}

export class WasmTransport implements Transport {
  private readonly desk: Desk;
  private readonly bench: Desk;
  // Made when it is wanted: it takes memory.
  private spare: Desk | null = null;
  private readonly listener: Listener;
  private readonly program = WebAssembly.compileStreaming(fetch("bid.wasm"));

  constructor(listener: Listener) {
    this.listener = listener;
    this.desk = new Desk(listener, this.program);
    this.bench = new Desk(listener, this.program);
  }

  send(orders: Order[]): void {
    for (const order of orders) {
      if ("change" in order) {
        for (const desk of [this.desk, this.bench, this.spare]) desk?.send(order);
      } else if ("ask" in order) this.desk.send(order);
      else if ("request" in order) this.bench.send(order);
      else if ("beside" in order) {
        this.spare ??= new Desk(this.listener, this.program, this.bench.documents);
        this.spare.send({ request: order.beside });
      }
    }
  }

  stop(id: number): boolean {
    return this.bench.stop(id) || this.spare?.stop(id) || this.desk.stop(id) || true;
  }

  close(): void {}
}

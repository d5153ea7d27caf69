// An engine, wherever it runs: requests go in, each hears of its own events, the last of which is `done` (or `lost`, if the engine has gone).

import type { Bench, Event, Order, Question, Reply, Request } from "./messages.ts";

export type Link = "ready" | "starting" | "broken";

// What carries orders to an engine and replies back.
export interface Transport {
  send(orders: Order[]): void;
  // Stops a request; true if the transport itself sees to it.
  stop(id: number): boolean;
  close(): void;
}

export interface Listener {
  reply(reply: Reply): void;
  // The engine is a new one: it knows no documents, and requests are lost.
  fresh(): void;
  state(link: Link, why?: string): void;
}

export class Engine {
  private last = 0;
  private readonly waiting = new Map<number, (event: Event) => void>();
  private readonly documents = new Map<string, string>();
  private readonly transport: Transport;
  link: Link = "starting";
  onState: (link: Link, why?: string) => void = () => {};

  constructor(connect: (listener: Listener) => Transport) {
    this.transport = connect({
      reply: (reply) => this.hear(reply),
      fresh: () => this.renew(),
      state: (link, why) => {
        this.link = link;
        this.onState(link, why);
      },
    });
    addEventListener("pagehide", (event) => event.persisted || this.transport.close());
  }

  // Gives a document a text.
  open(path: string, text: string): void {
    if (this.documents.get(path) === text) return;
    this.documents.set(path, text);
    this.transport.send([{ change: { open: [path, text] } }]);
  }

  close(path: string): void {
    if (this.documents.delete(path)) this.transport.send([{ change: { close: path } }]);
  }

  request(request: Request, hear: (event: Event) => void, bench: Bench = "request"): number {
    return this.send(hear, (id) => (bench === "request" ? { request: [id, request] } : { beside: [id, request] }));
  }

  ask(question: Question, hear: (event: Event) => void): number {
    return this.send(hear, (id) => ({ ask: [id, question] }));
  }

  private send(hear: (event: Event) => void, order: (id: number) => Order): number {
    const id = ++this.last;
    this.waiting.set(id, hear);
    this.transport.send([order(id)]);
    return id;
  }

  // What a question is answered by, if it is.
  async answer<K extends Event["event"]>(question: Question, kind: K): Promise<Extract<Event, { event: K }> | null> {
    return new Promise((resolve) => this.ask(question, only(kind, resolve)));
  }

  // The last event of its kind while a text is run, which the signal stops.
  async value<K extends Event["event"]>(request: Request, kind: K, bench: Bench, signal: AbortSignal): Promise<Extract<Event, { event: K }> | null> {
    return new Promise((resolve) => {
      const id = this.request(request, only(kind, resolve), bench);
      signal.addEventListener("abort", () => this.stop(id));
    });
  }

  stop(id: number): void {
    if (this.waiting.has(id) && !this.transport.stop(id)) this.transport.send([{ stop: id }]);
  }

  private hear(reply: Reply): void {
    const hear = this.waiting.get(reply.id);
    if (reply.event === "done" || reply.event === "lost") this.waiting.delete(reply.id);
    hear?.(reply);
  }

  private renew(): void {
    const orders = [...this.documents].map(([path, text]): Order => ({ change: { open: [path, text] } }));
    if (orders.length > 0) this.transport.send(orders);
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const hear of lost) hear({ event: "lost" });
  }
}

// Hears all events of a request, and gives the last one of a kind when it is over.
function only<K extends Event["event"]>(kind: K, resolve: (found: Extract<Event, { event: K }> | null) => void): (event: Event) => void {
  let found: Extract<Event, { event: K }> | null = null;
  return (event) => {
    if (event.event === kind) found = event as Extract<Event, { event: K }>;
    if (event.event === "done" || event.event === "lost") resolve(found);
  };
}

// The engine of `bid serve`: orders by POST, in order and in one request as long as another one is under way; replies as server-sent events.
// When the connection breaks the browser comes back by itself, and hears what it has missed.
//
// A browser keeps six connections to one server. So a tab that is out of sight and waits for nothing listens no longer, until it is looked
// at or asks something; now and then it says that it is still there.

import type { Listener, Transport } from "./engine.ts";
import type { Order, Reply } from "./messages.ts";

const RETRY = 1000;

// Milliseconds between two looks at whether a tab out of sight may rest, and between two signs of life while it rests.
const OUT_OF_SIGHT = 500;
const SIGN_OF_LIFE = 60_000;

// After so many milliseconds without an answer, what the reason may be.
const LATE = 5000;
const CROWDED = "The program does not answer. A browser keeps six connections to it: if more than five of its tabs are visible or at work, close one.";

export class ServerTransport implements Transport {
  private readonly session: string;
  private readonly queue: Order[] = [];
  private readonly listener: Listener;
  private source: EventSource | null = null;
  private seen = 0;
  private isSending = false;
  private isReady = false;
  private wasReady = false;
  private resting = 0;
  // How many requests have not been answered.
  private open = 0;

  constructor(listener: Listener) {
    this.listener = listener;
    this.session = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    document.addEventListener("visibilitychange", () => this.look());
    if (!document.hidden) this.connect();
  }

  private look(): void {
    clearTimeout(this.resting);
    if (!document.hidden) {
      if (this.source === null) this.connect();
    } else if (this.source) this.resting = window.setTimeout(() => this.rest(), OUT_OF_SIGHT);
  }

  private rest(): void {
    if (!this.isReady || this.open > 0) {
      this.resting = window.setTimeout(() => this.rest(), OUT_OF_SIGHT);
      return;
    }
    this.source?.close();
    this.source = null;
    const live = () => {
      if (this.source !== null) return;
      void fetch(this.address("orders"), { method: "POST", body: "[]" }).catch(() => {});
      this.resting = window.setTimeout(live, SIGN_OF_LIFE);
    };
    this.resting = window.setTimeout(live, SIGN_OF_LIFE);
  }

  private address(what: string): string {
    return `api/${what}?session=${this.session}&seen=${this.seen}`;
  }

  private connect(): void {
    this.source?.close();
    const source = new EventSource(this.address("events"));
    this.source = source;
    source.addEventListener("hello", (event) => {
      const isNew = JSON.parse((event as MessageEvent<string>).data).new as boolean;
      if (isNew && this.wasReady) {
        this.seen = 0;
        this.queue.length = this.open = 0;
        this.isReady = true;
        this.listener.fresh();
      }
      this.isReady = this.wasReady = true;
      this.listener.state("ready");
      void this.flush();
    });
    source.addEventListener("lost", () => this.listener.state("ready", "Some answers did not arrive: run those cells again."));
    source.addEventListener("message", (event) => {
      this.seen = Number(event.lastEventId);
      const reply = JSON.parse(event.data) as Reply;
      if (reply.event === "done") this.open -= 1;
      this.listener.reply(reply);
    });
    source.addEventListener("error", () => {
      this.isReady = false;
      this.listener.state("broken");
      if (source.readyState === EventSource.CLOSED) {
        void this.whyRefused();
        setTimeout(() => this.source === source && this.connect(), RETRY);
      }
    });
  }

  // A browser does not tell why a stream of events is refused.
  private async whyRefused(): Promise<void> {
    try {
      const response = await fetch("api/start");
      if (response.status === 403)
        this.listener.state("broken", "The program was started anew: open the address that it has printed. Your text is kept here.");
      else if (!response.ok) this.listener.state("broken", (await response.json()).error);
    } catch {
      // It has gone; the state says so.
    }
  }

  send(orders: Order[]): void {
    this.queue.push(...orders);
    const asked = orders.filter((order) => "ask" in order || "request" in order || "beside" in order).length;
    this.open += asked;
    if (asked > 0 && this.source === null) {
      this.connect();
      this.look();
    }
    void this.flush();
  }

  private async flush(): Promise<void> {
    if (this.isSending || !this.isReady) return;
    this.isSending = true;
    while (this.isReady && this.queue.length > 0) {
      const orders = this.queue.splice(0);
      try {
        const response = await this.post(orders);
        if (response.status === 404) {
          // The server has forgotten this tab: come back as a new one.
          this.isReady = false;
          this.connect();
        } else if (!response.ok) this.listener.state("ready", (await response.json()).error);
      } catch {
        // The engine knows what it has been sent twice by its number.
        this.queue.unshift(...orders);
        setTimeout(() => void this.flush(), RETRY);
        break;
      }
    }
    this.isSending = false;
  }

  // Sends orders; where nothing comes back for long, says what the reason may be.
  private async post(orders: Order[]): Promise<Response> {
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      this.listener.state("broken", CROWDED);
    }, LATE);
    try {
      return await fetch(this.address("orders"), { method: "POST", body: JSON.stringify(orders) });
    } finally {
      clearTimeout(late);
      if (isLate) this.listener.state("ready");
    }
  }

  stop(): boolean {
    return false;
  }

  close(): void {
    navigator.sendBeacon(this.address("close"));
  }
}

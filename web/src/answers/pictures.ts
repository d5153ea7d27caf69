// Pictures that can be made larger and moved: by the wheel with Ctrl, by dragging, by two fingers, by keys and buttons.

import { button, h } from "../dom.ts";

let pictures = 0;

export function enliven(body: HTMLElement): void {
  for (const figure of body.querySelectorAll("figure")) {
    const svg = figure.querySelector("svg");
    if (!svg) continue;
    rename(svg);
    new Picture(figure, svg);
  }
}

// Names inside a picture are the page's too: each picture gets its own.
function rename(svg: SVGSVGElement): void {
  const mark = `p${++pictures}-`;
  const used = svg.querySelectorAll<SVGElement>("[id]");
  const names = new Set([...used].map((element) => element.id));
  for (const element of used) element.id = mark + element.id;
  for (const element of svg.querySelectorAll("*")) {
    for (const attribute of [...element.attributes]) {
      const found = /^url\(#(.*)\)$/.exec(attribute.value);
      if (found && names.has(found[1]!)) attribute.value = `url(#${mark}${found[1]})`;
    }
  }
}

class Picture {
  private readonly svg: SVGSVGElement;
  private readonly frame: HTMLElement;
  private readonly width: number;
  private readonly height: number;
  private scale = 1;
  private x = 0;
  private y = 0;
  // Whether somebody has made it larger or moved it.
  private isMoved = false;
  private readonly fingers = new Map<number, { x: number; y: number }>();

  constructor(figure: HTMLElement, svg: SVGSVGElement) {
    this.svg = svg;
    [this.width, this.height] = [Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))];
    const name = svg.querySelector("title")?.textContent ?? "Picture";
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", name);
    this.frame = h("div", { class: "picture", tabindex: "0", "aria-label": `${name}; plus, minus and arrow keys zoom and move` });
    const tools = h(
      "div",
      { class: "tools" },
      button("+", () => this.zoom(1.3), { "aria-label": "Larger" }),
      button("−", () => this.zoom(1 / 1.3), { "aria-label": "Smaller" }),
      button("⤢", () => this.whole(), { "aria-label": "Whole picture" }),
    );
    figure.replaceChildren(tools, this.frame);
    this.frame.append(svg);
    this.listen();
    new ResizeObserver(() => this.settle()).observe(this.frame);
  }

  // Until it is moved, a picture is as large as it was made, and no wider than the page, whatever the width of the window.
  private settle(): void {
    const wide = this.frame.clientWidth;
    if (wide === 0 || this.isMoved) return;
    const scale = Math.min(1, wide / this.width);
    this.frame.style.height = `${Math.min(560, Math.max(60, this.height * scale))}px`;
    this.fit();
  }

  private whole(): void {
    this.isMoved = false;
    this.settle();
  }

  private fit(): void {
    const { clientWidth: wide, clientHeight: high } = this.frame;
    this.scale = Math.min(1, wide / this.width, high / this.height);
    this.x = (wide - this.width * this.scale) / 2;
    this.y = 0;
    this.place();
  }

  private place(): void {
    this.svg.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
  }

  private zoom(by: number, at?: { x: number; y: number }): void {
    this.isMoved = true;
    const scale = Math.min(8, Math.max(0.05, this.scale * by));
    const { x, y } = at ?? { x: this.frame.clientWidth / 2, y: this.frame.clientHeight / 2 };
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.place();
  }

  private move(x: number, y: number): void {
    this.isMoved = true;
    this.x += x;
    this.y += y;
    this.place();
  }

  private listen(): void {
    const { frame } = this;
    const here = (event: PointerEvent | WheelEvent) => {
      const box = frame.getBoundingClientRect();
      return { x: event.clientX - box.x, y: event.clientY - box.y };
    };
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 300), here(event));
    }, { passive: false });
    frame.addEventListener("pointerdown", (event) => this.fingers.set(event.pointerId, here(event)));
    frame.addEventListener("pointermove", (event) => this.drag(event, here(event)));
    for (const end of ["pointerup", "pointercancel", "pointerleave"] as const)
      frame.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    frame.addEventListener("keydown", (event) => {
      const step = 40;
      const keys: Record<string, () => void> = {
        "+": () => this.zoom(1.3), "=": () => this.zoom(1.3), "-": () => this.zoom(1 / 1.3), "0": () => this.whole(),
        ArrowLeft: () => this.move(step, 0), ArrowRight: () => this.move(-step, 0),
        ArrowUp: () => this.move(0, step), ArrowDown: () => this.move(0, -step),
      };
      const act = keys[event.key];
      if (!act || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      act();
    });
  }

  private drag(event: PointerEvent, now: { x: number; y: number }): void {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const apart = (a: { x: number; y: number }) => Math.hypot(a.x - other.x, a.y - other.y);
      this.zoom(apart(now) / Math.max(1, apart(before)), other);
    } else this.move(now.x - before.x, now.y - before.y);
    if (!this.frame.hasPointerCapture(event.pointerId) && Math.hypot(now.x - before.x, now.y - before.y) > 2)
      this.frame.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, now);
  }
}

// A picture in dots, twice as many as it has lengths.
export async function pngOf(source: string): Promise<Blob> {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  try {
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = () => reject(new Error("the picture cannot be drawn"));
      image.src = address;
    });
    const canvas = h("canvas", { width: image.naturalWidth * 2, height: image.naturalHeight * 2 });
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((png) => (png ? resolve(png) : reject(new Error("no picture"))), "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

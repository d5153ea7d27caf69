// Elements in one line.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, unknown>;

// An element with attributes (`class`, `aria-label`), listeners (`onclick`) and children.
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value as EventListener);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

// An element of a picture.
export function s(name: string, attributes: Record<string, string | number> = {}, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

// A button with a name for those who do not see it.
export function button(label: string, act: (event: MouseEvent) => void, properties: Properties = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick: act, ...properties }, label);
}

// Offers a file for download.
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

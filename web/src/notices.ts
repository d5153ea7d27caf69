// Short messages at the top of the page, some with buttons.

import { button, h } from "./dom.ts";

export type Choice = [label: string, act: () => void];

const shown = new Map<string, HTMLElement>();

// Shows a message under a name; another one under the same name takes its place.
export function notice(name: string, text: string, choices: Choice[] = [], kind: "info" | "error" = "info"): void {
  clear(name);
  const pick = (act: () => void) => () => {
    clear(name);
    act();
  };
  const element = h(
    "div",
    { class: `notice ${kind}`, "data-name": name },
    h("span", {}, text),
    ...choices.map(([label, act]) => button(label, pick(act))),
    button("×", () => clear(name), { "aria-label": "Dismiss", class: "quiet" }),
  );
  shown.set(name, element);
  document.getElementById("notices")!.append(element);
}

export function clear(name: string): void {
  shown.get(name)?.remove();
  shown.delete(name);
}

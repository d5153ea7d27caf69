// Questions that the page asks in a window of its own.

import { button, h } from "../dom.ts";

// Shows a window with some content until it is closed.
export function dialog(title: string, ...content: (Node | string)[]): HTMLDialogElement {
  const close = () => element.close();
  const head = h("div", { class: "title" }, h("h2", {}, title), button("×", close, { "aria-label": "Close", class: "quiet" }));
  const element = h("dialog", { "aria-label": title }, head, ...content);
  element.addEventListener("close", () => element.remove());
  document.body.append(element);
  element.showModal();
  return element;
}

// Asks for a line; null if the user does not want to say.
export function askLine(title: string, label: string, value: string): Promise<string | null> {
  return new Promise((resolve) => {
    const input = h("input", { type: "text", value, "aria-label": label, autofocus: true });
    let said: string | null = null;
    const form = h("form", {}, h("label", {}, label, input), h("button", { type: "submit", class: "main" }, "Save"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      said = input.value.trim() || null;
      element.close();
    });
    const element = dialog(title, form);
    element.addEventListener("close", () => resolve(said));
  });
}

// Lets one of some things be chosen, each by a card with its name and what it is about.
export function choose(title: string, things: { name: string; about?: (Node | string)[] }[]): Promise<string | null> {
  return new Promise((resolve) => {
    let chosen: string | null = null;
    const pick = (name: string) => () => {
      chosen = name;
      element.close();
    };
    const items = things.map(({ name, about }) => {
      const card = button("", pick(name), { class: "card" });
      card.append(h("b", {}, name), ...(about ? [h("span", {}, ...about)] : []));
      return h("li", {}, card);
    });
    const element = dialog(title, things.length > 0 ? h("ul", { class: "files" }, ...items) : h("p", {}, "There is nothing here yet."));
    element.addEventListener("close", () => resolve(chosen));
  });
}

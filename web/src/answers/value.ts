// A value: as the engine prints it for pages, with its tables, pictures and positions made lively.

import { button, download, h } from "../dom.ts";
import type { Form, Value } from "../engine/messages.ts";
import type { Outputs } from "./outputs.ts";
import { enliven as enlivenPictures, pngOf } from "./pictures.ts";
import { enliven as enlivenPositions } from "./positions.ts";
import { enliven as enlivenTables, takeLong } from "./tables.ts";

// `source` is the text of the cell that the value is of.
export function valueElement(value: Value, source: string, outputs: Outputs): HTMLElement {
  const forms = new Map<Form, string>(value.forms);
  const body = h("div", { class: "body" });
  // The engine has escaped what the program says; the page's policy lets no program of it run.
  const { html, long } = takeLong(forms.get("html") ?? "");
  body.innerHTML = html;
  enlivenTables(body, long);
  enlivenPictures(body);
  enlivenPositions(body, value, source, outputs);
  const label = value.label ? h("div", { class: "label" }, h("code", {}, value.label)) : null;
  const isShort = !body.querySelector("table, figure, pre") && (body.textContent ?? "").length < 120;
  const kind = isShort ? "value short" : "value";
  return h("div", { class: kind, "data-type": value.value.type ?? "" }, label, body, menu(value, forms, body));
}

// What can be taken away: the value in each form, its picture.
function menu(value: Value, forms: Map<Form, string>, body: HTMLElement): HTMLElement {
  const written = (form: Form | "json") => (form === "json" ? JSON.stringify(value.value) : (forms.get(form) ?? ""));
  const list = h("div", { class: "choices", hidden: true });
  const open = button("⋯", () => (list.hidden = !list.hidden), { class: "quiet", "aria-label": "Copy or save this answer", "aria-haspopup": "true" });
  const done = (said: string) => {
    list.hidden = true;
    open.textContent = said;
    setTimeout(() => (open.textContent = "⋯"), 1500);
  };
  const copy = (form: Form | "json", name: string) =>
    button(`Copy as ${name}`, () => {
      void navigator.clipboard.writeText(written(form)).then(
        () => done("copied"),
        () => download(`answer.${form === "latex" ? "tex" : form === "text" ? "txt" : form}`, new Blob([written(form)])),
      );
    });
  list.append(copy("text", "text"), copy("latex", "LaTeX"), copy("csv", "CSV"), copy("json", "JSON"));
  const svg = body.querySelector("svg");
  if (svg) {
    const source = /<svg[\s\S]*<\/svg>/.exec(forms.get("html") ?? "")?.[0] ?? "";
    list.append(
      button("Save SVG", () => {
        download("picture.svg", new Blob([source], { type: "image/svg+xml" }));
        done("saved");
      }),
      button("Save PNG", () => {
        void pngOf(source).then((png) => {
          download("picture.png", png);
          done("saved");
        });
      }),
    );
  }
  const dom = h("div", { class: "menu" }, open, list);
  dom.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    list.hidden = true;
    open.focus();
  });
  return dom;
}

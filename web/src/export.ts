// The program of an exported page: its comments become headings and links, its tables can be sorted, its pictures moved. Beside the files of
// the playground the page can become a worksheet.

import { enliven as enlivenPictures } from "./answers/pictures.ts";
import { enliven as enlivenTables, takeLong } from "./answers/tables.ts";
import { button, download, h } from "./dom.ts";
import { elements } from "./editor/markup.ts";
import { linkTo } from "./files/link.ts";
import type { Brought } from "./files/brought.ts";

type Program = Brought & { playground: string | null };

const program = JSON.parse(document.getElementById("program")!.textContent) as Program;
const bar = document.getElementById("bar")!;

for (const prose of document.querySelectorAll<HTMLElement>(".prose")) prose.replaceChildren(...elements(prose.textContent));
for (const body of document.querySelectorAll<HTMLElement>(".value .body")) {
  const { html, long } = takeLong(body.innerHTML);
  if (long) body.innerHTML = html;
  enlivenTables(body, long);
  enlivenPictures(body);
}

bar.append(button("Download", () => download(program.name, new Blob([program.text], { type: "text/plain" })), { title: "The program of this page" }));
if (program.playground !== null) {
  const open = h("a", { class: "button", href: program.playground, target: "_blank", rel: "noopener noreferrer" }, "Open in the playground");
  bar.append(open);
  void linkTo(program.text, program.playground).then((address) => (open.href = address));
}
void offerToRun();

// Where the page stands beside the files of the playground, it can be run.
async function offerToRun(): Promise<void> {
  if (!location.protocol.startsWith("http")) return;
  try {
    const answer = await fetch("bid.wasm", { method: "HEAD" });
    if (!answer.ok || !answer.headers.get("content-type")?.includes("wasm")) return;
  } catch {
    return;
  }
  bar.append(button("Edit and run", () => void run(), { class: "main" }));
}

// The page becomes the playground's, with this program.
async function run(): Promise<void> {
  const { name, text } = program;
  globalThis.broughtProgram = { name, text };
  for (const style of document.querySelectorAll("style")) style.remove();
  document.head.append(h("link", { rel: "stylesheet", href: "app.css" }));
  document.body.replaceChildren();
  await import(new URL("app.js", location.href).href);
}

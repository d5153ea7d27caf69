// Completion, help under the pointer, and mistakes underlined with what would mend them.

import { type Completion, type CompletionContext, type CompletionResult, autocompletion } from "@codemirror/autocomplete";
import { type Action, type Diagnostic, setDiagnostics } from "@codemirror/lint";
import type { Extension, Text } from "@codemirror/state";
import { type EditorView, hoverTooltip } from "@codemirror/view";
import { h } from "../dom.ts";
import type { Engine } from "../engine/engine.ts";
import type { Candidate, Finding } from "../engine/messages.ts";
import type { Document, Found, Mended, Wrong } from "./document.ts";
import { withCode } from "./markup.ts";
import { signs } from "./symbols.ts";

const KINDS: Record<string, string> = {
  name: "variable", word: "keyword", field: "property", value: "enum", parameter: "property", path: "text",
};

export function completion(engine: Engine, document: () => Document): Extension {
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const before = context.matchBefore(/[\p{L}\d_']+|[.{(,:"/]\s*/u);
    if (!context.explicit && !(before && /^[\p{L}_]/u.test(before.text))) return null;
    const offsets = document().sync();
    const found = await engine.answer({ complete: [document().path, offsets.byte(context.pos)] }, "completion");
    if (!found || context.aborted) return null;
    const options = found.candidates.map(option);
    return { from: offsets.unit(found.start), options, validFor: /^[\p{L}\d_']*$/u };
  };
  return autocompletion({ override: [signs, complete], icons: false, activateOnTypingDelay: 50 });
}

// A candidate with the form of its use: `strategy` with `(G, a, b)` behind it. What fits the place comes first.
function option({ text, kind, fits, heading }: Candidate): Completion {
  const detail = heading === null || heading === text ? undefined : heading.startsWith(text) ? heading.slice(text.length) : heading;
  return { label: text, type: KINDS[kind] ?? "text", boost: fits ? 1 : 0, ...(detail === undefined ? {} : { detail }) };
}

// Help as elements: a heading, sentences with their `code`, and examples, which are set in columns.
function helpElement(text: string, kinds: string | null): HTMLElement {
  const [heading, ...rest] = text.split("\n\n");
  const isCode = (part: string) => part.includes("\n") || part.startsWith("  ") || part.includes(" = ");
  return h(
    "div",
    { class: "help" },
    heading ? h("code", {}, heading) : null,
    kinds ? h("div", { class: "kinds" }, kinds) : null,
    ...rest.map((part) => (isCode(part) ? h("pre", {}, part.replace(/^\n+/, "")) : h("p", {}, ...withCode(part)))),
  );
}

export function hover(engine: Engine, document: () => Document): Extension {
  return hoverTooltip(
    async (_view, pos) => {
      const offsets = document().sync();
      const found = await engine.answer({ describe: [document().path, offsets.byte(pos)] }, "description");
      const description = found?.description;
      if (!description) return null;
      // Of a name that nothing is known by there is nothing to say.
      if (description.text === "" && description.kinds === "anything") return null;
      const dom = helpElement(description.text, description.kinds);
      return { pos: offsets.unit(description.range.start), end: offsets.unit(description.range.end), above: true, create: () => ({ dom }) };
    },
    { hoverTime: 250 },
  );
}

// A diagnostic for the editor; one without a place stands at the beginning.
function diagnostic({ finding, span, mendings }: Wrong, doc: Text): Diagnostic {
  const { length } = doc;
  const from = Math.min(span?.from ?? 0, length);
  const to = Math.min(Math.max(span?.to ?? 0, from), length);
  const renderMessage = () => findingElement(finding);
  return { from, to, severity: finding.severity, message: finding.message, renderMessage, actions: remedies(mendings, doc) };
}

// A title as a button shows it: without the marks of code.
function labelOf(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1).replaceAll("`", "");
}

// What would mend it, as a click. Edits of a text that has changed since are left alone: it is looked at anew.
function remedies(mendings: Mended[], doc: Text): Action[] {
  return mendings.map(({ title, changes }) => ({
    name: labelOf(title),
    apply: (view: EditorView) => {
      if (view.state.doc.eq(doc)) view.dispatch({ changes, userEvent: "input.complete" });
    },
  }));
}

// What a page without a server cannot do, where it is asked for.
const BEYOND: Record<string, string> = {
  E0801: "There is no disk here: only the library's files can be used. `bid serve` also reads the files of a folder.",
  E0901: "A browser has one thread and 3 GB: `bid serve` can use the whole machine.",
  E0902: "A browser has one thread and 3 GB: `bid serve` can use the whole machine.",
};

export function findingElement(finding: Finding): HTMLElement {
  const beyond = STATIC_PAGE ? BEYOND[finding.code] : undefined;
  const label = finding.places[0]?.text;
  return h(
    "div",
    { class: `finding ${finding.severity}` },
    h("div", { class: "message" }, ...withCode(finding.message), " ", h("span", { class: "code" }, finding.code)),
    label ? h("div", {}, ...withCode(label)) : null,
    ...finding.notes.map((note) => h("div", {}, ...withCode(`Note: ${note}`))),
    finding.help ? h("div", {}, ...withCode(`Help: ${finding.help}`)) : null,
    beyond ? h("div", {}, ...withCode(beyond)) : null,
  );
}

export function showFindings(view: EditorView, found: Found): void {
  const { doc } = view.state;
  view.dispatch(setDiagnostics(view.state, found.findings.map((one) => diagnostic(one, doc))));
}

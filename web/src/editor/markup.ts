// Comments as text: paragraphs, headings, items, `code`, links. The worksheet and exported pages show them alike.

import { h } from "../dom.ts";

const LINK = /\[([^\]]+)\]\((https?:\/\/[^)\s]+)\)|(https?:\/\/[^\s<>()]+[^\s<>().,;:!?])|`([^`]+)`|\*([^*\s][^*]*)\*/g;

// A sentence with its `code`, links and *emphasis*.
export function inline(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let last = 0;
  for (const found of text.matchAll(LINK)) {
    parts.push(text.slice(last, found.index));
    const [whole, label, target, bare, code, strong] = found;
    const address = target ?? bare;
    if (address) parts.push(h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, label ?? address));
    else if (code) parts.push(h("code", {}, code));
    else parts.push(h("em", {}, strong!));
    last = found.index + whole.length;
  }
  parts.push(text.slice(last));
  return parts;
}

// A sentence of the program's own, in which only parts between backquotes are marked: as code.
export function withCode(text: string): (Node | string)[] {
  return text.split("`").map((part, at) => (at % 2 === 1 ? h("code", {}, part) : part));
}

// The words of a line that is a heading, with its level; `""` for a line that is only ruled.
export function headingOf(line: string): { level: 1 | 2; words: string } | null {
  const marked = /^(#{1,3})\s+(.*)$/.exec(line);
  if (marked) return { level: marked[1] === "#" ? 1 : 2, words: marked[2]! };
  const ruled = /^[─—–=-]{2,}\s*(.*?)\s*[─—–=-]*$/.exec(line);
  return ruled ? { level: 2, words: ruled[1]! } : null;
}

// A block as elements: `# Heading` and `── Heading ──` are headings, `- item` lines are items, an empty line parts paragraphs.
export function elements(text: string): HTMLElement[] {
  const found: HTMLElement[] = [];
  let paragraph: string[] = [];
  const end = () => {
    if (paragraph.length > 0) found.push(h("p", {}, ...inline(paragraph.join(" "))));
    paragraph = [];
  };
  for (const line of text.split("\n")) {
    const heading = headingOf(line);
    const item = /^\s*[-*]\s+(.*)$/.exec(line);
    if (heading) {
      end();
      found.push(heading.words ? h(heading.level === 1 ? "h1" : "h2", {}, ...inline(heading.words)) : h("hr"));
    } else if (item) {
      end();
      found.push(h("p", { class: "item" }, "• ", ...inline(item[1]!)));
    } else if (line.trim() === "") end();
    else paragraph.push(line.trim());
  }
  end();
  return found;
}

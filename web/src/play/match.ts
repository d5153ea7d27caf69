// A match against the optimal player, by mouse or keys. What has been answered is all that there is of it: it is played again from its
// beginning with one answer more, or one less.

import type { Host } from "../answers/answer.ts";
import { boardOf } from "../board.ts";
import { button, h } from "../dom.ts";
import type { Offer, Sight } from "../engine/messages.ts";
import { boardElement, offersElement } from "./moves.ts";
import { historyElement, other, said, title, type Turn } from "./words.ts";

type Position = Extract<Sight, { sight: "position" }>;
type Over = Extract<Sight, { sight: "over" }>;
type BidQuestion = Extract<Sight, { sight: "ask_bid" }>;

// The moves that can be chosen now.
function offersOf(question: Sight | null): Offer[] {
  return question?.sight === "ask_move" || question?.sight === "ask_mover" ? question.moves : [];
}

export class Match {
  readonly dom = h("div", { class: "match", role: "group", "aria-label": "A match" });
  private answers: string[] = [];
  private sights: Sight[] = [];
  // How it stood before what is being played now.
  private before: { answers: string[]; sights: Sight[] } | null = null;
  private readonly send: (answers: string[]) => void;
  private readonly host: Host;
  private showsHint = false;

  constructor(send: (answers: string[]) => void, host: Host) {
    [this.send, this.host] = [send, host];
  }

  private get isWaiting(): boolean {
    return this.sights.at(-1)?.sight.startsWith("ask_") ?? false;
  }

  private get over(): Over | null {
    const last = this.sights.at(-1);
    return last?.sight === "over" ? last : null;
  }

  // Whether it shows itself how it stands, so that its value says nothing more.
  get hasSaid(): boolean {
    return this.isWaiting || this.over !== null;
  }

  see(sight: Sight): void {
    this.sights.push(sight);
  }

  rewind(): void {
    this.dom.classList.add("thinking");
    this.dom.setAttribute("aria-busy", "true");
  }

  private answer(...texts: string[]): void {
    this.showsHint = false;
    this.replay([...this.answers, ...texts]);
  }

  // Plays it again with these answers.
  private replay(answers: string[]): void {
    if (this.dom.classList.contains("thinking")) return;
    this.before = { answers: this.answers, sights: this.sights };
    [this.answers, this.sights] = [answers, []];
    this.send(answers);
  }

  // Everything has been seen: draws where the match stands.
  settle(): void {
    this.dom.classList.remove("thinking");
    this.dom.removeAttribute("aria-busy");
    // It never came to be played.
    if (this.sights.length === 0 && this.before) ({ answers: this.answers, sights: this.sights } = this.before);
    const hadFocus = this.dom.contains(document.activeElement) || document.activeElement === document.body;
    const at = this.sights.findLastIndex((sight) => sight.sight === "position");
    const position = this.sights[at] as Position | undefined;
    if (!position) return;
    const question = this.isWaiting ? this.sights.at(-1)! : null;
    this.dom.replaceChildren(
      this.head(position),
      h("div", { class: "field" }, this.place(position, question), h("div", { class: "side" }, this.question(question, position), this.tools(question), historyElement(this.turns()))),
    );
    if (hadFocus && this.answers.length > 0) this.dom.querySelector<HTMLElement>("[data-first]")?.focus({ preventScroll: true });
    this.host.measure();
  }

  private head({ holdings, you, score }: Position): HTMLElement {
    const numbers = [holdings.alice, holdings.bob].map((text) => Number.parseInt(text, 10) || 0);
    const total = Math.max(1, numbers[0]! + numbers[1]!);
    const player = (who: "alice" | "bob", chips: number) =>
      h(
        "div",
        { class: `player ${who}` },
        h("b", {}, title(who), who === you ? " (you)" : ""),
        h("span", { class: "chips", title: holdings[who].includes("*") ? "the star is the tie-breaking advantage" : "" }, `${holdings[who]} ${holdings[who] === "1" ? "chip" : "chips"}`),
        h("span", { class: "bar", style: `--share: ${chips / total}` }),
      );
    return h("div", { class: "players" }, player("alice", numbers[0]!), player("bob", numbers[1]!), score === null ? null : h("div", { class: "score" }, `score ${score}`));
  }

  private place(position: Position, question: Sight | null): HTMLElement {
    const choices = {
      offers: offersOf(question),
      // Who has won the bid and chooses a move at once moves; a single move is not asked for.
      choose: (answer: string) => (question?.sight !== "ask_mover" ? this.answer(answer) : question.moves.length === 1 ? this.answer("move") : this.answer("move", answer)),
      showsHint: this.showsHint && (question?.sight !== "ask_mover" || question.advice === position.you),
      width: Math.min(420, this.dom.clientWidth || 420),
      deciding: this.over,
    };
    const board = boardOf(position.position, position.hexagons);
    return board ? boardElement({ ...board, joins: position.joins }, position, choices) : offersElement(position, choices);
  }

  private question(question: Sight | null, position: Position): HTMLElement {
    const hint = (text: string) => (this.showsHint ? h("div", { class: "hint" }, `Optimal play: ${text}.`) : null);
    switch (question?.sight) {
      case "ask_bid":
        return h("div", { class: "ask" }, this.slider(question), hint(question.advice === null ? "nothing is known" : `bid ${question.advice}`));
      case "ask_tie": {
        const yes = button("Use the advantage", () => this.answer("yes"), { "data-first": true });
        return h("div", { class: "ask" }, h("p", {}, "A tie, and you hold the advantage: use it?"), yes, button("Keep it", () => this.answer("no")), hint(question.advice ? "use it" : "keep it"));
      }
      case "ask_mover": {
        const them = title(other(position.you));
        const advice = question.advice === position.you ? "the marked move" : `let ${them} move`;
        const prompt = `You have won the bid: ${boardOf(position.position, false) ? "click a cell to move" : "choose where to go"}, or`;
        return h("div", { class: "ask" }, h("p", {}, prompt), button(`Let ${them} move`, () => this.answer("let")), hint(advice));
      }
      case "ask_move":
        return h("div", { class: "ask" }, h("p", {}, boardOf(position.position, false) ? "Your move: click a cell." : "Your move: choose where to go."), hint("the marked move"));
      default:
        return h("div", { class: "ask", role: "status" }, h("p", { class: `over ${this.over?.winner ?? ""}` }, `${this.over?.words ?? "The match was stopped"}.`));
    }
  }

  private slider({ most, too_large, no_number }: BidQuestion): HTMLElement {
    const number = h("input", { type: "number", min: 0, max: most, value: 0, "aria-label": "Your bid", "data-first": true });
    const range = h("input", { type: "range", min: 0, max: most, value: 0, "aria-label": "Your bid, as a slider" });
    range.addEventListener("input", () => (number.value = range.value));
    number.addEventListener("input", () => (range.value = number.value));
    const wrong = h("p", { class: "wrong", role: "alert" });
    const bid = () => {
      const chosen = number.value;
      const isWhole = /^\d+$/.test(chosen);
      if (isWhole && Number(chosen) <= most) return this.answer(chosen);
      wrong.textContent = isWhole ? too_large : no_number;
      number.focus();
    };
    const form = h("form", { class: "bid", novalidate: true }, h("label", {}, "Your bid"), range, number, h("button", { type: "submit", class: "main" }, "Bid"), wrong);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      bid();
    });
    return form;
  }

  private tools(question: Sight | null): HTMLElement {
    const hint = () => {
      this.showsHint = !this.showsHint;
      this.settle();
    };
    return h(
      "div",
      { class: "tools" },
      question ? button("Hint", hint, { "aria-pressed": String(this.showsHint) }) : null,
      this.answers.length > 0 ? button("Undo", () => this.replay(this.answers.slice(0, -1))) : null,
      this.answers.length > 0 ? button("New match", () => this.replay([])) : null,
    );
  }

  // What has happened, turn by turn.
  private turns(): Turn[] {
    const turns: Turn[] = [];
    let before: Position | null = null;
    for (const sight of this.sights) {
      if (sight.sight === "position") {
        if (before && turns.length > 0) turns.at(-1)!.after = sight;
        before = sight;
        if (!sight.over) turns.push({ before: sight, lines: [] });
      } else {
        const line = said(sight);
        if (line) turns.at(-1)?.lines.push(line);
      }
    }
    return turns.filter((turn) => turn.lines.length > 0);
  }
}

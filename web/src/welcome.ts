// What a new page shows: what this is, three doors into it, and examples.

import { button, h } from "./dom.ts";
import { EXAMPLES, TUTORIAL } from "./examples.ts";

type Door = { title: string; about: string; act: () => void };

// `begin` opens a worksheet with a text, `close` leaves the sheet as it is.
export function welcome(begin: (text: string) => void, close: () => void): (Node | string)[] {
  const doors: Door[] = [
    { title: "Tutorial", about: "A first half hour: a game of your own, its thresholds, a strategy, a picture.", act: () => begin(TUTORIAL) },
    { title: "An example", about: "Bidding for the moves of a game that you know, and a match against the optimal player.", act: () => begin(EXAMPLES[0]!.text) },
    { title: "A blank sheet", about: "Write R(A ∧ B^2) and press Shift-Enter.", act: close },
  ];
  const card = (kind: string, { title, about, act }: Door) => {
    const element = button("", act, { class: kind });
    element.append(h("b", {}, title), h("span", {}, about));
    return element;
  };
  return [
    h("h2", {}, "Bidding games, solved exactly"),
    h("p", {}, "Before each move of a game the two players bid for the right to make it. In this worksheet you write a game and ask who wins, with how much money or how many chips, and how. Each answer stands below its line."),
    h("div", { class: "doors" }, ...doors.map((door) => card("door", door))),
    h("h3", {}, "Examples"),
    h("div", { class: "cards" }, ...EXAMPLES.map(({ name, about, text }) => card("card", { title: name, about, act: () => begin(text) }))),
  ];
}

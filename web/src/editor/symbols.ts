// Unicode signs by names, as in TeX: `\wedge` and Tab or Enter.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";

const SIGNS: [names: string[], sign: string, meaning: string][] = [
  [["wedge", "and"], "∧", "either player chooses which game is played"],
  [["le", "leq"], "≤", "at most"],
  [["ge", "geq"], "≥", "at least"],
  [["equiv"], "≡", "equal for every number of chips"],
  [["nequiv", "not"], "≢", "not equal for every number of chips"],
  [["parallel", "mid"], "∥", "incomparable"],
  [["pm"], "±", "give or take"],
  [["epsilon", "eps"], "ε", "the chip of make-it take-it"],
];

const OPTIONS: Completion[] = SIGNS.flatMap(([names, sign, meaning]) =>
  names.map((name) => ({ label: `\\${name}`, displayLabel: `\\${name}  ${sign}`, apply: sign, info: meaning, type: "sign" })),
);

export function signs(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/\\\w*/);
  return word && { from: word.from, options: OPTIONS, validFor: /^\\\w*$/ };
}

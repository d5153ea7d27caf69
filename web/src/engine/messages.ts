// What goes into an engine and what comes out, as `bid::engine::wire` writes it. Places are bytes of the texts that were sent.

export type Range = { start: number; end: number };

export type Script = { seed: number; answers: string[] };

// What nothing is run for.
export type Question =
  | { analyse: string }
  | { complete: [path: string, byte: number] }
  | { describe: [path: string, byte: number] }
  | "library";

// What is run: the statement of a document at a byte, or a text where the document's names are visible.
export type Request =
  | { play: [path: string, byte: number, script: Script] }
  | { enter: [path: string, text: string] };

export type Order =
  | { change: { open: [path: string, text: string] } | { close: string } }
  | { ask: [id: number, question: Question] }
  | { request: [id: number, request: Request] }
  // To be run while another one runs.
  | { beside: [id: number, request: Request] }
  | { stop: number };

// Where a document is run: by an order of that name.
export type Bench = "request" | "beside";

export type Place = { document: string; range: Range; text: string };

export type Finding = {
  code: string;
  severity: "error" | "warning";
  message: string;
  places: Place[];
  notes: string[];
  help: string | null;
  // How it can be mended, the likeliest way first.
  mendings: Mending[];
  drawn: string;
};

export type Mending = { title: string; edits: { document: string; range: Range; text: string }[] };

export type Cell = { range: Range; is_readable: boolean; defines: string | null; is_for_all: boolean; needs: number[] };

export type Player = "alice" | "bob";
export type PerPlayer = Record<Player, string>;

// A side of a board.
export type Side = "left" | "right" | "top" | "bottom";

export type Offer = { answer: string; action: string; position: string; is_advised: boolean };

export type Why = "higher" | "alone" | "rule" | "coin" | "advantage_used" | "advantage_kept";

export type Sight =
  | {
      sight: "position";
      position: string;
      hexagons: boolean;
      joins: Record<Player, Side[]>;
      you: Player;
      holdings: PerPlayer;
      score: string | null;
      over: boolean;
    }
  // The match is over; `cells` are those of the board that decided it, row by row from the top.
  | { sight: "over"; winner: Player | null; cells: number[]; words: string }
  | { sight: "bids"; bids: PerPlayer; words: string }
  | { sight: "won"; player: Player; why: Why; words: string }
  | { sight: "moved"; player: Player; action: string; position: string; words: string }
  | { sight: "ask_bid"; most: number; advice: string | null; too_large: string; no_number: string }
  | { sight: "ask_tie"; advice: boolean }
  | { sight: "ask_mover"; advice: Player; moves: Offer[] }
  | { sight: "ask_move"; moves: Offer[] };

export type Data = { type?: string; [field: string]: unknown };

export type Form = "text" | "html" | "csv" | "latex";

export type Progress = { stage: string; done: number; total: number | null };

export type Value = {
  event: "value";
  statement: Range | null;
  label: string | null;
  forms: [Form, string][];
  value: Data;
};

// What can stand in the place of an unfinished word; `heading` is the form of its use: `f(G, k)`.
export type Candidate = { text: string; kind: string; fits: boolean; heading: string | null };

export type Summary = { errors: number; failed_checks: number; stopped: boolean };

export type Event =
  | Value
  | { event: "check"; statement: Range | null; failed: Finding | null }
  | { event: "test"; name: string; phase: "started" | "ended" | "skipped" }
  | { event: "finding"; finding: Finding }
  | ({ event: "progress" } & Progress)
  | { event: "analysis"; findings: Finding[]; cells: Cell[]; tokens: (number | string)[] }
  | { event: "completion"; start: number; candidates: Candidate[] }
  | { event: "description"; description: { range: Range; kinds: string | null; text: string } | null }
  | { event: "library"; files: [name: string, text: string][] }
  | { event: "seen"; statement: Range | null; sight: Sight }
  | { event: "lost" }
  | ({ event: "done" } & Summary);

export type Reply = { id: number } & Event;

(** * Reading listings

    A generated file writes its listing as a stream of bits.  Six bits make one
    character, from [0] (code 48) to [o] (code 111): the bits are the last six
    of the character's code, the lowest first.  Characters stand in strings of
    a thousand.  Numbers have fixed widths, which the file gives, and are
    written from the lowest bit.

    For very long listings the same stream may stand in primitive integers, 60
    bits to each: that is read five times faster, but then the theorem lists
    the primitive operations among its assumptions.

    Nothing has to be proved about the readers: a listing is a witness, and
    what was read is checked. *)

From Coq Require Import List Bool NArith ZArith Init.Byte Uint63.
From Proofs Require Import Games Boards.
Import ListNotations.

Definition bits := list bool.
Definition reader (X : Type) := bits -> X * bits.

(** ** Strings and words *)

Inductive text := Text (l : list byte).
Definition bytes_of (t : text) : list byte := let (l) := t in l.

Declare Scope text_scope.
Delimit Scope text_scope with text.
String Notation text Text bytes_of : text_scope.

Definition bits_of_text (t : text) (rest : bits) : bits :=
  fold_right (fun c rest =>
    match Byte.to_bits c with
    | (b0, (b1, (b2, (b3, (b4, (b5, _)))))) => b0 :: b1 :: b2 :: b3 :: b4 :: b5 :: rest
    end) rest (bytes_of t).

Definition bits_of_texts (l : list text) : bits := fold_right bits_of_text [] l.

Fixpoint bits_of_word (n : nat) (w : int) (rest : bits) : bits :=
  match n with
  | O => rest
  | S n => PrimInt63.eqb (PrimInt63.land w 1%uint63) 1%uint63 :: bits_of_word n (PrimInt63.lsr w 1%uint63) rest
  end.

Definition bits_of_words (l : list (list int)) : bits :=
  fold_right (fun ws rest => fold_right (bits_of_word 60) rest ws) [] l.

(** ** Numbers, pairs, grids *)

Fixpoint number (width : nat) : reader N :=
  fun s =>
    match width, s with
    | S w, b :: s => let (n, s) := number w s in (if b then N.succ_double n else N.double n, s)
    | _, _ => (0%N, s)
    end.

(** Natural numbers, for states of games. *)
Definition natural (width : nat) : reader nat :=
  fun s => let (n, s) := number width s in (N.to_nat n, s).

Definition integer (width : nat) : reader Z :=
  fun s =>
    match s with
    | true :: s => let (n, s) := number width s in (Z.opp (Z.of_N n), s)
    | _ :: s => let (n, s) := number width s in (Z.of_N n, s)
    | [] => (0%Z, [])
    end.

Definition both {X Y} (f : reader X) (g : reader Y) : reader (X * Y) :=
  fun s => let (x, s) := f s in let (y, s) := g s in ((x, y), s).

Fixpoint times {X} (n : nat) (f : reader X) : reader (list X) :=
  fun s =>
    match n with
    | O => ([], s)
    | S n => let (x, s) := f s in let (l, s) := times n f s in (x :: l, s)
    end.

(** As many items as the number in front says. *)
Definition counted {X} (width : nat) (f : reader X) : reader (list X) :=
  fun s => let (n, s) := number width s in times (N.to_nat n) f s.

(** A cell: 00 empty, 10 Alice, 01 Bob. *)
Definition a_cell : reader (option player) :=
  fun s =>
    match s with
    | true :: _ :: s => (Some Alice, s)
    | false :: true :: s => (Some Bob, s)
    | _ :: _ :: s => (None, s)
    | _ => (None, [])
    end.

Definition a_player : reader player :=
  fun s => match s with true :: s => (Bob, s) | _ :: s => (Alice, s) | [] => (Alice, []) end.

Definition a_bool : reader bool :=
  fun s => match s with b :: s => (b, s) | [] => (false, []) end.

(** 0 and an item of the first kind, or 1 and one of the second. *)
Definition either {X Y} (f : reader X) (g : reader Y) : reader (X + Y) :=
  fun s =>
    match s with
    | true :: s => let (y, s) := g s in (inr y, s)
    | _ :: s => let (x, s) := f s in (inl x, s)
    | [] => let (x, s) := f [] in (inl x, s)
    end.

(** 0, or 1 and an item. *)
Definition optional {X} (f : reader X) : reader (option X) :=
  fun s =>
    match s with
    | true :: s => let (x, s) := f s in (Some x, s)
    | _ :: s => (None, s)
    | [] => (None, [])
    end.

Definition a_grid (rows cols : nat) : reader grid := times rows (times cols a_cell).

(** The whole listing: [n] items; an iteration, for the lists are long. *)
Definition items {X} (n : N) (f : reader X) (s : bits) : list X :=
  snd (N.iter n (fun '(s, l) => let (x, s) := f s in (s, x :: l)) (s, [])).

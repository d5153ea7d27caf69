(** * Reading listings

    A generated file writes its listing as streams of bits.  Six bits make one
    character, from [0] (code 48) to [o] (code 111): the bits are the last six
    of the character's code, the lowest first.  Numbers have fixed widths, which
    the file gives, and are written from the lowest bit.

    For very long listings the same streams stand in primitive integers, 60
    bits to each: that is read many times faster, but then the theorem lists
    the primitive operations among its assumptions.

    Every stream holds a list of items, and only one of the lists is in memory
    at a time.  Nothing has to be proved about the readers: a listing is a
    witness, and what was read is checked. *)

From Coq Require Import List Bool NArith ZArith Init.Byte Uint63.
From Proofs Require Import Games Boards Listings.
Import ListNotations.

Definition bits := list bool.
Definition reader (X : Type) := bits -> X * bits.

(** ** Strings and words: ten to a constructor, for Coq reads these faster than lists *)

Inductive text := Ten (a b c d e f g h i j : byte) (rest : text) | Less (l : list byte).

Fixpoint text_of (l : list byte) : text :=
  match l with
  | a :: b :: c :: d :: e :: f :: g :: h :: i :: j :: l => Ten a b c d e f g h i j (text_of l)
  | _ => Less l
  end.

Fixpoint bytes_of (t : text) : list byte :=
  match t with
  | Ten a b c d e f g h i j t => a :: b :: c :: d :: e :: f :: g :: h :: i :: j :: bytes_of t
  | Less l => l
  end.

Declare Scope text_scope.
Delimit Scope text_scope with text.
String Notation text text_of bytes_of : text_scope.

Definition bits_of_text (t : text) : bits :=
  flat_map (fun c =>
    let '(b0, (b1, (b2, (b3, (b4, (b5, _)))))) := Byte.to_bits c in [b0; b1; b2; b3; b4; b5]) (bytes_of t).

Inductive words := Words (a b c d e f g h i j : int) (rest : words) | No_words.

Fixpoint bits_of_word (n : nat) (w : int) (rest : bits) : bits :=
  match n with
  | O => rest
  | S n => PrimInt63.eqb (PrimInt63.land w 1%uint63) 1%uint63 :: bits_of_word n (PrimInt63.lsr w 1%uint63) rest
  end.

Fixpoint bits_of_words (t : words) : bits :=
  match t with
  | Words a b c d e f g h i j t => fold_right (bits_of_word 60) (bits_of_words t) [a; b; c; d; e; f; g; h; i; j]
  | No_words => []
  end.

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

Definition a_bool : reader bool :=
  fun s => match s with b :: s => (b, s) | [] => (false, []) end.

Definition integer (width : nat) : reader Z :=
  fun s => let (b, s) := a_bool s in let (n, s) := number width s in ((if b then Z.opp (Z.of_N n) else Z.of_N n), s).

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
  fun s => let (b, s) := a_bool s in (if b then Bob else Alice, s).

(** 0 and an item of the first kind, or 1 and one of the second. *)
Definition either {X Y} (f : reader X) (g : reader Y) : reader (X + Y) :=
  fun s =>
    let (b, s) := a_bool s in
    if b then let (y, s) := g s in (inr y, s) else let (x, s) := f s in (inl x, s).

(** 0, or 1 and an item. *)
Definition optional {X} (f : reader X) : reader (option X) :=
  fun s => let (b, s) := a_bool s in if b then let (x, s) := f s in (Some x, s) else (None, s).

Definition a_grid (rows cols : nat) : reader grid := times rows (times cols a_cell).

(** The whole listing, from streams of lists of items. *)
Definition items {S X D} `{Code X} (bits_of : S -> bits) (f : reader (list (X * D))) (data : list S) : table X D :=
  fold_left (fun l s => fold_left (fun l '(x, d) => add x d l) (fst (f (bits_of s))) l) data Nothing.

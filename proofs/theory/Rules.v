(** * What rules are written in

    The rules of a ruleset of [bid] are translated into the terms below and the
    board functions of [Boards].  Numbers are [nat] where they cannot be
    negative, else [Z]; a cell of a board, or a name for nobody, is an
    [option player]. *)

From Coq Require Import List Bool Arith ZArith.
From Proofs Require Import Games Decide Boards Listings.
Import ListNotations.

(** ** Truth: the second part is looked at only if the first does not decide. *)

Declare Scope rules_scope.
Notation "a && b" := (if a then b else false) : rules_scope.
Notation "a || b" := (if a then true else b) : rules_scope.

(** ** Equality *)

Class Equal (X : Type) := equal : X -> X -> bool.

#[export] Instance equal_nat : Equal nat := Nat.eqb.
#[export] Instance equal_Z : Equal Z := Z.eqb.
#[export] Instance equal_bool : Equal bool := Bool.eqb.
#[export] Instance equal_player : Equal player := same.

#[export] Instance equal_option {X} `{Equal X} : Equal (option X) := fun a b =>
  match a, b with Some x, Some y => equal x y | None, None => true | _, _ => false end.

#[export] Instance equal_pair {X Y} `{Equal X} `{Equal Y} : Equal (X * Y) := fun a b =>
  if equal (fst a) (fst b) then equal (snd a) (snd b) else false.

#[export] Instance equal_list {X} `{Equal X} : Equal (list X) :=
  fix same_items a b :=
    match a, b with
    | [], [] => true
    | x :: a, y :: b => if equal x y then same_items a b else false
    | _, _ => false
    end.

Definition is_empty (c : option player) : bool :=
  match c with None => true | Some _ => false end.

(** ** Numbers and lists *)

(** m, ..., n; nothing if n < m. *)
Definition range (m n : nat) : list nat := seq m (S n - m).
Definition range_Z (m n : Z) : list Z := map (fun i => (m + Z.of_nat i)%Z) (seq 0 (Z.to_nat (n + 1 - m))).

Definition distance (m n : nat) : nat := (m - n) + (n - m).

Definition total (l : list nat) : nat := fold_right Nat.add 0 l.
Definition total_Z (l : list Z) : Z := fold_right Z.add 0%Z l.

(** What [f] gives for each member of the list. *)
Definition for_each {X Y} (l : list X) (f : X -> list Y) : list Y := flat_map f l.

(** How many members of a list are [x]. *)
Definition how_many {X} `{Equal X} (l : list X) (x : X) : nat := length (filter (equal x) l).

(** Counted from 0; [d] where the list is too short. *)
Definition item {X} (d : X) (l : list X) (n : nat) : X := nth n l d.
Definition replace {X} (l : list X) (n : nat) (x : X) : list X := update n (fun _ => x) l.

(** ** Boards *)

Definition at_cell (b : grid) (c : nat * nat) : option player := let (row, col) := c in cell b row col.

Definition set_cell (b : grid) (c : nat * nat) (x : option player) : grid :=
  let (row, col) := c in update row (update col (fun _ => x)) b.

Definition full (b : grid) : bool := every (every (fun c => negb (is_empty c))) b.

Definition contents (b : grid) : list (option player) := concat b.

(** The stone of [p] falls to the lowest empty cell of the column. *)
Definition fall (b : grid) (p : player) (col : nat) : grid :=
  match filter (fun row => is_empty (cell b row col)) (rev (seq 0 (rows b))) with
  | row :: _ => put b p (row, col)
  | [] => b
  end.

(** The cells that share a side with [c] on a board of squares. *)
Definition touches (a c : nat * nat) : bool :=
  Nat.eqb (distance (fst a) (fst c) + distance (snd a) (snd c)) 1.

Definition squares_around (b : grid) (c : nat * nat) : list (nat * nat) := filter (touches c) (cells b).
Definition hexagons_around (b : grid) (c : nat * nat) : list (nat * nat) := filter (neighbours c) (cells b).

(** ** Who must move and cannot

    Elsewhere the other moves then.  A ruleset may say instead that the player
    loses, wins, or that it is a draw, by a last move to where play has ended
    so; or that nothing happens. *)

Inductive fate := loses | wins | draws | passes.

Definition no_move (f : fate) (p : player) {X} (v : X) : X + option player :=
  match f with
  | loses => inr (Some (other p))
  | wins => inr (Some p)
  | draws => inr None
  | passes => inl v
  end.

Definition stuck (f : fate) (G : game) (drawn : position G -> bool) : game := {|
  position := position G + option player;
  moves p v :=
    match v with
    | inr _ => []
    | inl v =>
        if drawn v then []
        else match moves G p v with [] => [no_move f p v] | l => map inl l end
    end;
  winner v := match v with inl v => winner G v | inr w => w end
|}.

(** ** A choice of the first move

    The first move leads to [a] or to [b]: the wedge sum of two positions of one
    game (Develin & Payne, section 2.1; [wedge] in [Wedges] is that of any two). *)

Definition opening (G : game) (a b : position G) : game := {|
  position := option (position G);
  moves p v :=
    match v with
    | None => [Some a; Some b]
    | Some v => map Some (moves G p v)
    end;
  winner v := match v with None => None | Some v => winner G v end
|}.

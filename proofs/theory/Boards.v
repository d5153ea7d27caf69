(** * Boards

    The board functions in which rules of games are written: grids of cells,
    lines of equal stones (Tic-Tac-Toe, Connect Four: Develin & Payne, section
    6; Goodfellow, sections 4 to 6), stones that drop down a column, and
    connections between two sides of a Hex board.  Rows are counted from the
    top, columns from the left, both from 0. *)

From Coq Require Import List Bool Arith Lia.
From Proofs Require Import Games Decide.
Import ListNotations.

Definition grid := list (list (option player)).

Definition empty_grid (rows cols : nat) : grid := repeat (repeat None cols) rows.

Definition rows (b : grid) : nat := length b.
Definition cols (b : grid) : nat := length (nth 0 b []).

(** Outside the grid every cell is empty. *)
Definition cell (b : grid) (r c : nat) : option player := nth c (nth r b []) None.

Definition owns (b : grid) (p : player) (r c : nat) : bool :=
  match cell b r c with Some q => same p q | None => false end.

Definition cells (b : grid) : list (nat * nat) :=
  list_prod (seq 0 (rows b)) (seq 0 (cols b)).

Definition empty_cells (b : grid) : list (nat * nat) :=
  filter (fun '(r, c) => match cell b r c with None => true | Some _ => false end) (cells b).

Fixpoint update {X} (n : nat) (f : X -> X) (l : list X) : list X :=
  match l, n with
  | [], _ => []
  | x :: l, O => f x :: l
  | x :: l, S n => x :: update n f l
  end.

(** Player [p] puts a stone on a cell. *)
Definition put (b : grid) (p : player) (rc : nat * nat) : grid :=
  let (r, c) := rc in update r (update c (fun _ => Some p)) b.

(** ** Lines

    [n] stones of [p] in a row, to the right, downwards or on a diagonal. *)
Definition line (b : grid) (p : player) (n : nat) : bool :=
  let run at_ := every (fun i => let (r, c) := (at_ i : nat * nat) in owns b p r c) (seq 0 n) in
  some (fun '(r, c) =>
    if run (fun i => (r, c + i)) then true
    else if run (fun i => (r + i, c)) then true
    else if run (fun i => (r + i, c + i)) then true
    else run (fun i => (r + i, c + (n - 1 - i)))) (cells b).

(** The player for whom the condition holds. *)
Definition whoever (f : player -> bool) : option player :=
  if f Alice then Some Alice else if f Bob then Some Bob else None.

(** ** Dropping stones *)

Definition height (b : grid) (c : nat) : nat :=
  length (filter (fun row => match nth c row None with None => false | Some _ => true end) b).

Definition drop (b : grid) (p : player) (c : nat) : grid :=
  put b p (rows b - 1 - height b c, c).

Definition open_columns (b : grid) : list nat :=
  filter (fun c => Nat.ltb (height b c) (rows b)) (seq 0 (cols b)).

(** ** Connections on a Hex board

    The cell in row [r] and column [c] has six neighbours: left and right,
    above and below, above to the right and below to the left. *)

Inductive side := left_side | right_side | top_side | bottom_side.

Definition on_side (b : grid) (s : side) (rc : nat * nat) : bool :=
  let (r, c) := rc in
  match s with
  | left_side => Nat.eqb c 0
  | right_side => Nat.eqb (S c) (cols b)
  | top_side => Nat.eqb r 0
  | bottom_side => Nat.eqb (S r) (rows b)
  end.

Definition neighbours (a b : nat * nat) : bool :=
  let (r, c) := a in
  let (s, d) := b in
  if Nat.eqb r s then (if Nat.eqb (S c) d then true else Nat.eqb c (S d))
  else if Nat.eqb (S r) s then (if Nat.eqb c d then true else Nat.eqb c (S d))
  else if Nat.eqb r (S s) then (if Nat.eqb c d then true else Nat.eqb (S c) d)
  else false.

Definition stones (b : grid) (p : player) : list (nat * nat) :=
  filter (fun '(r, c) => owns b p r c) (cells b).

(** The stones that hang together with the side [s] by at most [n] steps. *)
Fixpoint reached (b : grid) (p : player) (s : side) (n : nat) : list (nat * nat) :=
  match n with
  | O => filter (on_side b s) (stones b p)
  | S n =>
      let before := reached b p s n in
      filter (fun x => if on_side b s x then true else some (fun y => neighbours y x) before) (stones b p)
  end.

Definition connected (b : grid) (p : player) (from to : side) : bool :=
  some (on_side b to) (reached b p from (length (stones b p))).

(** ** What the functions mean *)

Theorem line_spec b p n : line b p n = true <-> exists r c, In (r, c) (cells b) /\
  ((forall i, i < n -> owns b p r (c + i) = true) \/
   (forall i, i < n -> owns b p (r + i) c = true) \/
   (forall i, i < n -> owns b p (r + i) (c + i) = true) \/
   (forall i, i < n -> owns b p (r + i) (c + (n - 1 - i)) = true)).
Proof.
  assert (R : forall f g, every (fun i => let (r, c) := ((f i, g i) : nat * nat) in owns b p r c) (seq 0 n) = true
    <-> forall i, i < n -> owns b p (f i) (g i) = true).
  { intros f g; rewrite every_spec; split; intros H i; [intro I; apply H, in_seq; lia|].
    rewrite in_seq; intro I; apply H; lia. }
  unfold line; rewrite some_spec; split.
  - intros ((r, c) & I & H); exists r, c; split; [exact I|].
    rewrite <- (R (fun _ => r) (fun i => c + i)), <- (R (fun i => r + i) (fun _ => c)),
      <- (R (fun i => r + i) (fun i => c + i)), <- (R (fun i => r + i) (fun i => c + (n - 1 - i))).
    repeat match type of H with (if ?x then _ else _) = true => destruct x; [auto|] end; auto.
  - intros (r & c & I & H); exists (r, c); split; [exact I|].
    rewrite <- (R (fun _ => r) (fun i => c + i)), <- (R (fun i => r + i) (fun _ => c)),
      <- (R (fun i => r + i) (fun i => c + i)), <- (R (fun i => r + i) (fun i => c + (n - 1 - i))) in H.
    repeat match goal with |- (if ?x then _ else _) = true => destruct x eqn:?; [reflexivity|] end.
    intuition congruence.
Qed.

(** A chain of neighbouring stones of [p] from the side [s] to the cell. *)
Inductive chain (b : grid) (p : player) (s : side) : nat * nat -> Prop :=
| chain_side x : In x (stones b p) -> on_side b s x = true -> chain b p s x
| chain_step x y : chain b p s x -> In y (stones b p) -> neighbours x y = true -> chain b p s y.

Lemma reached_chain b p s n x : In x (reached b p s n) -> chain b p s x.
Proof.
  revert x; induction n as [|n IH]; intro x; simpl; rewrite filter_In; intros [I H].
  - now apply chain_side.
  - destruct (on_side b s x) eqn:E; [now apply chain_side|].
    apply some_spec in H; destruct H as (y & J & N); apply chain_step with y; auto.
Qed.

(** The sets of reached stones grow, and once they stop they hold all chains. *)
Lemma reached_mono b p s n x : In x (reached b p s n) -> In x (reached b p s (S n)).
Proof.
  revert x; induction n as [|n IH]; intro x.
  - simpl; rewrite !filter_In; intros [I ->]; auto.
  - intro I; cbn [reached] in I; apply filter_In in I; destruct I as [I H].
    change (In x (filter (fun x => if on_side b s x then true
      else some (fun y => neighbours y x) (reached b p s (S n))) (stones b p))).
    apply filter_In; split; [exact I|].
    destruct (on_side b s x); [reflexivity|].
    apply some_spec in H; destruct H as (y & J & N); apply some_spec; eauto.
Qed.

Lemma filter_grows {X} (f g : X -> bool) l : (forall x, In x l -> f x = true -> g x = true) ->
  length (filter f l) < length (filter g l) \/ filter f l = filter g l.
Proof.
  induction l as [|x l IH]; intro H; simpl; [auto|].
  assert (IH' := IH (fun y I => H y (or_intror I))).
  destruct (f x) eqn:F.
  - rewrite (H x (or_introl eq_refl) F); simpl; destruct IH' as [L | ->]; [left; lia | auto].
  - destruct (g x); simpl; [left|]; destruct IH' as [L | ->]; auto; lia.
Qed.

Lemma filter_shorter {X} (f : X -> bool) l : length (filter f l) <= length l.
Proof. induction l as [|x l IH]; simpl; [lia|]; destruct (f x); simpl; lia. Qed.

Lemma reached_step b p s n : exists f g, reached b p s n = filter f (stones b p) /\
  reached b p s (S n) = filter g (stones b p) /\
  forall x, In x (stones b p) -> f x = true -> g x = true.
Proof.
  assert (E : forall m, exists f, reached b p s m = filter f (stones b p)) by (intros [|m]; eexists; reflexivity).
  destruct (E n) as [f Ef], (E (S n)) as [g Eg]; exists f, g; repeat split; auto.
  intros x I F; assert (J : In x (reached b p s n)) by (rewrite Ef; now apply filter_In).
  apply reached_mono in J; rewrite Eg, filter_In in J; tauto.
Qed.

Lemma reached_stops b p s n :
  n <= length (reached b p s n) \/ exists m, m < n /\ reached b p s m = reached b p s (S m).
Proof.
  induction n as [|n IH]; [left; lia|].
  destruct IH as [L | (m & M & E)]; [|right; exists m; auto].
  destruct (reached_step b p s n) as (f & g & Ef & Eg & H).
  destruct (filter_grows f g (stones b p) H) as [G | G].
  - left; rewrite Ef in L; rewrite Eg; lia.
  - right; exists n; split; [lia | congruence].
Qed.

Lemma reached_later b p s m n : m <= n -> forall x, In x (reached b p s m) -> In x (reached b p s n).
Proof. induction 1; auto; intros; now apply reached_mono, IHle. Qed.

Lemma chain_reached b p s x : chain b p s x -> In x (reached b p s (length (stones b p))).
Proof.
  set (n := length (stones b p)).
  assert (Z : exists m, m <= n /\ forall x, chain b p s x -> In x (reached b p s m)).
  { destruct (reached_stops b p s (S n)) as [L | (m & M & E)].
    - destruct (reached_step b p s n) as (f & g & _ & Eg & _).
      assert (length (reached b p s (S n)) <= n) by (rewrite Eg; apply filter_shorter).
      lia.
    - exists m; split; [lia|]; clear x; induction 1 as [x I H | x y _ IH I N].
      + apply (reached_later b p s 0 m); [lia|]; simpl; now apply filter_In.
      + rewrite E; cbn [reached]; apply filter_In; split; [exact I|].
        destruct (on_side b s y); [reflexivity|]; apply some_spec; eauto. }
  destruct Z as (m & M & H); intro C; apply (reached_later b p s m n M), H, C.
Qed.

Theorem connected_spec b p from to :
  connected b p from to = true <-> exists x, chain b p from x /\ on_side b to x = true.
Proof.
  unfold connected; rewrite some_spec; split; intros (x & I & H); exists x; split; auto.
  - now apply reached_chain in I.
  - now apply chain_reached.
Qed.

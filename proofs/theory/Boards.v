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

Definition holds (c : option player) (p : player) : bool :=
  match c with Some q => same q p | None => false end.

Definition owns (b : grid) (p : player) (r c : nat) : bool := holds (cell b r c) p.

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

    The first [n] members of a list pass a test, which is told a column: it is
    [c] at first, and [step] leads from each column to the next. *)
Fixpoint first {X} (test : nat -> X -> bool) (step : nat -> nat) (n c : nat) (l : list X) : bool :=
  match n, l with
  | O, _ => true
  | S n, x :: l => if test c x then first test step n (step c) l else false
  | _, [] => false
  end.

(** Stones to the right of the first cell of a row; stones downwards, one in
    each row, from the column [c]. *)
Definition right (p : player) (n c : nat) : list (option player) -> bool := first (fun _ x => holds x p) S n c.
Definition down (step : nat -> nat) (p : player) : nat -> nat -> grid -> bool :=
  first (fun c row => holds (nth c row None) p) step.
Definition down_left (p : player) (n c : nat) (b : grid) : bool := if n <=? S c then down pred p n c b else false.

(** Some part of a list that goes on to its end passes a test, which is told
    how many members come before it, and [n] more. *)
Fixpoint some_rest {X} (test : nat -> list X -> bool) (n : nat) (l : list X) : bool :=
  match l with [] => false | _ :: m => if test n l then true else some_rest test (S n) m end.

(** Some stone of [p] passes a test, which is told its column, its row from the
    stone on, and the rows from its own on. *)
Definition some_stone (p : player) (test : nat -> list (option player) -> grid -> bool) (b : grid) : bool :=
  some_rest (fun _ b => some_rest (fun c row =>
    if holds (hd None row) p then test c row b else false) 0 (hd [] b)) 0 b.

(** [n] stones of [p] in a row, n > 0; on a Hex board only three directions lead
    to neighbours.  See [line_spec]. *)
Definition line_on (hex : bool) (b : grid) (p : player) (n : nat) : bool :=
  some_stone p (fun c row b =>
    if right p n c row then true
    else if down (fun c => c) p n c b then true
    else if (if hex then false else down S p n c b) then true
    else down_left p n c b) b.

Definition line := line_on false.
Definition hex_line := line_on true.

(** The player for whom the condition holds. *)
Definition whoever (f : player -> bool) : option player :=
  if f Alice then Some Alice else if f Bob then Some Bob else None.

(** ** Dropping stones *)

Definition height (b : grid) (c : nat) : nat :=
  length (filter (fun row => match nth c row None with None => false | Some _ => true end) b).

Definition drop (b : grid) (p : player) (c : nat) : grid :=
  put b p (rows b - 1 - height b c, c).

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

Lemma holds_spec c p : holds c p = true <-> c = Some p.
Proof. destruct c as [[]|], p; simpl; split; congruence. Qed.

Lemma nth_skipn {X} n i (l : list X) d : nth i (skipn n l) d = nth (n + i) l d.
Proof. revert l; induction n as [|n IH]; intros [|x l]; simpl; auto; now destruct i. Qed.

Lemma first_spec {X} (test : nat -> X -> bool) step d n c l : (forall c, test c d = false) ->
  first test step n c l = true <-> forall i, i < n -> test (Nat.iter i step c) (nth i l d) = true.
Proof.
  intro D; revert c l; induction n as [|n IH]; intros c l; simpl; [split; [lia | auto]|].
  destruct l as [|x l]; [split; [easy | intro H; specialize (H 0 ltac:(lia)); simpl in H; congruence]|].
  assert (R : forall i, Nat.iter i step (step c) = step (Nat.iter i step c)) by (induction i; simpl; congruence).
  destruct (test c x) eqn:E; [rewrite IH | split; [easy | intro H; specialize (H 0 ltac:(lia)); simpl in H; congruence]].
  split; [intros H [|i] I; [exact E | simpl; rewrite <- R; apply H; lia] | intros H i I; rewrite R; apply (H (S i)); lia].
Qed.

Lemma some_rest_spec {X} (test : nat -> list X -> bool) n l : (forall n, test n [] = false) ->
  some_rest test n l = true <-> exists i, test (n + i) (skipn i l) = true.
Proof.
  intro D; revert n; induction l as [|x l IH]; intro n; cbn [some_rest].
  - split; [easy | intros ([|i] & H); simpl in H; congruence].
  - destruct (test n (x :: l)) eqn:E; [split; [exists 0; now rewrite Nat.add_0_r | auto] | rewrite IH].
    split; intros (i & H); [exists (S i); now rewrite <- Nat.add_succ_comm|].
    destruct i as [|i]; [rewrite Nat.add_0_r in H; simpl in H; congruence | exists i; now rewrite Nat.add_succ_comm].
Qed.

Lemma some_stone_spec p test b : some_stone p test b = true <->
  exists r c, cell b r c = Some p /\ test c (skipn c (nth r b [])) (skipn r b) = true.
Proof.
  assert (N : forall {X} n (l : list X) d, hd d (skipn n l) = nth n l d)
    by (intros X n l d; revert l; induction n; intros [|x l]; simpl; auto).
  unfold some_stone, cell; rewrite some_rest_spec by easy; setoid_rewrite some_rest_spec; [|easy].
  setoid_rewrite N; setoid_rewrite <- holds_spec; split; intros (r & c & H); exists r, c; rewrite N in *; simpl in *.
  - now destruct (holds _ p).
  - destruct H as [-> H]; exact H.
Qed.

Theorem line_spec hex b p n : 0 < n -> line_on hex b p n = true <-> exists r c,
  (forall i, i < n -> cell b r (c + i) = Some p) \/
  (forall i, i < n -> cell b (r + i) c = Some p) \/
  (hex = false /\ forall i, i < n -> cell b (r + i) (c + i) = Some p) \/
  (forall i, i < n -> cell b (r + i) (c + (n - 1 - i)) = Some p).
Proof.
  intro N.
  assert (I1 : forall i (c : nat), Nat.iter i (fun c => c) c = c) by (induction i; simpl; auto).
  assert (I2 : forall i c, Nat.iter i S c = c + i) by (induction i; intros; simpl; rewrite ?IHi; lia).
  assert (I3 : forall i c, Nat.iter i pred c = c - i) by (induction i; intros; simpl; rewrite ?IHi; lia).
  assert (R : forall r c, right p n c (skipn c (nth r b [])) = true <-> forall i, i < n -> cell b r (c + i) = Some p).
  { intros; unfold right; rewrite (first_spec _ _ None) by easy.
    split; intros H i L; specialize (H i L); rewrite holds_spec, nth_skipn in *; exact H. }
  assert (D : forall step r c, down step p n c (skipn r b) = true <->
    forall i, i < n -> cell b (r + i) (Nat.iter i step c) = Some p).
  { intros; unfold down; rewrite (first_spec _ _ []) by now intros [].
    split; intros H i L; specialize (H i L); rewrite holds_spec, nth_skipn in *; exact H. }
  unfold line_on, down_left; rewrite some_stone_spec; split.
  - intros (r & c & _ & H).
    destruct (right _ _ _ _) eqn:E; [exists r, c; left; exact (proj1 (R r c) E)|]; clear E.
    destruct (down _ _ _ _ _) eqn:E in H.
    { exists r, c; right; left; intros i L; rewrite <- (I1 i c) at 1; exact (proj1 (D _ _ _) E i L). }
    clear E; destruct (if hex then _ else _) eqn:E.
    { destruct hex; [discriminate|]; exists r, c; do 2 right; left; split; [reflexivity|]; intros i L; rewrite <- (I2 i c); exact (proj1 (D _ _ _) E i L). }
    destruct (Nat.leb_spec n (S c)); [|discriminate].
    exists r, (c - (n - 1)); do 3 right; intros i L.
    replace (c - (n - 1) + (n - 1 - i)) with (c - i) by lia; rewrite <- (I3 i c); exact (proj1 (D _ _ _) H i L).
  - intros (r & c & H).
    destruct H as [H | [H | [[-> H] | H]]]; pose proof (H 0 N) as H0; rewrite ?Nat.add_0_r in H0.
    + exists r, c; split; [exact H0|]; now rewrite (proj2 (R r c) H).
    + exists r, c; split; [exact H0|]; rewrite (proj2 (D (fun c => c) r c)); [now destruct (right p n c (skipn c (nth r b [])))|].
      intros i L; rewrite I1; auto.
    + exists r, c; split; [exact H0|]; rewrite (proj2 (D S r c)); [now destruct (right p n c (skipn c (nth r b []))), (down (fun c => c) p n c (skipn r b))|].
      intros i L; rewrite I2; auto.
    + exists r, (c + (n - 1 - 0)); split; [exact H0|].
      repeat match goal with |- (if ?x then true else _) = true => destruct x; [reflexivity|] end.
      destruct (Nat.leb_spec n (S (c + (n - 1 - 0)))); [|lia]; apply D; intros i L; rewrite I3.
      replace (c + (n - 1 - 0) - i) with (c + (n - 1 - i)) by lia; auto.
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

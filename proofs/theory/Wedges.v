(** * The games A^n and B^n, and wedge sums

    Develin & Payne, sections 3.4 and 5; Goodfellow, section 3.  In A^n Alice
    wins if she makes any of the next n moves, and Bob wins otherwise; B^n is
    the same for Bob.  In the wedge sum of G and H whoever moves first chooses
    between the two.

    For k chips the critical thresholds are, in half chips, (2k + 2) / 2^n
    rounded down for A^n, and 2k + 2 less that for B^n; with real money 1 / 2^n
    and 1 - 1 / 2^n (Goodfellow, Theorem 2).  That of a wedge sum is the mean
    of the two.  Hence A^n is equivalent to the wedge sum of A and A^(n-1), and
    the wedge sum of A^n and B^n to E, the game that the next to move wins. *)

From Coq Require Import List Bool Arith ZArith QArith Lia Lqa ZifyNat.
From Proofs Require Import Games Play Chips Money Sides Richman Values.
Import ListNotations.
Local Open Scope nat_scope.

(** ** Games within games

    An embedding keeps the moves and the winner, so it keeps the thresholds. *)

Section Embedding.
  Variables (G H : game) (f : position G -> position H).
  Hypothesis same_moves : forall p v, moves H p (f v) = map f (moves G p v).
  Hypothesis same_winner : forall v, winner H (f v) = winner G v.

  Lemma embedding_can_move p v : can_move H p (f v) = can_move G p v.
  Proof. unfold can_move; rewrite same_moves; now destruct (moves G p v). Qed.

  Lemma embedding_over v : over H (f v) = over G v.
  Proof. unfold over; now rewrite same_winner, !embedding_can_move. Qed.

  Lemma embedding_after c p w v (P : position H -> Prop) :
    after G c p w v (fun x => P (f x)) -> after H c p w (f v) P.
  Proof.
    unfold after; replace (movers H c w (f v)) with (movers G c w v).
    - apply steers_mono; intros q _; unfold steers; rewrite same_moves.
      destruct (same p q).
      + intros (x & I & K); exists (f x); split; [now apply in_map | exact K].
      + intros K y I; apply in_map_iff in I; destruct I as (x & <- & I); auto.
    - unfold movers; destruct c; simpl; rewrite ?embedding_can_move; reflexivity.
  Qed.

  Definition image (s : chips G) : chips H := State (f (place s)) (alices s) (bobs s) (holder s).
  Definition money_image (s : money G) : money H := Holds (f (spot s)) (share s).

  Lemma embedding_bids r p s (T : chips H -> Prop) :
    bids r p s (fun t => T (image t)) -> bids r p (image s) T.
  Proof.
    intros (x & Hx & B); exists x; split; [now destruct p|]; intros y Hy.
    specialize (B y ltac:(now destruct p)); revert B; unfold lands; simpl.
    apply steers_mono; intros [w h] _ A; apply embedding_after; revert A; apply after_mono.
    intros v _; now destruct w.
  Qed.

  Lemma embedding_offers p s (T : money H -> Prop) :
    offers p s (fun t => T (money_image t)) -> offers p (money_image s) T.
  Proof.
    intros (x & Hx & B); exists x; split; [now destruct p|]; intros y Hy.
    destruct (B y ltac:(now destruct p)) as [B1 B2].
    split; intro L; [specialize (B1 L) | specialize (B2 L)]; apply embedding_after;
      (eapply after_mono; [|eassumption]); intros v _; now destruct p.
  Qed.

  Lemma embedding_forces r p s : forces (with_chips G r) p s -> forces (with_chips H r) p (image s).
  Proof.
    induction 1 as [s W | s T O S _ IH].
    - apply forces_won; simpl; now rewrite same_winner.
    - apply (forces_turn (with_chips H r) p _ (fun t => exists t0, T t0 /\ t = image t0)).
      + simpl; now rewrite embedding_over.
      + apply embedding_bids; revert S; apply bids_mono; eauto.
      + intros t (t0 & Ht & ->); auto.
  Qed.

  Lemma embedding_avoids r p s : avoids (with_chips G r) p s -> avoids (with_chips H r) p (image s).
  Proof.
    intro A; apply (avoids_by_invariant (with_chips H r) p
      (fun t => exists t0, avoids (with_chips G r) p t0 /\ t = image t0)); [clear s A | eauto].
    intros t (s & [O W | T O S A] & ->); simpl in *; rewrite embedding_over, same_winner; [left; auto|].
    right; split; [exact O|]; apply embedding_bids; revert S; apply bids_mono; eauto.
  Qed.

  Theorem embedding_halves v k h : critical_halves G v k h -> critical_halves H (f v) k h.
  Proof.
    intros [B C]; split; [exact B|]; intros [u a b p] E K; simpl in E; subst u.
    destruct (C (State v a b p) eq_refl K) as [F N]; split; intro L.
    - apply (embedding_forces develin_payne Alice (State v a b p)); auto.
    - apply (embedding_avoids develin_payne Bob (State v a b p)); auto.
  Qed.

  Lemma embedding_money_forces p s : forces (with_money G) p s -> forces (with_money H) p (money_image s).
  Proof.
    induction 1 as [s W | s T O S _ IH].
    - apply forces_won; simpl; now rewrite same_winner.
    - apply (forces_turn (with_money H) p _ (fun t => exists t0, T t0 /\ t = money_image t0)).
      + simpl; now rewrite embedding_over.
      + apply embedding_offers; revert S; apply offers_mono; eauto.
      + intros t (t0 & Ht & ->); auto.
  Qed.

  Lemma embedding_money_avoids p s : avoids (with_money G) p s -> avoids (with_money H) p (money_image s).
  Proof.
    intro A; apply (avoids_by_invariant (with_money H) p
      (fun t => exists t0, avoids (with_money G) p t0 /\ t = money_image t0)); [clear s A | eauto].
    intros t (s & [O W | T O S A] & ->); simpl in *; rewrite embedding_over, same_winner; [left; auto|].
    right; split; [exact O|]; apply embedding_offers; revert S; apply offers_mono; eauto.
  Qed.

  Theorem embedding_critical v r : critical G v r -> critical H (f v) r.
  Proof.
    intros [B C]; split; [exact B|]; intros a Ha; destruct (C a Ha) as [F N]; split; intro L.
    - apply (embedding_money_forces Alice (Holds v a)); auto.
    - apply (embedding_money_avoids Bob (Holds v a)); auto.
  Qed.
End Embedding.

(** ** Wedge sums *)

Definition wedge (G : game) (v : position G) (H : game) (w : position H) : game := {|
  position := option (position G + position H);
  moves p x :=
    match x with
    | None => [Some (inl v); Some (inr w)]
    | Some (inl x) => map (fun y => Some (inl y)) (moves G p x)
    | Some (inr x) => map (fun y => Some (inr y)) (moves H p x)
    end;
  winner x :=
    match x with
    | None => None
    | Some (inl x) => winner G x
    | Some (inr x) => winner H x
    end
|}.

Theorem wedge_halves G v H w k g h :
  critical_halves G v k g -> critical_halves H w k h ->
  critical_halves (wedge G v H w) None k (richman_mean (min g h) (max g h)).
Proof.
  intros CG CH.
  apply (richman_calculus (wedge G v H w) None k (fun x => match x with Some (inr _) => h | _ => g end)); [reflexivity| |].
  - intros x N; assert (x = Some (inl v) \/ x = Some (inr w)) as [-> | ->]
      by (destruct N as [N|N]; simpl in N; intuition).
    + now apply (embedding_halves G (wedge G v H w) (fun y => Some (inl y))).
    + now apply (embedding_halves H (wedge G v H w) (fun y => Some (inr y))).
  - simpl; destruct (Nat.leb_spec g h), (Nat.leb_spec h g);
      rewrite ?(proj2 (Nat.leb_le _ _)), ?(proj2 (Nat.leb_gt _ _)) by lia; repeat f_equal; lia.
Qed.

Theorem wedge_critical G v H w (r q : Q) :
  critical G v r -> critical H w q -> critical (wedge G v H w) None ((r + q) * (1#2)).
Proof.
  intros CG CH.
  pose (R := fun x : position (wedge G v H w) => match x with Some (inr _) => q | _ => r end).
  assert (N : forall x, next (wedge G v H w) None x -> critical (wedge G v H w) x (R x)).
  { intros x N; assert (x = Some (inl v) \/ x = Some (inr w)) as [-> | ->]
      by (destruct N as [N|N]; simpl in N; intuition).
    - now apply (embedding_critical G (wedge G v H w) (fun y => Some (inl y))).
    - now apply (embedding_critical H (wedge G v H w) (fun y => Some (inr y))). }
  destruct (sides Qle_bool (map R (moves (wedge G v H w) Alice None)) (map R (moves (wedge G v H w) Bob None)))
    as [[lo hi]|] eqn:S.
  - pose proof (critical_mean (wedge G v H w) None R lo hi eq_refl N S) as C.
    revert C; apply critical_compat; simpl in S.
    destruct (Qle_bool q r) eqn:E1, (Qle_bool r q) eqn:E2; rewrite ?E1, ?E2 in S;
      try (pose proof (Qle_bool_total _ _ E1)); try (pose proof (Qle_bool_total _ _ E2));
      rewrite ?E1, ?E2, ?(le_refl Qle_bool Qle_bool_total) in S; injection S as <- <-;
      rewrite ?Qle_bool_iff in *; lra.
  - destruct (sides_none _ _ _ _ S); discriminate.
Qed.

(** ** A^n and B^n

    In [power p] the position [Some n] is the game that [p] wins if he makes
    any of the next n moves, and the other wins otherwise; at [None] he has won. *)

Definition power (p : player) : game := {|
  position := option nat;
  moves q x :=
    match x with
    | Some (S n) => if same p q then [None] else [Some n]
    | _ => []
    end;
  winner x :=
    match x with
    | None => Some p
    | Some O => Some (other p)
    | _ => None
    end
|}.

Definition A_ (n : nat) : position (power Alice) := Some n.
Definition B_ (n : nat) : position (power Bob) := Some n.

Lemma halve x n : x / 2 ^ S n = x / 2 ^ n / 2.
Proof.
  assert (2 ^ n <> 0) by (apply Nat.pow_nonzero; lia).
  rewrite Nat.pow_succ_r', Nat.mul_comm, Nat.div_div by lia; reflexivity.
Qed.

Lemma quotient_le x n : x / 2 ^ n <= x.
Proof. assert (2 ^ n <> 0) by (apply Nat.pow_nonzero; lia); apply Nat.div_le_upper_bound; nia. Qed.

Theorem A_halves n k : critical_halves (power Alice) (A_ n) k ((2 * k + 2) / 2 ^ n).
Proof.
  unfold A_; induction n as [|n IH].
  - rewrite Nat.pow_0_r, Nat.div_1_r; replace (2 * k + 2) with (2 * (k + 1)) by lia.
    now apply critical_at_other_ends.
  - replace ((2 * k + 2) / 2 ^ S n) with (richman_mean 0 ((2 * k + 2) / 2 ^ n)) by now rewrite halve.
    apply (richman_calculus (power Alice) (Some (S n)) k
      (fun x => match x with None => 0 | Some _ => (2 * k + 2) / 2 ^ n end)); [reflexivity| |reflexivity].
    intros x N; assert (x = None \/ x = Some n) as [-> | ->] by (destruct N as [N|N]; simpl in N; intuition);
      [now apply critical_at_alices_win | exact IH].
Qed.

Theorem B_halves n k : critical_halves (power Bob) (B_ n) k (2 * k + 2 - (2 * k + 2) / 2 ^ n).
Proof.
  unfold B_; induction n as [|n IH].
  - rewrite Nat.pow_0_r, Nat.div_1_r, Nat.sub_diag; now apply critical_at_alices_win.
  - replace (2 * k + 2 - (2 * k + 2) / 2 ^ S n)
      with (richman_mean (2 * k + 2 - (2 * k + 2) / 2 ^ n) (2 * (k + 1))).
    + apply (richman_calculus (power Bob) (Some (S n)) k
        (fun x => match x with None => 2 * (k + 1) | Some _ => 2 * k + 2 - (2 * k + 2) / 2 ^ n end)); [reflexivity| |].
      * intros x N; assert (x = None \/ x = Some n) as [-> | ->] by (destruct N as [N|N]; simpl in N; intuition);
          [now apply critical_at_other_ends | exact IH].
      * cbn [moves power same map sides least greatest]; generalize ((2 * k + 2) / 2 ^ n); intro q;
        rewrite (proj2 (Nat.leb_le _ _)) by lia; reflexivity.
    + rewrite halve; unfold richman_mean; pose proof (quotient_le (2 * k + 2) n).
      set (q := (2 * k + 2) / 2 ^ n) in *; clearbody q.
      lia.
Qed.

(** Example 3.3: against an empty purse Alice wins B^n with x* chips if and
    only if x >= 2^(n-1) - 1, and with x chips if and only if x >= 2^n - 1. *)
Theorem example_3_3 n x : n <> 0 ->
  (forces (with_chips (power Bob) develin_payne) Alice (State (B_ n) x 0 Alice) <-> 2 ^ (n - 1) - 1 <= x) /\
  (forces (with_chips (power Bob) develin_payne) Alice (State (B_ n) x 0 Bob) <-> 2 ^ n - 1 <= x).
Proof.
  intro Hn; destruct (B_halves n x) as [_ C].
  assert (P : 2 ^ (n - 1) <> 0) by (apply Nat.pow_nonzero; lia).
  assert (D : 2 ^ n = 2 * 2 ^ (n - 1)) by (rewrite <- Nat.pow_succ_r'; f_equal; lia).
  pose proof (quotient_le (2 * x + 2) n).
  pose proof (Nat.div_mod (2 * x + 2) (2 ^ n) ltac:(lia)) as E.
  pose proof (Nat.mod_upper_bound (2 * x + 2) (2 ^ n) ltac:(lia)).
  set (q := (2 * x + 2) / 2 ^ n) in *; set (r := (2 * x + 2) mod 2 ^ n) in *; clearbody q r.
  set (M := 2 ^ (n - 1)) in *; clearbody M; rewrite D in *; clear D.
  split.
  1: destruct (C (State (B_ n) x 0 Alice) eq_refl (Nat.add_0_r x)) as [F N].
  2: destruct (C (State (B_ n) x 0 Bob) eq_refl (Nat.add_0_r x)) as [F N].
  all: unfold half_chips in *; simpl purse in *; simpl same in *; cbv iota in *; split; intro W.
  1,3: apply (forces_avoids _ Alice _ (with_chips_proper _ _)) in W;
       match goal with |- ?A <= ?B => destruct (Nat.le_gt_cases A B); [assumption|] end;
       contradict W; apply N; nia.
  1,2: apply F; nia.
Qed.

(** With real money (Goodfellow, Theorem 2, for B^n). *)

Fixpoint half_to (n : nat) : Q := match n with O => 1 | S n => (half_to n * (1#2))%Q end.

Lemma half_to_bounds n : (0 <= half_to n <= 1)%Q.
Proof. induction n; simpl; lra. Qed.

Theorem A_critical n : critical (power Alice) (A_ n) (half_to n).
Proof.
  unfold A_; induction n as [|n IH].
  - exact (critical_at_ends (power Alice) (Some 0) eq_refl).
  - apply critical_compat with ((0 + half_to n) * (1#2))%Q; [simpl; lra|].
    apply (critical_mean (power Alice) (Some (S n)) (fun x => match x with None => 0%Q | Some _ => half_to n end)); [reflexivity| |].
    + intros x N; assert (x = None \/ x = Some n) as [-> | ->] by (destruct N as [N|N]; simpl in N; intuition);
        [exact (critical_at_ends (power Alice) None eq_refl) | exact IH].
    + cbn [moves power same map sides least greatest]; rewrite (proj2 (Qle_bool_iff _ _)); [reflexivity|].
      apply half_to_bounds.
Qed.

Theorem B_critical n : critical (power Bob) (B_ n) (1 - half_to n).
Proof.
  unfold B_; induction n as [|n IH].
  - exact (critical_at_ends (power Bob) (Some 0) eq_refl).
  - apply critical_compat with ((1 - half_to n + 1) * (1#2))%Q; [simpl; lra|].
    apply (critical_mean (power Bob) (Some (S n)) (fun x => match x with None => 1%Q | Some _ => 1 - half_to n end)%Q); [reflexivity| |].
    + intros x N; assert (x = None \/ x = Some n) as [-> | ->] by (destruct N as [N|N]; simpl in N; intuition);
        [exact (critical_at_ends (power Bob) None eq_refl) | exact IH].
    + cbn [moves power same map sides least greatest]; rewrite (proj2 (Qle_bool_iff _ _)); [reflexivity|].
      pose proof (half_to_bounds n); lra.
Qed.

(** ** Equivalences

    Two games are equivalent if their critical thresholds agree for all k
    (Develin & Payne, section 5). *)

Definition equivalent (G : game) (v : position G) (H : game) (w : position H) : Prop :=
  forall k h, critical_halves G v k h <-> critical_halves H w k h.

Lemma equivalent_if G v H w (h : nat -> nat) :
  (forall k, critical_halves G v k (h k)) -> (forall k, critical_halves H w k (h k)) -> equivalent G v H w.
Proof.
  intros CG CH k x; split; intro C.
  - now rewrite (critical_halves_unique _ _ _ _ _ C (CG k)).
  - now rewrite (critical_halves_unique _ _ _ _ _ C (CH k)).
Qed.

(** The game E, which the next to move wins, is A^1. *)
Definition E_ : position (power Alice) := A_ 1.

Theorem E_f k : f_is (power Alice) E_ k (if Nat.odd k then Chip ((k + 1) / 2) else Star (k / 2)).
Proof.
  unfold f_is; replace (halves _) with ((2 * k + 2) / 2 ^ 1); [apply A_halves|].
  replace (2 * k + 2) with ((k + 1) * 2) by lia; rewrite Nat.pow_1_r, Nat.div_mul by lia.
  destruct (Nat.odd k) eqn:O.
  - apply Nat.odd_spec in O; destruct O as [m ->]; unfold halves.
    replace (2 * m + 1 + 1) with ((m + 1) * 2) by lia; rewrite Nat.div_mul; lia.
  - assert (X : Nat.even k = true) by (now rewrite <- Nat.negb_odd, O).
    apply Nat.even_spec in X; destruct X as [m ->]; unfold halves.
    rewrite (Nat.mul_comm 2 m), Nat.div_mul; lia.
Qed.

(** A^(n+1) is equivalent to the wedge sum of A and A^n; here A is B^0. *)
Theorem A_wedge n : equivalent (power Alice) (A_ (S n)) (wedge (power Bob) (B_ 0) (power Alice) (A_ n)) None.
Proof.
  apply (equivalent_if _ _ _ _ (fun k => (2 * k + 2) / 2 ^ S n)); intro k; [apply A_halves|].
  pose proof (wedge_halves _ _ _ _ k _ _ (B_halves 0 k) (A_halves n k)) as W.
  rewrite Nat.pow_0_r, Nat.div_1_r, Nat.sub_diag, Nat.min_0_l, Nat.max_0_l in W.
  now rewrite halve.
Qed.

(** B^(n+1) is equivalent to the wedge sum of B^n and B; here B is A^0. *)
Theorem B_wedge n : equivalent (power Bob) (B_ (S n)) (wedge (power Bob) (B_ n) (power Alice) (A_ 0)) None.
Proof.
  apply (equivalent_if _ _ _ _ (fun k => 2 * k + 2 - (2 * k + 2) / 2 ^ S n)); intro k; [apply B_halves|].
  pose proof (wedge_halves _ _ _ _ k _ _ (B_halves n k) (A_halves 0 k)) as W.
  rewrite Nat.pow_0_r, Nat.div_1_r in W; rewrite halve.
  pose proof (quotient_le (2 * k + 2) n); unfold richman_mean in W.
  set (q := (2 * k + 2) / 2 ^ n) in *; clearbody q.
  rewrite Nat.min_l, Nat.max_r in W by lia.
  replace (2 * k + 2 - q / 2) with ((2 * k + 2 - q + 1) / 2 + (2 * k + 2) / 2); [exact W|].
  lia.
Qed.

(** Where H is as good for Bob as G is for Alice, as the conjugate of a game
    without draws is, their wedge sum is equivalent to E.  (The text of Develin
    & Payne that we read says "E and G wedge G for any game G": the bar over the
    second G is lost, without which it is false, for A wedge A is A.) *)
Lemma mean_conjugate k h : h <= 2 * k + 2 -> richman_mean (min h (2 * k + 2 - h)) (max h (2 * k + 2 - h)) = k + 1.
Proof.
  intro H; unfold richman_mean.
  set (m := min h (2 * k + 2 - h)); replace (max h (2 * k + 2 - h)) with (2 * k + 2 - m) by lia.
  assert (m <= 2 * k + 2) by lia; clearbody m.
  lia.
Qed.

Theorem wedge_conjugate G v H w (h : nat -> nat) :
  (forall k, critical_halves G v k (h k)) -> (forall k, critical_halves H w k (2 * k + 2 - h k)) ->
  equivalent (wedge G v H w) None (power Alice) E_.
Proof.
  intros CG CH; apply (equivalent_if _ _ _ _ (fun k => k + 1)); intro k.
  - pose proof (wedge_halves _ _ _ _ k _ _ (CG k) (CH k)) as W; rewrite mean_conjugate in W; [exact W|].
    destruct (CG k) as [B _]; lia.
  - replace (k + 1) with ((2 * k + 2) / 2 ^ 1); [apply A_halves|].
    replace (2 * k + 2) with ((k + 1) * 2) by lia; now rewrite Nat.pow_1_r, Nat.div_mul.
Qed.

Corollary A_wedge_B n : equivalent (wedge (power Alice) (A_ n) (power Bob) (B_ n)) None (power Alice) E_.
Proof. exact (wedge_conjugate _ _ _ _ _ (A_halves n) (B_halves n)). Qed.

(** ** Theorem 3.7 as printed fails in zugzwang

    Alice can only move to E, Bob only to a win of Alice.  With two chips f_A
    is 1* and f_B is 0.  The printed formula gives 1, but 0* is enough: Alice
    bids 0 and makes Bob move. *)

Inductive zugzwang_position := Zugzwang | Even | Win | Loss.

Definition zugzwang : game := {|
  position := zugzwang_position;
  moves p v :=
    match v, p with
    | Zugzwang, Alice => [Even] | Zugzwang, Bob => [Win]
    | Even, Alice => [Win] | Even, Bob => [Loss]
    | _, _ => []
    end;
  winner v := match v with Win => Some Alice | Loss => Some Bob | _ => None end
|}.

Lemma zugzwang_even : f_is zugzwang Even 2 (Star 1).
Proof.
  apply (richman_calculus zugzwang Even 2 (fun v => match v with Win => 0 | _ => 6 end) 0 6); [reflexivity| |reflexivity].
  intros x N; assert (x = Win \/ x = Loss) as [-> | ->] by (destruct N as [N|N]; simpl in N; intuition).
  - now apply critical_at_alices_win.
  - now apply (critical_at_other_ends zugzwang Loss 2).
Qed.

Theorem theorem_3_7_fails_in_zugzwang :
  f_is zugzwang Even 2 (Star 1) /\ f_is zugzwang Win 2 (Chip 0) /\
  f_is zugzwang Zugzwang 2 (Star 0) /\ ~ f_is zugzwang Zugzwang 2 (printed_formula (Star 1) (Chip 0)).
Proof.
  assert (W : f_is zugzwang Win 2 (Chip 0)) by now apply critical_at_alices_win.
  assert (Z : f_is zugzwang Zugzwang 2 (Star 0)).
  { apply (richman_calculus zugzwang Zugzwang 2 (fun v => match v with Win => 0 | _ => 3 end) 0 3); [reflexivity| |reflexivity].
    intros x N; assert (x = Even \/ x = Win) as [-> | ->] by (destruct N as [N|N]; simpl in N; intuition).
    - exact zugzwang_even.
    - exact W. }
  refine (conj zugzwang_even (conj W (conj Z _))).
  intro C; pose proof (f_unique _ _ _ _ _ Z C) as X; discriminate X.
Qed.

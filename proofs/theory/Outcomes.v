(** * Outcomes

    Who wins from one state: "Alice forces a win", "Bob forces a win", or a
    draw, where each of the two avoids the other's win.  Both come from listed
    certificates; what Bob forces or Alice avoids, from one of the conjugate
    game.  And two games compared at a given number of chips (Develin & Payne,
    section 5). *)

From Coq Require Import List Bool Arith NArith Lia.
From Proofs Require Import Games Play Chips Decide Listings Certificates Conjugate.
Import ListNotations.

Definition half_chips_of (a : nat) (h : player) : nat := 2 * a + (if same h Alice then 1 else 0).

(** ** By Theorem 3.7 *)

Section ByThresholds.
  Context {G : game} `{Code (position G)}.
  Variables (k : N) (l : table (position G) stairs) (v : position G) (f : N).
  Hypothesis checked : thresholds_check k l v f = true.

  Lemma alice_forces a b h : a + b = N.to_nat k -> (N.to_nat f <=? half_chips_of a h) = true ->
    forces (with_chips G develin_payne) Alice (State v a b h).
  Proof.
    intros K L; apply Nat.leb_le in L; destruct (thresholds_sound k l v f checked) as [_ T].
    destruct (T (State v a b h) eq_refl K) as [F _]; apply F; exact L.
  Qed.

  Lemma bob_avoids a b h : a + b = N.to_nat k -> (half_chips_of a h <? N.to_nat f) = true ->
    avoids (with_chips G develin_payne) Bob (State v a b h).
  Proof.
    intros K L; apply Nat.ltb_lt in L; destruct (thresholds_sound k l v f checked) as [_ T].
    destruct (T (State v a b h) eq_refl K) as [_ N]; apply N; exact L.
  Qed.
End ByThresholds.

Section ByConjugateThresholds.
  Context {G : game} `{Code (position (conjugate G))}.
  Variables (k : N) (l : table (position (conjugate G)) stairs) (v : position G) (f : N).
  Hypothesis checked : thresholds_check (G := conjugate G) k l v f = true.

  Lemma bob_forces a b h : b + a = N.to_nat k -> (N.to_nat f <=? half_chips_of b (other h)) = true ->
    forces (with_chips G develin_payne) Bob (State v a b h).
  Proof.
    intros K L; pose proof (alice_forces k l v f checked b a (other h) K L) as F.
    apply forces_conjugate in F; now rewrite other_other in F.
  Qed.

  Lemma alice_avoids a b h : b + a = N.to_nat k -> (half_chips_of b (other h) <? N.to_nat f) = true ->
    avoids (with_chips G develin_payne) Alice (State v a b h).
  Proof.
    intros K L; pose proof (bob_avoids k l v f checked b a (other h) K L) as F.
    apply avoids_conjugate in F; now rewrite other_other in F.
  Qed.
End ByConjugateThresholds.

(** ** By all bids *)

Definition rank_of {G : game} `{Code (position G)} (k : nat) (l : table (position G) ranks)
    (v : position G) (a b : nat) (h : player) : option N :=
  if Nat.eqb (a + b) k then
    match look l v with Some d => Some (rank_at d a h) | None => None end
  else None.

Definition is_won (n : option N) : bool := match n with Some (N.pos _) => true | _ => false end.
Definition is_held (n : option N) : bool := match n with Some 0%N => true | _ => false end.

Section ByAllBids.
  Context {G : game} `{Code (position G)}.
  Variables (r : rules) (k : nat) (l : table (position G) ranks).
  Hypothesis checked : all_hold (outcomes_ok r k) l = true.

  Lemma rank_of_spec v a b h n : rank_of k l v a b h = Some n ->
    inside k l (State v a b h) /\ rank_in (look l) (State v a b h) = n.
  Proof.
    unfold rank_of; destruct (Nat.eqb_spec (a + b) k) as [E|]; [|discriminate].
    destruct (look l v) as [d|] eqn:D; [|discriminate]; intros [= <-].
    unfold inside, listed, rank_in; simpl; rewrite D; repeat split; auto; discriminate.
  Qed.

  Lemma alice_forces_all v a b h : is_won (rank_of k l v a b h) = true ->
    forces (with_chips G r) Alice (State v a b h).
  Proof.
    destruct (rank_of k l v a b h) as [[|n]|] eqn:E; try discriminate; intros _.
    destruct (rank_of_spec _ _ _ _ _ E) as [I R]; apply (outcomes_win r k l checked); [exact I|].
    intro Z; rewrite Z in R; discriminate.
  Qed.

  Lemma bob_avoids_all v a b h : is_held (rank_of k l v a b h) = true ->
    avoids (with_chips G r) Bob (State v a b h).
  Proof.
    destruct (rank_of k l v a b h) as [[|n]|] eqn:E; try discriminate; intros _.
    destruct (rank_of_spec _ _ _ _ _ E) as [I R]; now apply (outcomes_draw r k l checked).
  Qed.
End ByAllBids.

Section ByConjugateBids.
  Context {G : game} `{Code (position (conjugate G))}.
  Variables (r : rules) (k : nat) (l : table (position (conjugate G)) ranks).
  Hypothesis checked : all_hold (outcomes_ok (G := conjugate G) r k) l = true.

  Lemma bob_forces_all (v : position G) a b h :
    is_won (rank_of (G := conjugate G) k l v b a (other h)) = true ->
    forces (with_chips G r) Bob (State v a b h).
  Proof.
    intro E; pose proof (alice_forces_all r k l checked v b a (other h) E) as F.
    apply forces_conjugate in F; now rewrite other_other in F.
  Qed.

  Lemma alice_avoids_all (v : position G) a b h :
    is_held (rank_of (G := conjugate G) k l v b a (other h)) = true ->
    avoids (with_chips G r) Alice (State v a b h).
  Proof.
    intro E; pose proof (bob_avoids_all r k l checked v b a (other h) E) as F.
    apply avoids_conjugate in F; now rewrite other_other in F.
  Qed.
End ByConjugateBids.

(** ** Two games

    With [k] chips in all, G is no worse for Alice than H: whatever she wins
    with there, she wins with here; and they are equally good. *)

Definition at_most (k : nat) (G : game) (v : position G) (H : game) (w : position H) : Prop :=
  forall a b h, a + b = k ->
    forces (with_chips H develin_payne) Alice (State w a b h) ->
    forces (with_chips G develin_payne) Alice (State v a b h).

Definition equally_good (k : nat) (G : game) (v : position G) (H : game) (w : position H) : Prop :=
  at_most k G v H w /\ at_most k H w G v.

Theorem at_most_by_f G v H w k x y :
  f_is G v k x -> f_is H w k y -> halves x <= halves y -> at_most k G v H w.
Proof.
  intros [_ CG] [_ CH] L a b h K F.
  destruct (CG (State v a b h) eq_refl K) as [FG _]; apply FG.
  destruct (CH (State w a b h) eq_refl K) as [_ AH].
  destruct (Nat.le_gt_cases (halves y) (half_chips Alice (State w a b h))) as [M|M].
  - apply (Nat.le_trans _ _ _ L M).
  - elim (forces_avoids _ Alice _ (with_chips_proper H develin_payne) F (AH M)).
Qed.

Corollary equally_good_by_f G v H w k x :
  f_is G v k x -> f_is H w k x -> equally_good k G v H w.
Proof. split; eapply at_most_by_f; eauto. Qed.

(** If f(H, k) is smaller, then Alice wins there with chips that are not enough here. *)
Theorem worse_by_f G v H w k x y :
  f_is G v k x -> f_is H w k y -> halves y < halves x -> ~ at_most k G v H w.
Proof.
  intros [BG CG] [_ CH] L M.
  assert (E : exists a h, forall (K : game) (u : position K), half_chips Alice (State u a (k - a) h) = halves y).
  { destruct y as [a | a]; [exists a, Bob | exists a, Alice]; intros; unfold half_chips; simpl; lia. }
  destruct E as (a & h & E); pose proof (E G v) as EG; pose proof (E H w) as EH.
  assert (K : a + (k - a) = k).
  { assert (a <= k); [|lia]; unfold half_chips in EG; simpl in EG; destruct (same h Alice); lia. }
  destruct (CH (State w a (k - a) h) eq_refl K) as [FH _]; specialize (FH ltac:(lia)).
  destruct (CG (State v a (k - a) h) eq_refl K) as [_ AG].
  apply (forces_avoids _ Alice _ (with_chips_proper G develin_payne) (M a (k - a) h K FH)).
  apply AG; lia.
Qed.

(** * Single bids under the tie-breaking advantage

    The states that can follow when a player bids [x] (Develin & Payne, section
    2.3).  Whoever holds the advantage and means to use it wins for [x] or for
    [x] and the advantage, or else is paid at least x + 1.  Whoever does not
    hold it wins for [x], or is paid [x] and the advantage, or at least x + 1. *)

From Coq Require Import List Bool Arith Lia.
From Proofs Require Import Games Play Chips.
Import ListNotations.

Section Bids.
  Context {G : game} (p : player) (s : chips G) (x : nat) (T : chips G -> Prop).
  Hypothesis affordable : x <= purse p s.

  Let wins (h : player) : Prop :=
    after G chooses p p (place s) (fun v => T (settle p x h v s)).
  Let loses (y : nat) (h : player) : Prop :=
    after G chooses p (other p) (place s) (fun v => T (settle (other p) y h v s)).

  Lemma bid_with_advantage : holder s = p ->
    wins p -> wins (other p) -> (forall y, x < y <= purse (other p) s -> loses y p) -> bids develin_payne p s T.
  Proof.
    intros Hh W1 W2 L; exists x; split; [exact affordable|]; intros y Hy.
    unfold lands, verdicts, steers; simpl tie_rule; simpl mover_rule; rewrite Hh, same_refl.
    destruct (Nat.ltb_spec y x); [|destruct (Nat.ltb_spec x y)].
    - exists (p, p); simpl; rewrite same_refl; auto.
    - exists (other p, p); simpl; rewrite other_same; split; [auto|]; apply L; lia.
    - exists (p, other p); simpl; rewrite same_refl; auto.
  Qed.

  Lemma bid_without_advantage : holder s = other p ->
    wins (other p) -> (x <= purse (other p) s -> loses x p) ->
    (forall y, x < y <= purse (other p) s -> loses y (other p)) -> bids develin_payne p s T.
  Proof.
    intros Hh W L1 L2; exists x; split; [exact affordable|]; intros y Hy.
    unfold lands, verdicts, steers; simpl tie_rule; simpl mover_rule; rewrite Hh, same_other.
    destruct (Nat.ltb_spec y x); [|destruct (Nat.ltb_spec x y)]; simpl.
    - intros wh [<-|[]]; rewrite same_refl; exact W.
    - intros wh [<-|[]]; rewrite other_same; apply L2; lia.
    - assert (x = y) as <- by lia; rewrite other_other.
      intros wh [<-|[<-|[]]]; rewrite ?other_same, ?same_refl; [apply L1; lia | exact W].
  Qed.
End Bids.

(** * Random turns

    R(G) = 1 - P(G), where P(G) is the probability that Alice wins when a fair
    coin decides before every move who makes it (Develin & Payne, section 1;
    Lazarus, Loeb, Propp, Stromquist and Ullman).  Proved here for games
    without cycles, or more exactly: for positions from which every play ends
    within some number of moves, as for every position of a finite game
    without cycles. *)

From Coq Require Import List Bool QArith Lia Lqa.
From Proofs Require Import Games Play Money Sides.
Local Open Scope Q_scope.

Definition at_least (x y : Q) : bool := Qle_bool y x.

(** The probability that Alice wins within [n] moves, both playing well.
    Alice moves to the greatest probability, Bob to the least; where only one
    of them can move, [sides] gives his number twice. *)
Fixpoint fair (G : game) (n : nat) (v : position G) : Q :=
  match winner G v with
  | Some Alice => 1
  | Some Bob => 0
  | None =>
      match n with
      | O => 0
      | S n =>
          match sides at_least (map (fair G n) (moves G Alice v)) (map (fair G n) (moves G Bob v)) with
          | Some (best, worst) => (best + worst) * (1#2)
          | None => 0
          end
      end
  end.

(** Every play from [v] ends within [n] moves. *)
Fixpoint lasts (G : game) (n : nat) (v : position G) : Prop :=
  over G v = true \/
  match n with O => False | S n => forall w, next G v w -> lasts G n w end.

Lemma at_least_total x y : at_least x y = false -> at_least y x = true.
Proof.
  unfold at_least; destruct (Qlt_le_dec x y) as [L|L].
  - intros _; apply Qle_bool_iff; lra.
  - apply Qle_bool_iff in L; congruence.
Qed.

Lemma at_least_trans x y z : at_least x y = true -> at_least y z = true -> at_least x z = true.
Proof. unfold at_least; rewrite !Qle_bool_iff; lra. Qed.

Lemma fair_bounds G n v : 0 <= fair G n v <= 1.
Proof.
  revert v; induction n as [|n IH]; intro v; simpl; destruct (winner G v) as [[]|]; try lra.
  destruct (sides _ _ _) as [[b w]|] eqn:E; [|lra].
  destruct (sides_correct at_least at_least_total at_least_trans G (fair G n) v b w E) as [_ A1 A2 B1 B2].
  destruct (after_meet _ _ _ _ _ _ _ A1 B2) as (z1 & Z1 & Z1').
  destruct (after_meet _ _ _ _ _ _ _ A2 B1) as (z2 & Z2 & Z2').
  unfold at_least in *; rewrite Qle_bool_iff in Z1, Z1', Z2, Z2'.
  pose proof (IH z1); pose proof (IH z2); lra.
Qed.

(** With more than 1 - P(G[n]) Alice wins within [n] moves. *)
Theorem forces_fair G n v a :
  0 <= a <= 1 -> 1 - fair G n v < a -> forces (with_money G) Alice (Holds v a).
Proof.
  revert v a; induction n as [|n IH]; intros v a Ha H; simpl in H;
    destruct (winner G v) as [[]|] eqn:Ew; try lra; try now apply forces_won.
  destruct (sides _ _ _) as [[b w]|] eqn:E; [|lra].
  destruct (sides_correct at_least at_least_total at_least_trans G (fair G n) v b w E) as [L A1 A2 B1 B2].
  destruct (after_meet _ _ _ _ _ _ _ A1 B2) as (z1 & Z1 & Z1').
  unfold at_least in *; rewrite Qle_bool_iff in L, Z1, Z1'; pose proof (fair_bounds G n z1).
  destruct (money_turn G Alice (Holds v a) (fun v => 1 - fair G n v) (1 - b) (1 - w)
    (a - (1 - (b + w) * (1#2)))) as (x & Hx & K); simpl; try lra.
  1,2: (eapply after_mono; [|eassumption]); simpl; intros z _; rewrite Qle_bool_iff; lra.
  apply (forces_turn (with_money G) Alice _
    (fun t => 0 <= share t <= 1 /\ 1 - fair G n (spot t) < share t)).
  - exact (over_some _ _ _ _ _ Ew E).
  - exists x; split; [exact Hx|]; intros y Hy; destruct (K y Hy) as [K1 K2].
    split; intro M; [specialize (K1 M) | specialize (K2 M)];
      (eapply after_mono; [|eassumption]); simpl; intros z _ (_ & B & F); lra.
  - intros [z c] [B F]; apply IH; assumption.
Qed.

(** With less Bob prevents it, if the play ends within [n] moves. *)
Theorem avoids_fair G n v a :
  lasts G n v -> 0 <= a <= 1 -> a < 1 - fair G n v -> avoids (with_money G) Bob (Holds v a).
Proof.
  revert v a; induction n as [|n IH]; intros v a Hl Ha H; simpl in H, Hl;
    (destruct (winner G v) as [[]|] eqn:Ew; [lra | |]).
  1,3: apply avoids_over; simpl; [unfold over|]; rewrite Ew; easy.
  1: destruct Hl as [Hl|[]]; apply avoids_over; simpl; [exact Hl | rewrite Ew; easy].
  destruct (sides _ _ _) as [[b w]|] eqn:E.
  2: { destruct (sides_none _ _ _ _ E); apply avoids_over; simpl; [now apply over_none | rewrite Ew; easy]. }
  pose proof (over_some _ _ _ _ _ Ew E) as O; destruct Hl as [Hl|Hl]; [congruence|].
  destruct (sides_correct at_least at_least_total at_least_trans G (fair G n) v b w E) as [L A1 A2 B1 B2].
  destruct (after_meet _ _ _ _ _ _ _ A2 B1) as (z1 & Z1 & Z1').
  unfold at_least in *; rewrite Qle_bool_iff in L, Z1, Z1'; pose proof (fair_bounds G n z1).
  destruct (money_turn G Bob (Holds v a) (fair G n) w b
    (1 - (b + w) * (1#2) - a)) as (x & Hx & K); simpl; try lra.
  1,2: (eapply after_mono; [|eassumption]); simpl; intros z _; rewrite Qle_bool_iff; lra.
  apply (avoids_turn (with_money G) Bob _
    (fun t => lasts G n (spot t) /\ 0 <= share t <= 1 /\ share t < 1 - fair G n (spot t))).
  - exact O.
  - exists x; split; [exact Hx|]; intros y Hy; destruct (K y Hy) as [K1 K2].
    split; intro M; [specialize (K1 M) | specialize (K2 M)];
      (eapply after_mono; [|eassumption]); simpl; intros z _ (N & B & F);
      (split; [exact (Hl _ N) | lra]).
  - intros [z c] (Hz & B & F); apply IH; assumption.
Qed.

Theorem R_is_1_minus_P G n v : lasts G n v -> critical G v (1 - fair G n v).
Proof.
  intro Hl; split; [pose proof (fair_bounds G n v); lra|]; intros a Ha; split; intro H.
  - now apply (forces_fair G n).
  - now apply (avoids_fair G n).
Qed.

(** * Conjugate games

    The conjugate of a game is the game with the players exchanged (Develin &
    Payne, section 2.1).  What a player forces or avoids in it with chips, the
    other does in the game itself with the same chips.  So a certificate of
    Alice's in the conjugate game is one of Bob's in the game. *)

From Coq Require Import List Arith Lia.
From Proofs Require Import Games Play Chips.
Import ListNotations.

Definition conjugate (G : game) : game := {|
  position := position G;
  moves p v := moves G (other p) v;
  winner v := option_map other (winner G v)
|}.

(** ** Arenas with the players exchanged *)

Section Exchange.
  Variables (A B : arena) (f : state A -> state B).
  Hypothesis won_f : forall s, won B (f s) = option_map other (won A s).
  Hypothesis finished_f : forall s, finished B (f s) = finished A s.
  Hypothesis secures_f : forall p s (T : state A -> Prop) (U : state B -> Prop), secures A p s T -> (forall u, T u -> U (f u)) ->
    secures B (other p) (f s) U.

  Lemma forces_exchange p s : forces A p s -> forces B (other p) (f s).
  Proof.
    induction 1 as [s W | s T O S _ IH].
    - apply forces_won; now rewrite won_f, W.
    - apply (forces_turn B _ _ (fun t => forces B (other p) t)); [now rewrite finished_f | | auto].
      exact (secures_f _ _ _ _ S IH).
  Qed.

  Lemma avoids_exchange p s : avoids A p s -> avoids B (other p) (f s).
  Proof.
    intro H; apply (avoids_by_invariant B (other p) (fun t => exists u, t = f u /\ avoids A p u)); [|eauto].
    clear s H; intros s (u & -> & [O W | T O S H]); rewrite finished_f; [left | right]; (split; [exact O|]).
    - rewrite won_f; destruct (won A u) as [q|]; [|discriminate]; simpl; intros [= E].
      apply W; f_equal; destruct p, q; simpl in *; congruence.
    - apply (secures_f _ _ _ _ S); intros w Tw; exists w; auto.
  Qed.
End Exchange.

(** ** Chips *)

Section Chips.
  Variable r : rules.

  (** The state with the chips and the status exchanged. *)
  Definition exchanged {H K : game} (f : position H -> position K) (s : chips H) : chips K :=
    State (f (place s)) (bobs s) (alices s) (other (holder s)).

  Variables (H K : game) (f : position H -> position K).
  Hypothesis moves_f : forall p v, moves K p (f v) = map f (moves H (other p) v).

  Lemma can_move_f p v : can_move K p (f v) = can_move H (other p) v.
  Proof. unfold can_move; rewrite moves_f; now destruct (moves H (other p) v). Qed.

  Lemma verdicts_exchange t h p x y :
    verdicts t (other h) (other p) x y = map (fun '(w, h) => (other w, other h)) (verdicts t h p x y).
  Proof.
    unfold verdicts; destruct (y <? x); [simpl; destruct t, p; reflexivity|].
    destruct (x <? y); [simpl; destruct t, p; reflexivity|].
    destruct t, h; reflexivity.
  Qed.

  Lemma same_exchange p q : same (other p) (other q) = same p q.
  Proof. now destruct p, q. Qed.

  Lemma steers_exchange {X Y} p q (l : list X) (m : list Y) (P : X -> Prop) (Q : Y -> Prop) (R : X -> Y -> Prop) :
    (forall x, In x l -> exists y, In y m /\ R x y) -> (forall y, In y m -> exists x, In x l /\ R x y) ->
    (forall x y, R x y -> P x -> Q y) -> steers p q l P -> steers (other p) (other q) m Q.
  Proof.
    intros L M E; unfold steers; rewrite same_exchange; destruct (same p q).
    - intros (x & I & Px); destruct (L x I) as (y & J & Rxy); eauto.
    - intros A y J; destruct (M y J) as (x & I & Rxy); eauto.
  Qed.

  Lemma after_exchange c p w v (P : position H -> Prop) (Q : position K -> Prop) :
    (forall u, P u -> Q (f u)) -> after H c p w v P -> after K c (other p) (other w) (f v) Q.
  Proof.
    intros E; unfold after.
    assert (M : forall q, In q (movers K c (other w) (f v)) <-> In (other q) (movers H c w v)).
    { intro q; unfold movers; destruct c.
      - rewrite !filter_In, can_move_f; simpl; destruct q; simpl; intuition.
      - rewrite can_move_f, other_other; destruct (can_move H w v); simpl; destruct q, w; simpl; intuition congruence. }
    apply (steers_exchange _ _ _ _ _ _ (fun x y => y = other x)).
    - intros x I; exists (other x); rewrite M, other_other; auto.
    - intros y I; exists (other y); rewrite other_other; split; [now apply M | auto].
    - intros x y ->; apply (steers_exchange _ _ _ _ _ _ (fun x y => y = f x)).
      + intros u I; exists (f u); rewrite moves_f, other_other; split; [now apply in_map | auto].
      + intros u I; rewrite moves_f, other_other in I; apply in_map_iff in I; destruct I as (z & <- & I); eauto.
      + intros u z -> Pu; auto.
  Qed.

  Lemma bids_exchange p s (T : chips H -> Prop) (U : chips K -> Prop) :
    bids r p s T -> (forall u, T u -> U (exchanged f u)) -> bids r (other p) (exchanged f s) U.
  Proof.
    intros (x & X & B) E; exists x; split; [destruct p; exact X|]; intros y Y.
    assert (Y' : y <= purse (other p) s) by (destruct p; exact Y).
    specialize (B y Y'); revert B; unfold lands; simpl; rewrite verdicts_exchange.
    apply (steers_exchange _ _ _ _ _ _ (fun a b => b = (other (fst a), other (snd a)))).
    - intros [w h] I; exists (other w, other h); split; [|reflexivity].
      apply in_map_iff; exists (w, h); auto.
    - intros [w h] I; apply in_map_iff in I; destruct I as ([w' h'] & E' & I); exists (w', h'); auto.
    - intros [w h] [w' h'] [= -> ->]; simpl; rewrite same_exchange; apply after_exchange; intros v Tv.
      apply E in Tv; unfold exchanged in Tv; destruct w; exact Tv.
  Qed.

  Hypothesis winner_f : forall v, winner K (f v) = option_map other (winner H v).

  Lemma over_f v : over K (f v) = over H v.
  Proof.
    unfold over; rewrite winner_f, !can_move_f; destruct (winner H v); simpl; [reflexivity|].
    now destruct (can_move H Alice v), (can_move H Bob v).
  Qed.

  Lemma forces_exchanged p s : forces (with_chips H r) p s -> forces (with_chips K r) (other p) (exchanged f s).
  Proof.
    apply (forces_exchange (with_chips H r) (with_chips K r) (exchanged f)); simpl; intros; auto using over_f.
    eapply bids_exchange; eassumption.
  Qed.

  Lemma avoids_exchanged p s : avoids (with_chips H r) p s -> avoids (with_chips K r) (other p) (exchanged f s).
  Proof.
    apply (avoids_exchange (with_chips H r) (with_chips K r) (exchanged f)); simpl; intros; auto using over_f.
    eapply bids_exchange; eassumption.
  Qed.
End Chips.

Theorem forces_conjugate (G : game) r p (v : position G) a b h :
  forces (with_chips (conjugate G) r) p (State (G := conjugate G) v a b h) ->
  forces (with_chips G r) (other p) (State v b a (other h)).
Proof.
  apply (forces_exchanged r (conjugate G) G (fun v => v)); simpl; intros.
  - now rewrite other_other, map_id.
  - now destruct (winner G v0) as [[]|].
Qed.

Theorem avoids_conjugate (G : game) r p (v : position G) a b h :
  avoids (with_chips (conjugate G) r) p (State (G := conjugate G) v a b h) ->
  avoids (with_chips G r) (other p) (State v b a (other h)).
Proof.
  apply (avoids_exchanged r (conjugate G) G (fun v => v)); simpl; intros.
  - now rewrite other_other, map_id.
  - now destruct (winner G v0) as [[]|].
Qed.

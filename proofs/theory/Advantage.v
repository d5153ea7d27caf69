(** * The value of the tie-breaking advantage

    Lemmas 3.1 and 3.2 of Develin & Payne: the advantage never hurts, and it is
    worth less than a chip.  Both say that half a chip more never hurts, when a
    and a* are counted as 2a and 2a + 1 half chips; so for every position the
    winning numbers of half chips are all those from some threshold on.

    This holds for all games, in zugzwang too, since the winner of a bid may
    make the other move; not so under the convention [must_move]. *)

From Coq Require Import List Bool Arith Lia.
From Proofs Require Import Games Play Chips Sides Richman Bids.
Import ListNotations.

(** To win the bid is no worse than to lose it, at the same price. *)
Lemma win_no_worse G p v (P : position G -> Prop) : over G v = false ->
  after G chooses p (other p) v P -> after G chooses p p v P.
Proof.
  unfold after, steers; rewrite same_other, same_refl; intros O H.
  destruct (movers G chooses (other p) v) as [|q l] eqn:E.
  - unfold movers in E; simpl in E; unfold over in O.
    destruct (winner G v), (can_move G Alice v), (can_move G Bob v); discriminate.
  - exists q; replace (movers G chooses p v) with (q :: l) by (rewrite <- E; reflexivity).
    split; [now left|]; apply H; now left.
Qed.

Section Wealth.
  Context {G : game}.

  (** The states with the same position and at least as many half chips. *)
  Definition upward (p : player) (T : chips G -> Prop) (t : chips G) : Prop :=
    exists s, T s /\ place t = place s /\ alices t + bobs t = alices s + bobs s /\
      half_chips p s <= half_chips p t.

  Variables (p : player) (s s' : chips G) (T : chips G -> Prop).
  Hypothesis open : over G (place s) = false.
  Hypothesis same_place : place s' = place s.
  Hypothesis same_total : alices s' + bobs s' = alices s + bobs s.
  Hypothesis richer : half_chips p s' = half_chips p s + 1.

  (** A price paid or received by [p] at [s'], compared with one at [s]. *)
  Lemma compare w x h w' x' h' u :
    x <= purse w s -> x' <= purse w' s' ->
    (forall v, half_chips p (settle w x h v s) <= half_chips p (settle w' x' h' v s')) ->
    after G chooses p u (place s) (fun v => T (settle w x h v s)) ->
    after G chooses p u (place s') (fun v => upward p T (settle w' x' h' v s')).
  Proof.
    intros Hx Hx' H; rewrite same_place; apply after_mono; intros z _ Hz.
    exists (settle w x h z s); rewrite !place_settle, !total_settle by assumption.
    repeat split; auto.
  Qed.

  Lemma purses q (t : chips G) : purse q t + purse (other q) t = alices t + bobs t.
  Proof. destruct q; simpl; lia. Qed.

  (** What [p] can bring about at [s] by the bid [x], if the other bids [y]. *)
  Section Bid.
    Variable x : nat.
    Hypothesis good : forall y, y <= purse (other p) s -> lands develin_payne p s x y T.

    Let wins (h : player) := after G chooses p p (place s) (fun v => T (settle p x h v s)).
    Let loses (y : nat) (h : player) := after G chooses p (other p) (place s) (fun v => T (settle (other p) y h v s)).

    Lemma outbid y : y < x -> y <= purse (other p) s -> wins (holder s).
    Proof.
      intros L Y; pose proof (good y Y) as B; unfold lands, verdicts, steers in B.
      rewrite (proj2 (Nat.ltb_lt y x) L) in B; simpl in B.
      destruct (same p (holder s)).
      - destruct B as (wh & [<-|[]] & B); rewrite same_refl in B; exact B.
      - specialize (B _ (or_introl eq_refl)); cbv beta iota in B; rewrite same_refl in B; exact B.
    Qed.

    Lemma outbidden y : x < y -> y <= purse (other p) s -> loses y (holder s).
    Proof.
      intros L Y; pose proof (good y Y) as B; unfold lands, verdicts, steers in B.
      rewrite (proj2 (Nat.ltb_ge y x)), (proj2 (Nat.ltb_lt x y) L) in B by lia; simpl in B.
      destruct (same p (holder s)).
      - destruct B as (wh & [<-|[]] & B); rewrite other_same in B; exact B.
      - specialize (B _ (or_introl eq_refl)); cbv beta iota in B; rewrite other_same in B; exact B.
    Qed.

    Lemma tie_with : holder s = p -> x <= purse (other p) s -> wins (other p) \/ loses x p.
    Proof.
      intros E Y; pose proof (good x Y) as B; unfold lands, verdicts, steers in B.
      rewrite Nat.ltb_irrefl, E, same_refl in B; simpl in B.
      destruct B as (wh & [<-|[<-|[]]] & B); cbv beta iota in B;
        [left; rewrite same_refl in B | right; rewrite other_same in B]; exact B.
    Qed.

    Lemma tie_without : holder s = other p -> x <= purse (other p) s -> loses x p /\ wins (other p).
    Proof.
      intros E Y; pose proof (good x Y) as B; unfold lands, verdicts, steers in B.
      rewrite Nat.ltb_irrefl, E, same_other in B; simpl in B; rewrite other_other in B; split.
      - specialize (B _ (or_introl eq_refl)); cbv beta iota in B; rewrite other_same in B; exact B.
      - specialize (B _ (or_intror (or_introl eq_refl))); cbv beta iota in B; rewrite same_refl in B; exact B.
    Qed.
  End Bid.

  Ltac price := intros; rewrite ?half_chips_settle, ?same_refl, ?other_same, ?same_other; lia.

  (** To win for nothing what would be good at the loss of the bid. *)
  Lemma free_win (P Q : position G -> Prop) : (forall v, P v -> Q v) ->
    after G chooses p (other p) (place s) P -> after G chooses p p (place s) Q.
  Proof. intros H K; apply win_no_worse; auto; revert K; apply after_mono; auto. Qed.

  Theorem bids_upward : bids develin_payne p s T -> bids develin_payne p s' (upward p T).
  Proof.
    intros (x & Hx & B).
    pose proof (purses p s); pose proof (purses p s'); pose proof richer as R; unfold half_chips in R.
    destruct (player_cases p (holder s)) as [E|E], (player_cases p (holder s')) as [E'|E'];
      rewrite E, E', ?same_refl, ?other_same in R; try lia.
    - (* A chip instead of the advantage. *)
      destruct (Nat.le_gt_cases x (purse (other p) s)) as [Y|Y].
      + destruct (tie_with x B E Y) as [W | L].
        * (* The advantage was to be used: bid one chip more. *)
          apply bid_without_advantage with (x + 1); [lia | exact E' | | |].
          -- apply (compare p x (other p)); [lia | lia | price | exact W].
          -- intro Z; apply (compare (other p) (x + 1) p); [lia | lia | price |].
             generalize (outbidden x B (x + 1) ltac:(lia) ltac:(lia)); now rewrite E.
          -- intros y Z; apply (compare (other p) y p); [lia | lia | price |].
             generalize (outbidden x B y ltac:(lia) ltac:(lia)); now rewrite E.
        * (* It was not: bid as before. *)
          apply bid_without_advantage with x; [lia | exact E' | | |].
          -- destruct (Nat.eq_dec x 0) as [->|N].
             ++ rewrite same_place; revert L; apply free_win; intros v Hv.
                exists (settle (other p) 0 p v s); rewrite !place_settle, !total_settle by lia.
                repeat split; auto; price.
             ++ apply (compare p x p); [lia | lia | price |].
                generalize (outbid x B 0 ltac:(lia) ltac:(lia)); now rewrite E.
          -- intro Z; apply (compare (other p) x p); [lia | lia | price | exact L].
          -- intros y Z; apply (compare (other p) y p); [lia | lia | price |].
             generalize (outbidden x B y ltac:(lia) ltac:(lia)); now rewrite E.
      + (* The other cannot match the bid. *)
        apply bid_without_advantage with x; [lia | exact E' | | |]; try (intros; lia).
        apply (compare p x p); [lia | lia | price |].
        generalize (outbid x B (purse (other p) s) ltac:(lia) ltac:(lia)); now rewrite E.
    - (* The advantage as well: use it. *)
      apply bid_with_advantage with x; [lia | exact E' | | |].
      + destruct (Nat.le_gt_cases x (purse (other p) s)) as [Y|Y].
        * apply (compare p x (other p)); [lia | lia | price | apply (tie_without x B E Y)].
        * apply (compare p x (other p)); [lia | lia | price |].
          generalize (outbid x B (purse (other p) s) ltac:(lia) ltac:(lia)); now rewrite E.
      + destruct (Nat.le_gt_cases x (purse (other p) s)) as [Y|Y].
        * apply (compare p x (other p)); [lia | lia | price | apply (tie_without x B E Y)].
        * apply (compare p x (other p)); [lia | lia | price |].
          generalize (outbid x B (purse (other p) s) ltac:(lia) ltac:(lia)); now rewrite E.
      + intros y Z; apply (compare (other p) y (other p)); [lia | lia | price |].
        generalize (outbidden x B y ltac:(lia) ltac:(lia)); now rewrite E.
  Qed.
End Wealth.

(** ** More never hurts *)

(** Half a chip less for [p]. *)
Definition half_less {G} (p : player) (s : chips G) : chips G :=
  if same (holder s) p then State (place s) (alices s) (bobs s) (other p)
  else match p with
       | Alice => State (place s) (alices s - 1) (bobs s + 1) Alice
       | Bob => State (place s) (alices s + 1) (bobs s - 1) Bob
       end.

Lemma half_less_spec {G} p (s : chips G) : half_chips p s <> 0 ->
  place (half_less p s) = place s /\ alices (half_less p s) + bobs (half_less p s) = alices s + bobs s /\
  half_chips p s = half_chips p (half_less p s) + 1.
Proof.
  destruct s as [v a b h]; unfold half_less, half_chips; destruct h, p; simpl; intro; repeat split; lia.
Qed.

Lemma bids_up {G} p (s : chips G) T d : over G (place s) = false -> bids develin_payne p s T ->
  forall s', place s' = place s -> alices s' + bobs s' = alices s + bobs s ->
    half_chips p s' = half_chips p s + d -> bids develin_payne p s' (upward p T).
Proof.
  intros O B; induction d as [|d IH]; intros s' P K W.
  - assert (s' = s) as ->.
    { destruct s as [v a b h], s' as [v' a' b' h']; unfold half_chips in W; simpl in *; subst v'.
      destruct p, h, h'; simpl in *; f_equal; lia. }
    revert B; apply bids_mono; intros t Ht; exists t; auto.
  - destruct (half_less_spec p s' ltac:(lia)) as (P1 & K1 & W1).
    assert (B1 : bids develin_payne p (half_less p s') (upward p T)) by (apply IH; [congruence | lia | lia]).
    apply (bids_upward p (half_less p s') s') in B1; [|congruence | congruence | lia | lia].
    revert B1; apply bids_mono; intros t (u & (w & Hw & P2 & K2 & W2) & P3 & K3 & W3).
    exists w; split; [exact Hw|]; repeat split; [congruence | lia | lia].
Qed.

Theorem more_never_hurts {G} p (s s' : chips G) :
  forces (with_chips G develin_payne) p s -> place s' = place s ->
  alices s' + bobs s' = alices s + bobs s -> half_chips p s <= half_chips p s' ->
  forces (with_chips G develin_payne) p s'.
Proof.
  intro F; revert s'; induction F as [s W | s T O S _ IH]; intros s' P K H.
  - apply forces_won; simpl in *; now rewrite P.
  - apply (forces_turn (with_chips G develin_payne) p s' (upward p T)).
    + simpl in *; now rewrite P.
    + apply (bids_up p s T (half_chips p s' - half_chips p s)); auto; lia.
    + intros t (u & Hu & P1 & K1 & H1); exact (IH u Hu t P1 K1 H1).
Qed.

(** The advantage never hurts. *)
Theorem lemma_3_1 G (v : position G) a b :
  forces (with_chips G develin_payne) Alice (State v a b Bob) ->
  forces (with_chips G develin_payne) Alice (State v a b Alice).
Proof. intro F; apply (more_never_hurts Alice _ _ F); simpl; auto; unfold half_chips; simpl; lia. Qed.

(** It is worth less than a chip. *)
Theorem lemma_3_2 G (v : position G) a b :
  forces (with_chips G develin_payne) Alice (State v a (b + 1) Alice) ->
  forces (with_chips G develin_payne) Alice (State v (a + 1) b Bob).
Proof. intro F; apply (more_never_hurts Alice _ _ F); simpl; auto; unfold half_chips; simpl; lia. Qed.

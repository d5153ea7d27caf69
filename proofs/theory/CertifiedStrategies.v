(** * Strategies from certificates

    A listed certificate that passes its check is a strategy: at every state
    look for a bid and for choices that lower the rank, or that stay where the other
    does not win.  These are functions from histories to bids and choices, and
    they are proved to win, or not to lose, against every opponent. *)

From Coq Require Import List Bool Arith NArith Lia.
From Proofs Require Import Games Play Chips Sides Richman Decide Listings Certificates Strategies.
Import ListNotations.
Local Open Scope nat_scope.

(** ** From outcomes, for all rules *)

Section Outcomes.
  Context {G : game} `{Code (position G)}.
  Variables (r : rules) (k : nat) (l : table (position G) ranks).
  Hypothesis checked : all_hold (outcomes_ok r k) l = true.

  Let find := look l.

  (** The claim about a state, if it has [k] chips in all and is listed. *)
  Definition outcome_rank (find : position G -> option ranks) (s : chips G) : option N :=
    if alices s + bobs s =? k then
      match find (place s) with None => None | Some _ => Some (rank_in find s) end
    else None.

  Definition win_rank (find : position G -> option ranks) (s : chips G) : option nat :=
    match outcome_rank find s with Some (Npos n) => Some (Pos.to_nat n) | _ => None end.

  Definition draw_safe (find : position G -> option ranks) (s : chips G) : bool :=
    match outcome_rank find s with Some N0 => true | _ => false end.

  Definition alices_strategy : strategy := by_rank r Alice (win_rank find).
  Definition bobs_strategy : strategy := by_safety r Bob (draw_safe find).

  Lemma outcome_inside s n : outcome_rank find s = Some n -> inside k l s /\ rank_in find s = n.
  Proof.
    unfold outcome_rank, find, inside, listed; destruct (Nat.eqb_spec (alices s + bobs s) k); [|discriminate].
    destruct (look l (place s)) eqn:E; [|discriminate]; intros [= <-]; repeat split; auto; congruence.
  Qed.

  Lemma inside_outcome s : inside k l s -> outcome_rank find s = Some (rank_in find s).
  Proof.
    unfold outcome_rank, find, inside, listed; intros [L ->]; rewrite Nat.eqb_refl.
    now destruct (look l (place s)).
  Qed.

  Theorem alices_strategy_wins s : inside k l s -> rank_in find s <> 0%N -> winning r Alice s alices_strategy.
  Proof.
    intros I R; apply by_rank_wins.
    - clear s I R; intros s n Hs; unfold win_rank in Hs.
      destruct (outcome_rank find s) as [[|m]|] eqn:E; try discriminate; injection Hs as <-.
      destruct (outcome_inside s _ E) as [I R]; destruct (outcomes_state r k l checked s I) as (_ & D & B).
      fold find in D, B; rewrite R in D, B; destruct (over G (place s)) eqn:O.
      + left; destruct (winner G (place s)) as [[]|]; [reflexivity | |]; discriminate (D eq_refl ltac:(discriminate)).
      + right; split; [reflexivity|]; apply bids_b_spec; generalize (proj2 (B eq_refl) ltac:(discriminate)).
        apply bids_mono; intros t (J & Rt & L); unfold lower, win_rank; rewrite E, (inside_outcome t J).
        fold find in Rt, L; destruct (rank_in find t) as [|x]; [easy|]; apply Nat.ltb_lt; lia.
    - unfold win_rank; rewrite (inside_outcome s I); now destruct (rank_in find s).
  Qed.

  Theorem bobs_strategy_never_loses s : inside k l s -> rank_in find s = 0%N -> never_losing r Bob s bobs_strategy.
  Proof.
    intros I R; apply by_safety_never_loses.
    - clear s I R; intros s Hs; unfold draw_safe in Hs.
      destruct (outcome_rank find s) as [[|m]|] eqn:E; try discriminate.
      destruct (outcome_inside s _ E) as [I R]; destruct (outcomes_state r k l checked s I) as (W & _ & B).
      fold find in W, B; rewrite R in W, B; split; [intro X; exact (W X eq_refl)|].
      intro O; apply bids_b_spec; generalize (proj1 (B O) eq_refl); apply bids_mono; intros t [J T].
      unfold draw_safe; rewrite (inside_outcome t J); fold find in T; now rewrite T.
    - unfold draw_safe; rewrite (inside_outcome s I), R; reflexivity.
  Qed.
End Outcomes.

(** ** From thresholds, under the rules of Develin & Payne *)

Section Thresholds.
  Context {G : game} `{Code (position G)}.
  Variables (k : N) (l : table (position G) stairs).
  Hypothesis checked : all_hold (stairs_ok k) l = true.

  Let find := look l.
  Let total := N.to_nat k.

  (** The first stage at which [w] half chips are enough. *)
  Fixpoint stage (st : stairs) (w : N) : option N :=
    match st with
    | [] => None
    | (n, f) :: st => if N.leb f w then Some n else stage st w
    end.

  Definition stage_rank (find : position G -> option stairs) (s : chips G) : option nat :=
    if alices s + bobs s =? total then
      match find (place s) with
      | None => None
      | Some st => option_map N.to_nat (stage st (N.of_nat (half_chips Alice s)))
      end
    else None.

  Definition too_little (find : position G -> option stairs) (s : chips G) : bool :=
    if alices s + bobs s =? total then
      match find (place s) with
      | None => false
      | Some st => N.ltb (N.of_nat (half_chips Alice s)) (final st (never k))
      end
    else false.

  Definition alices_threshold_strategy : strategy := by_rank develin_payne Alice (stage_rank find).
  Definition bobs_threshold_strategy : strategy := by_safety develin_payne Bob (too_little find).

  Lemma stage_in st w n : stage st w = Some n -> exists f, In (n, f) st /\ (f <= w)%N.
  Proof.
    induction st as [|[m f] st IH]; simpl; [discriminate|].
    destruct (N.leb_spec f w); [intros [= ->]; eauto|].
    intro E; destruct (IH E) as (g & I & L); eauto.
  Qed.

  (** What is enough at stage n has a stage of at most n. *)
  Lemma stage_enough st w n c : (enough n st c <= w)%N -> (w < c)%N -> exists m, stage st w = Some m /\ (m <= n)%N.
  Proof.
    revert c; induction st as [|[m f] st IH]; intros c E L; simpl in *; [lia|].
    destruct (N.leb_spec m n); [|lia].
    destruct (N.leb_spec f w); [eauto|]; now apply (IH f).
  Qed.

  Lemma stage_final st w c : (final st c <= w)%N -> (w < c)%N -> stage st w <> None.
  Proof.
    revert c; induction st as [|[m f] st IH]; intros c E L; simpl in *; [lia|].
    destruct (N.leb_spec f w); [discriminate|]; now apply (IH f).
  Qed.

  Lemma wealth_bound (s : chips G) : alices s + bobs s = total -> (N.of_nat (half_chips Alice s) < never k)%N.
  Proof. intro E; pose proof (half_chips_bob s total E); unfold never, total in *; lia. Qed.

  Theorem alices_threshold_strategy_wins (s : chips G) st :
    find (place s) = Some st -> alices s + bobs s = total ->
    (final st (never k) <= N.of_nat (half_chips Alice s))%N ->
    winning develin_payne Alice s alices_threshold_strategy.
  Proof.
    intros F T W; apply by_rank_wins.
    2: { unfold stage_rank; rewrite T, Nat.eqb_refl, F.
         pose proof (stage_final st _ _ W (wealth_bound s T)); now destruct (stage st _). }
    clear s st F T W; intros s n Hs; unfold stage_rank in Hs.
    destruct (Nat.eqb_spec (alices s + bobs s) total) as [T|]; [|discriminate].
    destruct (find (place s)) as [st|] eqn:F; [|discriminate].
    destruct (stage st (N.of_nat (half_chips Alice s))) as [m|] eqn:E; [|discriminate].
    injection Hs as <-; destruct (stage_in _ _ _ E) as (f & I & L).
    assert (Li : listed l (place s)) by (unfold listed; fold find; congruence).
    pose proof (listed_holds no_stairs _ l checked _ Li) as C.
    rewrite (claim_look no_stairs l _ _ F) in C; unfold stairs_ok in C.
    destruct (winner G (place s)) as [[]|] eqn:W; [auto | destruct st; [easy | discriminate] |].
    destruct (successors _ (place s)) as [[a b]|] eqn:S; [|discriminate].
    destruct (successors_spec no_stairs l _ a b S) as (Ha & Hb & Hn).
    destruct (every _ st) eqn:V; [|discriminate].
    pose proof (proj1 (every_spec _ _) V (m, f) I) as D; clear C; unfold stair_ok in D; cbv beta iota zeta in D.
    destruct (N.eqb_spec m 0); [discriminate|].
    rewrite Ha, Hb, !map_map in D.
    pose (value := fun u => enough (m - 1)%N (claim no_stairs l u) (never k)).
    destruct (sides N.leb _ _) as [[lo hi]|] eqn:HS; [|discriminate]; apply N.leb_le in D.
    destruct (sides_correct N.leb leb_total leb_trans G value _ lo hi HS) as [O A1 A2 _ _].
    apply N.leb_le in O.
    pose proof (over_some N.leb G value _ _ W HS) as NO.
    right; split; [exact NO|]; apply bids_b_spec.
    assert (B : bids develin_payne Alice s (fun t => next G (place s) (place t) /\
      alices t + bobs t = alices s + bobs s /\ N.to_nat (value (place t)) <= half_chips Alice t)).
    { apply (chips_turn G Alice s (fun u => N.to_nat (value u)) (N.to_nat lo) (N.to_nat hi)); [lia | | |].
      - eapply after_mono; [|exact A1]; cbv beta; intros u _; rewrite N.leb_le; lia.
      - eapply after_mono; [|exact A2]; cbv beta; intros u _; rewrite N.leb_le; lia.
      - rewrite <- mean_nat; lia. }
    revert B; apply bids_mono; intros t (N1 & T1 & E1).
    unfold lower, stage_rank; rewrite T, T1, T, !Nat.eqb_refl, F, E; simpl option_map.
    pose proof (Hn _ N1) as Lt; unfold listed in Lt; fold find in Lt.
    destruct (find (place t)) as [su|] eqn:Ft; [|easy].
    unfold value in E1; rewrite (claim_look no_stairs l _ _ Ft) in E1.
    destruct (stage_enough su (N.of_nat (half_chips Alice t)) (m - 1) (never k)) as (j & -> & Hj);
      [lia | apply wealth_bound; lia |].
    apply Nat.ltb_lt; lia.
  Qed.

  (** The same, with everything that is to be computed in one place. *)
  Definition enough_for_alice (s : chips G) : bool :=
    if alices s + bobs s =? total then
      match find (place s) with
      | Some st => N.leb (final st (never k)) (N.of_nat (half_chips Alice s))
      | None => false
      end
    else false.

  Corollary enough_for_alice_wins s : enough_for_alice s = true ->
    winning develin_payne Alice s alices_threshold_strategy.
  Proof.
    unfold enough_for_alice; destruct (Nat.eqb_spec (alices s + bobs s) total); [|discriminate].
    destruct (find (place s)) as [st|] eqn:F; [|discriminate]; rewrite N.leb_le.
    intro L; exact (alices_threshold_strategy_wins s st F e L).
  Qed.

  Theorem bobs_threshold_strategy_never_loses (s : chips G) st :
    find (place s) = Some st -> alices s + bobs s = total ->
    (N.of_nat (half_chips Alice s) < final st (never k))%N ->
    never_losing develin_payne Bob s bobs_threshold_strategy.
  Proof.
    intros F T W; apply by_safety_never_loses.
    2: { unfold too_little; rewrite T, Nat.eqb_refl, F; now apply N.ltb_lt. }
    clear s st F T W; intros s Hs; unfold too_little in Hs.
    destruct (Nat.eqb_spec (alices s + bobs s) total) as [T|]; [|discriminate].
    destruct (find (place s)) as [st|] eqn:F; [|discriminate].
    apply N.ltb_lt in Hs.
    assert (Li : listed l (place s)) by (unfold listed; fold find; congruence).
    pose proof (listed_holds no_stairs _ l checked _ Li) as C.
    rewrite (claim_look no_stairs l _ _ F) in C; unfold stairs_ok in C; split.
    - cbn [other]; intro W; rewrite W in C; apply N.eqb_eq in C; lia.
    - intro O; pose proof (not_over G _ O) as W; rewrite W in C.
      destruct (successors _ (place s)) as [[a b]|] eqn:S; [|discriminate].
      destruct (successors_spec no_stairs l _ a b S) as (Ha & Hb & Hn).
      destruct (every _ st); [|discriminate].
      rewrite Ha, Hb, !map_map in C.
      pose (value := fun u => final (claim no_stairs l u) (never k)).
      destruct (sides N.leb _ _) as [[lo hi]|] eqn:HS.
      2: { destruct (sides_none N.leb G value _ HS); rewrite over_none in O; auto; discriminate. }
      destruct (N.leb_spec hi (never k)) as [Hhi|]; [|discriminate]; apply N.leb_le in C.
      destruct (sides_correct N.leb leb_total leb_trans G value _ lo hi HS) as [Lo _ _ B1 B2].
      apply N.leb_le in Lo; apply bids_b_spec.
      assert (B : bids develin_payne Bob s (fun t => next G (place s) (place t) /\
        alices t + bobs t = total /\ half_chips Alice t < N.to_nat (value (place t)))).
      { apply (chips_turn_bob G s total (fun u => N.to_nat (value u)) (N.to_nat lo) (N.to_nat hi) T);
          [lia | unfold never, total in *; lia | | |].
        - eapply after_mono; [|exact B1]; cbv beta; intros u _; rewrite N.leb_le; lia.
        - eapply after_mono; [|exact B2]; cbv beta; intros u _; rewrite N.leb_le; lia.
        - rewrite <- mean_nat; lia. }
      revert B; apply bids_mono; intros t (N1 & T1 & E1).
      unfold too_little; rewrite T1, Nat.eqb_refl.
      pose proof (Hn _ N1) as Lt; unfold listed in Lt; fold find in Lt.
      destruct (find (place t)) as [su|] eqn:Ft; [|easy].
      unfold value in E1; rewrite (claim_look no_stairs l _ _ Ft) in E1.
      apply N.ltb_lt; lia.
  Qed.
End Thresholds.

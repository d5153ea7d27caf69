(** * Critical thresholds with real money

    The Richman equations R(v) = (lo + hi) / 2 (Develin & Payne, section 3.3)
    prove that with a smaller share than R(v) Alice does not win, on any graph.
    With a larger share she wins on a graph without cycles; with cycles the
    equations alone prove nothing, for she might never get there.

    So the positions carry ranks.  Let R increase by a tiny amount with the
    rank, U = R + e (1 - 4^-rank).  If the better side always has a smaller
    rank, then U falls in the mean by a fixed amount at every turn, so what
    Alice has beyond U grows by as much, and play must end with her win. *)

From Coq Require Import List Bool QArith Qround ZArith NArith Lia Lqa.
From Proofs Require Import Games Play Money Sides.
Local Open Scope Q_scope.

(** ** Alice wins where a potential falls *)

Section Potential.
  Variables (G : game) (P : position G -> Prop) (U : position G -> Q) (step : Q).
  Hypothesis closed : stays G P.
  Hypothesis step_positive : 0 < step.
  Hypothesis U_nonneg : forall v, P v -> 0 <= U v.
  Hypothesis falls : forall v, P v ->
    winner G v = Some Alice \/ 1 <= U v \/
    (over G v = false /\ exists lo hi, 0 <= lo <= hi /\
      after G chooses Alice Alice v (fun w => U w <= lo) /\
      after G chooses Alice Bob v (fun w => U w <= hi) /\
      (lo + hi) * (1#2) + step <= U v).

  Theorem forces_by_potential v a :
    P v -> 0 <= a <= 1 -> U v < a -> forces (with_money G) Alice (Holds v a).
  Proof.
    intros HP Ha HU.
    pose (n := Z.to_nat (Qceiling (2 / step))).
    assert (Hn : 1 < a - U v + (inject_Z (Z.of_nat n)) * step).
    { assert (E : 2 / step * step == 2) by (field; lra).
      pose proof (Qle_ceiling (2 / step)) as C.
      assert (0 <= 2 / step) by (apply Qle_shift_div_l; lra).
      assert (Z : inject_Z (Z.of_nat n) == inject_Z (Qceiling (2 / step))).
      { unfold n; rewrite Z2Nat.id; [reflexivity|].
        rewrite Zle_Qle; apply Qle_trans with (2 / step); auto. }
      rewrite Z; pose proof (Qmult_le_compat_r _ _ step C ltac:(lra)); lra. }
    clearbody n.
    apply (forces_by_rank (with_money G) Alice (fun n (s : money G) =>
      P (spot s) /\ 0 <= share s <= 1 /\ U (spot s) < share s /\
      1 < share s - U (spot s) + inject_Z (Z.of_nat n) * step)) with n; [|simpl; auto].
    clear v a n HP Ha HU Hn; intros n s (HP & Ha & HU & Hn); simpl.
    destruct (falls (spot s) HP) as [W | [W | (O & lo & hi & B & HA & HB & M)]]; [auto|lra|].
    right; split; [exact O|].
    destruct (money_turn G Alice s U lo hi (share s - U (spot s) + step)) as (x & Hx & H);
      simpl; auto; try lra.
    exists x; split; [exact Hx|]; intros y Hy; destruct (H y Hy) as [H1 H2].
    assert (K : forall t, next G (spot s) (spot t) /\ 0 <= share t <= 1 /\
        U (spot t) + (share s - U (spot s) + step) <= share t ->
        exists m, (m < n)%nat /\ P (spot t) /\ 0 <= share t <= 1 /\ U (spot t) < share t /\
          1 < share t - U (spot t) + inject_Z (Z.of_nat m) * step).
    { intros t (N & Bt & E); pose proof (closed _ _ HP O N) as Pt.
      pose proof (U_nonneg _ HP); pose proof (U_nonneg _ Pt).
      destruct n as [|m].
      - change (inject_Z (Z.of_nat 0)) with 0 in Hn; lra.
      - exists m; rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus in Hn.
        change (inject_Z 1) with 1 in Hn.
        repeat split; auto; try lra; lia. }
    split; intro L; [specialize (H1 L) | specialize (H2 L)];
      (eapply after_mono; [|eassumption]); intros v _; apply K.
  Qed.
End Potential.

(** ** Bob prevents her from winning where the equations hold *)

Section Equations.
  Variables (G : game) (P : position G -> Prop) (R : position G -> Q).
  Hypothesis closed : stays G P.
  Hypothesis equations : forall v, P v ->
    (winner G v = Some Alice -> R v <= 0) /\
    (over G v = false -> exists lo hi, lo <= hi /\ hi <= 1 /\
      after G chooses Bob Bob v (fun w => hi <= R w) /\
      after G chooses Bob Alice v (fun w => lo <= R w) /\
      R v <= (lo + hi) * (1#2)).

  Theorem avoids_by_values v a :
    P v -> 0 <= a <= 1 -> a < R v -> avoids (with_money G) Bob (Holds v a).
  Proof.
    intros HP Ha HR.
    apply (avoids_by_invariant (with_money G) Bob (fun s : money G =>
      P (spot s) /\ 0 <= share s <= 1 /\ share s < R (spot s))); [|simpl; auto].
    clear v a HP Ha HR; intros s (HP & Ha & HR); simpl.
    destruct (equations (spot s) HP) as [W E].
    destruct (over G (spot s)) eqn:O.
    - left; split; [reflexivity|]; intro H; pose proof (W H); lra.
    - right; split; [reflexivity|]; destruct (E eq_refl) as (lo & hi & L & B & HB & HA & M).
      destruct (money_turn G Bob s (fun v => 1 - R v) (1 - hi) (1 - lo) (R (spot s) - share s)) as (x & Hx & H);
        simpl; auto; try lra.
      1,2: (eapply after_mono; [|eassumption]); simpl; intros w _ ?; lra.
      exists x; split; [exact Hx|]; intros y Hy; destruct (H y Hy) as [H1 H2].
      split; intro K; [specialize (H1 K) | specialize (H2 K)];
        (eapply after_mono; [|eassumption]); simpl; intros w _ (N & Bt & Q);
        (split; [exact (closed _ _ HP O N) | lra]).
  Qed.
End Equations.

(** ** One position from its successors: R(v) = (lo + hi) / 2 *)

Lemma Qle_bool_total x y : Qle_bool x y = false -> Qle_bool y x = true.
Proof.
  intro H; apply Qle_bool_iff; destruct (Qlt_le_dec y x) as [L|L]; [lra|].
  apply Qle_bool_iff in L; congruence.
Qed.

Lemma Qle_bool_trans x y z : Qle_bool x y = true -> Qle_bool y z = true -> Qle_bool x z = true.
Proof. rewrite !Qle_bool_iff; lra. Qed.

Theorem critical_at_ends G v : over G v = true ->
  critical G v (match winner G v with Some Alice => 0 | _ => 1 end).
Proof.
  intro O; destruct (winner G v) as [[]|] eqn:W; (split; [lra|]); intros a Ha; (split; [intro L|intro L]); try lra.
  - now apply forces_won.
  - apply avoids_over; simpl; [exact O | rewrite W; discriminate].
  - apply avoids_over; simpl; [exact O | rewrite W; discriminate].
Qed.

Theorem critical_mean G v (R : position G -> Q) lo hi :
  winner G v = None ->
  (forall w, next G v w -> critical G w (R w)) ->
  sides Qle_bool (map R (moves G Alice v)) (map R (moves G Bob v)) = Some (lo, hi) ->
  critical G v ((lo + hi) * (1#2)).
Proof.
  intros Wn HR S; pose proof (over_some _ _ _ _ _ Wn S) as O.
  destruct (sides_correct Qle_bool Qle_bool_total Qle_bool_trans G R v lo hi S) as [L A1 A2 B1 B2].
  assert (H0 : after G chooses Alice Alice v (fun w => 0 <= R w <= lo)).
  { eapply after_mono; [|exact A1]; cbv beta; intros w N; rewrite Qle_bool_iff.
    destruct (HR w N) as [[? ?] _]; lra. }
  assert (H1 : after G chooses Bob Bob v (fun w => hi <= R w <= 1)).
  { eapply after_mono; [|exact B1]; cbv beta; intros w N; rewrite Qle_bool_iff.
    destruct (HR w N) as [[? ?] _]; lra. }
  assert (B : 0 <= lo /\ lo <= hi /\ hi <= 1).
  { apply Qle_bool_iff in L.
    destruct (after_meet _ _ _ _ _ _ _ H0 B2) as (x & ? & _).
    destruct (after_meet _ _ _ _ _ _ _ A2 H1) as (y & _ & ?); lra. }
  split; [lra|]; intros a Ha; split; intro K.
  - destruct (money_turn G Alice (Holds v a) R lo hi (a - (lo + hi) * (1#2))) as (x & Hx & M); simpl; try lra.
    1: eapply after_mono; [|exact A1]. 2: eapply after_mono; [|exact A2].
    1,2: intros w _; cbv beta; now rewrite Qle_bool_iff.
    apply (forces_turn (with_money G) Alice _
      (fun t => next G v (spot t) /\ 0 <= share t <= 1 /\ R (spot t) < share t)); [exact O | |].
    + exists x; split; [exact Hx|]; intros y Hy; destruct (M y Hy) as [M1 M2].
      split; intro Z; [specialize (M1 Z) | specialize (M2 Z)];
        (eapply after_mono; [|eassumption]); simpl; intros w _ (N & Bt & E); repeat split; try lra; exact N.
    + intros [w b] (N & Bt & E); simpl in *; destruct (HR w N) as [_ C]; now apply C.
  - destruct (money_turn G Bob (Holds v a) (fun w => 1 - R w) (1 - hi) (1 - lo) ((lo + hi) * (1#2) - a))
      as (x & Hx & M); simpl; try lra.
    1: eapply after_mono; [|exact B1]. 2: eapply after_mono; [|exact B2].
    1,2: intros w _; cbv beta; rewrite Qle_bool_iff; lra.
    apply (avoids_turn (with_money G) Bob _
      (fun t => next G v (spot t) /\ 0 <= share t <= 1 /\ share t < R (spot t))); [exact O | |].
    + exists x; split; [exact Hx|]; intros y Hy; destruct (M y Hy) as [M1 M2].
      split; intro Z; [specialize (M1 Z) | specialize (M2 Z)];
        (eapply after_mono; [|eassumption]); simpl; intros w _ (N & Bt & E); repeat split; try lra; exact N.
    + intros [w b] (N & Bt & E); simpl in *; destruct (HR w N) as [_ C]; now apply C.
Qed.

(** ** Values with ranks

    The certificate gives every position an integer, its value times a common
    denominator [D], and a rank.  They are compared as pairs. *)

Definition lex (a b : N * N) : bool :=
  let (x, r) := a in
  let (y, s) := b in
  match N.compare x y with Lt => true | Eq => N.leb r s | Gt => false end.

Lemma lex_spec x r y s : lex (x, r) (y, s) = true <-> (x < y \/ (x = y /\ r <= s))%N.
Proof.
  unfold lex; destruct (N.compare_spec x y); rewrite ?N.leb_le; split; intuition (try lia; try discriminate).
Qed.

Lemma lex_total a b : lex a b = false -> lex b a = true.
Proof.
  destruct a as [x r], b as [y s]; intro H; apply lex_spec.
  destruct (N.lt_trichotomy x y) as [L | [E | L]].
  - rewrite (proj2 (lex_spec x r y s)) in H; [discriminate | lia].
  - destruct (N.le_gt_cases r s); [|lia].
    rewrite (proj2 (lex_spec x r y s)) in H; [discriminate | lia].
  - lia.
Qed.

Lemma lex_trans a b c : lex a b = true -> lex b c = true -> lex a c = true.
Proof. destruct a, b, c; rewrite !lex_spec; lia. Qed.

(** The equations at one position, given the values and ranks of all: at an
    end the value is 0 if Alice has won and [D] otherwise; else it is the mean
    of the two sides, and if Alice can win at all, the better side has a smaller
    rank. *)
Definition value_holds (G : game) (D : N) (info : position G -> N * N) (v : position G) : Prop :=
  (fst (info v) <= D)%N /\
  match winner G v with
  | Some Alice => fst (info v) = 0%N
  | Some Bob => fst (info v) = D
  | None =>
      match sides lex (map info (moves G Alice v)) (map info (moves G Bob v)) with
      | None => fst (info v) = D
      | Some (lo, hi) =>
          (2 * fst (info v) = fst lo + fst hi)%N /\ (fst hi <= D)%N /\
          (fst (info v) = D \/ (snd lo < snd (info v))%N)
      end
  end.

Fixpoint quarter (n : nat) : Q :=
  match n with O => 1 | S n => quarter n * (1#4) end.

Lemma quarter_bounds n : 0 < quarter n <= 1.
Proof. induction n; simpl; lra. Qed.

Lemma quarter_mono m n : (m <= n)%nat -> quarter n <= quarter m.
Proof. induction 1; simpl; [lra|]; pose proof (quarter_bounds m0); lra. Qed.

Section Ranks.
  Variables (G : game) (P : position G -> Prop) (D : positive) (info : position G -> N * N) (bound : N).
  Hypothesis closed : stays G P.
  Hypothesis ranks_bounded : forall v, P v -> (snd (info v) <= bound)%N.
  Hypothesis holds : forall v, P v -> value_holds G (N.pos D) info v.

  Let num (x : N) : Q := inject_Z (Z.of_N x) * (1 # D).
  Let R (v : position G) : Q := num (fst (info v)).

  Lemma num_le x y : (x <= y)%N -> num x <= num y.
  Proof.
    intro H; unfold num; apply Qmult_le_compat_r; [|discriminate].
    rewrite <- Zle_Qle; lia.
  Qed.

  Lemma num_lt x y : (x < y)%N -> num x + (1 # D) <= num y.
  Proof.
    intro H; pose proof (num_le (x + 1) y ltac:(lia)) as L.
    unfold num in *; rewrite N2Z.inj_add, inject_Z_plus in L; simpl Z.of_N in L.
    change (inject_Z 1) with 1 in L; lra.
  Qed.

  Lemma num_0 : num 0 == 0.
  Proof. reflexivity. Qed.

  Lemma num_D : num (N.pos D) == 1.
  Proof. unfold num, Qeq, inject_Z; simpl; lia. Qed.

  Lemma num_add x y : num (x + y) == num x + num y.
  Proof. unfold num; rewrite N2Z.inj_add, inject_Z_plus; lra. Qed.

  Lemma num_nonneg x : 0 <= num x.
  Proof. rewrite <- num_0; apply num_le; lia. Qed.

  Theorem values_with_ranks v : P v -> critical G v (Z.of_N (fst (info v)) # D).
  Proof.
    intro HP.
    assert (E : Z.of_N (fst (info v)) # D == R v) by (unfold R, num, Qeq, inject_Z; simpl; lia).
    assert (B : 0 <= R v <= 1).
    { split; [apply num_nonneg|]; rewrite <- num_D; apply num_le, holds, HP. }
    apply (critical_compat G v (R v)); [symmetry; exact E|]; clear E.
    split; [exact B|]; intros a Ha; split; intro L.
    - (* U = R + e (1 - 4^-rank), with e too small to matter between different values. *)
      assert (exists e, 0 < e /\ e <= 1 # D /\ e < a - R v) as (e & He & HeD & HeR).
      { assert (0 < 1 # D) by reflexivity.
        destruct (Qlt_le_dec (1 # D) ((a - R v) * (1#2))).
        - exists (1 # D); lra.
        - exists ((a - R v) * (1#2)); lra. }
      pose (bonus := fun r : N => e * (1 - quarter (N.to_nat r))).
      assert (Hb : forall r, 0 <= bonus r < e).
      { intro r; unfold bonus; pose proof (quarter_bounds (N.to_nat r)); nra. }
      pose (U' := fun i : N * N => num (fst i) + bonus (snd i)).
      assert (Hlex : forall i j, lex i j = true -> U' i <= U' j).
      { intros [x r] [y s]; rewrite lex_spec; unfold U'; simpl.
        pose proof (Hb r); pose proof (Hb s); intros [H1 | [<- H1]].
        - pose proof (num_lt _ _ H1); lra.
        - assert (quarter (N.to_nat s) <= quarter (N.to_nat r)) by (apply quarter_mono; lia).
          unfold bonus; nra. }
      apply (forces_by_potential G P (fun v => U' (info v)) (e * quarter (N.to_nat bound))); auto.
      + pose proof (quarter_bounds (N.to_nat bound)); nra.
      + intros w _; unfold U'; pose proof (Hb (snd (info w))); pose proof (num_nonneg (fst (info w))); lra.
      + intros w Pw; destruct (holds w Pw) as [Hd Hh].
        destruct (winner G w) as [[]|] eqn:Ew; [auto| |].
        { right; left; unfold U'; rewrite Hh; pose proof num_D; pose proof (Hb (snd (info w))); lra. }
        destruct (sides lex _ _) as [[lo hi]|] eqn:HS.
        2: { right; left; unfold U'; rewrite Hh; pose proof num_D; pose proof (Hb (snd (info w))); lra. }
        destruct Hh as (Hm & Hhi & [Hr | Hr]).
        { right; left; unfold U'; rewrite Hr; pose proof num_D; pose proof (Hb (snd (info w))); lra. }
        right; right; split; [exact (over_some _ _ _ _ _ Ew HS)|].
        destruct (sides_correct lex lex_total lex_trans G info w lo hi HS) as [Lo A1 A2 _ _].
        exists (U' lo), (U' hi); split; [|split; [|split]].
        * pose proof (Hlex lo hi Lo); unfold U' in *.
          pose proof (Hb (snd lo)); pose proof (num_nonneg (fst lo)); lra.
        * eapply after_mono; [|exact A1]; auto.
        * eapply after_mono; [|exact A2]; auto.
        * assert (M : num (fst (info w)) * 2 == num (fst lo) + num (fst hi)).
          { rewrite <- num_add, <- Hm; replace (2 * fst (info w))%N with (fst (info w) + fst (info w))%N by lia.
            rewrite num_add; lra. }
          unfold U'; pose proof (Hb (snd hi)); unfold bonus in *.
          assert (Q1 : quarter (N.to_nat (snd (info w))) * 4 <= quarter (N.to_nat (snd lo))).
          { pose proof (quarter_mono (S (N.to_nat (snd lo))) (N.to_nat (snd (info w))) ltac:(lia)) as Q1.
            simpl in Q1; lra. }
          pose proof (quarter_mono (N.to_nat (snd (info w))) (N.to_nat bound)
            ltac:(pose proof (ranks_bounded w Pw); lia)) as Q2.
          pose proof (quarter_bounds (N.to_nat (snd (info w)))).
          pose proof (quarter_bounds (N.to_nat bound)).
          nra.
      + unfold U'; pose proof (Hb (snd (info v))); unfold R in *; lra.
    - apply (avoids_by_values G P R); auto.
      intros w Pw; destruct (holds w Pw) as [Hd Hh]; split.
      + intro Ew; rewrite Ew in Hh; unfold R; rewrite Hh, num_0; lra.
      + intro O; rewrite (not_over G w O) in Hh.
        destruct (sides lex _ _) as [[lo hi]|] eqn:HS.
        2: { destruct (sides_none _ _ _ _ HS); rewrite over_none in O; auto using not_over; discriminate. }
        destruct Hh as (Hm & Hhi & _).
        destruct (sides_correct lex lex_total lex_trans G info w lo hi HS) as [Lo _ _ B1 B2].
        assert (Hlex : forall i j, lex i j = true -> num (fst i) <= num (fst j)).
        { intros [x r] [y s]; rewrite lex_spec; simpl; intro H; apply num_le; lia. }
        exists (num (fst lo)), (num (fst hi)); split; [|split; [|split; [|split]]].
        * auto.
        * rewrite <- num_D; apply num_le; exact Hhi.
        * eapply after_mono; [|exact B1]; unfold R; auto.
        * eapply after_mono; [|exact B2]; unfold R; auto.
        * assert (M : num (fst (info w)) * 2 == num (fst lo) + num (fst hi)).
          { rewrite <- num_add, <- Hm; replace (2 * fst (info w))%N with (fst (info w) + fst (info w))%N by lia.
            rewrite num_add; lra. }
          unfold R; lra.
  Qed.
End Ranks.

(** * Connect Two on one column

    Goodfellow, Theorem 4: on an n x 1 board the critical threshold with real
    money is (2^(n-1) + 1) / 2^n.  The paper states it for n >= 2; it holds for
    n = 1 too, where Alice cannot win.  The rules are those of the game: stones
    pile up in the column, and two adjacent ones of the same player win for him;
    a full column without such a pair is a draw. *)

From Coq Require Import List Bool Arith ZArith QArith Lia Lqa ZifyNat.
From Proofs Require Import Games Play Chips Money Sides Richman Values Wedges.
Import ListNotations.
Local Open Scope nat_scope.

(** The player of two adjacent stones of the same colour, the topmost first. *)
Fixpoint pair (column : list player) : option player :=
  match column with
  | p :: (q :: _) as below => if same p q then Some p else pair below
  | _ => None
  end.

Definition connect_two (n : nat) : game := {|
  position := list player;
  moves p column := if length column <? n then [p :: column] else [];
  winner := pair
|}.

Lemma pair_top p q column : pair (q :: column) = None ->
  pair (p :: q :: column) = if same p q then Some p else None.
Proof. cbn [pair]; intro H; destruct (same p q); auto. Qed.

(** ** With real money

    [top p m]: the stone on top is [p]'s, nobody has won, and m cells are
    free.  The player of the top stone threatens to win.  These are R(G_2) and
    R(G_3) of the paper, where the board has m + 1 rows. *)

Fixpoint top (p : player) (m : nat) : Q :=
  match m with
  | O => 1
  | S m => match p with
           | Alice => (0 + top Bob m) * (1#2)
           | Bob => (top Alice m + 1) * (1#2)
           end
  end.

Lemma top_bounds p m : (0 <= top p m <= 1)%Q.
Proof. revert p; induction m as [|m IH]; intros []; simpl; try lra; [pose proof (IH Bob) | pose proof (IH Alice)]; lra. Qed.

Theorem top_critical n p column m : length column + 1 + m = n -> pair (p :: column) = None ->
  critical (connect_two n) (p :: column) (top p m).
Proof.
  revert p column; induction m as [|m IH]; intros p column L W.
  - pose proof (critical_at_ends (connect_two n) (p :: column)) as C; change (winner (connect_two n) (p :: column)) with (pair (p :: column)) in C; rewrite W in C.
    apply C; unfold over, can_move; change (winner (connect_two n) (p :: column)) with (pair (p :: column)).
    rewrite W; simpl.
    destruct (Nat.ltb_spec (S (length column)) n); [lia | reflexivity].
  - pose (R := fun v : position (connect_two n) => match pair v with
      | Some Alice => 0%Q | Some Bob => 1%Q | None => top (other p) m end).
    assert (M : forall q, moves (connect_two n) q (p :: column) = [q :: p :: column]).
    { intro q; simpl; destruct (Nat.ltb_spec (S (length column)) n); [reflexivity | lia]. }
    assert (N : forall v, next (connect_two n) (p :: column) v -> critical (connect_two n) v (R v)).
    { intros v I; assert (exists q, v = q :: p :: column) as [q ->].
      { unfold next in I; rewrite !M in I; destruct I as [[<-|[]]|[<-|[]]]; eauto. }
      unfold R; destruct (same q p) eqn:E.
      - pose proof (critical_at_ends (connect_two n) (q :: p :: column)) as C.
        unfold over in C; change (winner (connect_two n) (q :: p :: column)) with (pair (q :: p :: column)) in C.
        rewrite pair_top, E in C by exact W.
        rewrite pair_top, E by exact W; specialize (C eq_refl); destruct q; exact C.
      - rewrite pair_top, E by exact W.
        assert (q = other p) as -> by (destruct p, q; easy).
        apply IH; [simpl; lia|]; rewrite pair_top, E; auto. }
    destruct p; [change (critical (connect_two n) (Alice :: column) ((0 + top Bob m) * (1#2)))
                | change (critical (connect_two n) (Bob :: column) ((top Alice m + 1) * (1#2)))];
      apply (critical_mean (connect_two n) _ R); try exact W; try exact N;
      rewrite !M; cbn [map]; unfold R; rewrite !pair_top by exact W; cbn [same other sides least greatest];
      (rewrite (proj2 (Qle_bool_iff _ _)); [reflexivity | apply top_bounds]).
Qed.

Lemma top_sum m : (top Alice m + top Bob m == 1 + half_to m)%Q.
Proof. induction m as [|m IH]; simpl; lra. Qed.

Lemma half_to_power m : (half_to m * inject_Z (2 ^ Z.of_nat m) == 1)%Q.
Proof.
  induction m as [|m IH]; [reflexivity|].
  rewrite Nat2Z.inj_succ, Z.pow_succ_r, inject_Z_mult by lia; simpl half_to; change (inject_Z 2) with 2%Q; lra.
Qed.

Theorem goodfellow_theorem_4 n : n <> 0 ->
  critical (connect_two n) [] (inject_Z (2 ^ (Z.of_nat n - 1) + 1) / inject_Z (2 ^ Z.of_nat n)).
Proof.
  intro Hn; destruct n as [|m]; [easy|].
  pose (R := fun v : position (connect_two (S m)) => match v with Alice :: _ => top Alice m | _ => top Bob m end).
  assert (N : forall v, next (connect_two (S m)) [] v -> critical (connect_two (S m)) v (R v)).
  { intros v [[<-|[]]|[<-|[]]]; apply top_critical; simpl; auto; lia. }
  assert (C : critical (connect_two (S m)) [] ((top Alice m + top Bob m) * (1#2))).
  { apply critical_compat with ((top Alice m + top Bob m) * (1#2))%Q; [reflexivity|].
    apply (critical_mean (connect_two (S m)) [] R); [reflexivity | exact N|].
    assert (M : forall q, moves (connect_two (S m)) q [] = [[q]]) by reflexivity.
    rewrite !M; cbn [map]; unfold R; cbn [sides least greatest].
    rewrite (proj2 (Qle_bool_iff _ _)); [reflexivity|].
    destruct m as [|m]; simpl; [lra|]; pose proof (top_bounds Alice m); pose proof (top_bounds Bob m); lra. }
  revert C; apply critical_compat; rewrite top_sum.
  replace (Z.of_nat (S m) - 1)%Z with (Z.of_nat m) by lia.
  rewrite inject_Z_plus, Nat2Z.inj_succ, Z.pow_succ_r, inject_Z_mult by lia.
  change (inject_Z 1) with 1%Q; change (inject_Z 2) with 2%Q.
  pose proof (half_to_power m) as H; set (w := inject_Z (2 ^ Z.of_nat m)) in *.
  assert (W : ~ (w == 0)%Q) by (intro Z; rewrite Z in H; lra).
  assert (E : (half_to m == 1 / w)%Q) by (rewrite <- H; field; exact W).
  rewrite E; field; exact W.
Qed.

(** ** With chips

    The same recursion in half chips, for every n and k. *)

Fixpoint top_halves (k : nat) (p : player) (m : nat) : nat :=
  match m with
  | O => 2 * (k + 1)
  | S m => match p with
           | Alice => richman_mean 0 (top_halves k Bob m)
           | Bob => richman_mean (top_halves k Alice m) (2 * (k + 1))
           end
  end.

Definition column_halves (k n : nat) : nat :=
  match n with
  | O => 2 * (k + 1)
  | S m => richman_mean (min (top_halves k Alice m) (top_halves k Bob m))
             (max (top_halves k Alice m) (top_halves k Bob m))
  end.

Lemma mean_le a b c d : a <= c -> b <= d -> richman_mean a b <= richman_mean c d.
Proof.
  intros H K; unfold richman_mean; apply Nat.add_le_mono; apply Nat.div_le_mono; lia.
Qed.

Lemma top_halves_bound k p m : top_halves k p m <= 2 * (k + 1).
Proof.
  assert (E : richman_mean (2 * (k + 1)) (2 * (k + 1)) = 2 * (k + 1)) by (unfold richman_mean; lia).
  revert p; induction m as [|m IH]; intros []; cbn [top_halves]; try lia.
  - transitivity (richman_mean (2 * (k + 1)) (2 * (k + 1))); [apply mean_le; [lia | apply IH] | lia].
  - transitivity (richman_mean (2 * (k + 1)) (2 * (k + 1))); [apply mean_le; [apply IH | lia] | lia].
Qed.

Theorem top_critical_halves k n p column m : length column + 1 + m = n -> pair (p :: column) = None ->
  critical_halves (connect_two n) (p :: column) k (top_halves k p m).
Proof.
  revert p column; induction m as [|m IH]; intros p column L W.
  - apply critical_at_other_ends; [|change (pair (p :: column) <> Some Alice); rewrite W; discriminate].
    unfold over, can_move; change (winner (connect_two n) (p :: column)) with (pair (p :: column)).
    rewrite W; simpl; destruct (Nat.ltb_spec (S (length column)) n); [lia | reflexivity].
  - pose (f := fun v : position (connect_two n) => match pair v with
      | Some Alice => 0 | Some Bob => 2 * (k + 1) | None => top_halves k (other p) m end).
    assert (M : forall q, moves (connect_two n) q (p :: column) = [q :: p :: column]).
    { intro q; simpl; destruct (Nat.ltb_spec (S (length column)) n); [reflexivity | lia]. }
    assert (N : forall v, next (connect_two n) (p :: column) v -> critical_halves (connect_two n) v k (f v)).
    { intros v I; assert (exists q, v = q :: p :: column) as [q ->].
      { unfold next in I; rewrite !M in I; destruct I as [[<-|[]]|[<-|[]]]; eauto. }
      unfold f; rewrite pair_top by exact W; destruct (same q p) eqn:E.
      - assert (X : winner (connect_two n) (q :: p :: column) = Some q)
          by (change (pair (q :: p :: column) = Some q); rewrite pair_top, E; auto).
        destruct q; [now apply critical_at_alices_win | apply critical_at_other_ends];
          [unfold over; now rewrite X | rewrite X; discriminate].
      - assert (q = other p) as -> by (destruct p, q; easy).
        apply IH; [simpl; lia|]; rewrite pair_top, E; auto. }
    pose proof (top_halves_bound k Bob m); pose proof (top_halves_bound k Alice m).
    destruct p;
      [ apply (richman_calculus (connect_two n) _ k f 0 (top_halves k Bob m))
      | apply (richman_calculus (connect_two n) _ k f (top_halves k Alice m) (2 * (k + 1))) ];
      try exact W; try exact N;
      rewrite !M; cbn [map]; unfold f; rewrite !pair_top by exact W; cbn [same other sides least greatest];
      (rewrite (proj2 (Nat.leb_le _ _)); [reflexivity | lia]).
Qed.

Theorem column_critical_halves k n : critical_halves (connect_two n) [] k (column_halves k n).
Proof.
  destruct n as [|m]; [now apply critical_at_other_ends|].
  pose (f := fun v : position (connect_two (S m)) => match v with Alice :: _ => top_halves k Alice m | _ => top_halves k Bob m end).
  assert (M : forall q, moves (connect_two (S m)) q [] = [[q]]) by reflexivity.
  apply (richman_calculus (connect_two (S m)) [] k f); [reflexivity| |].
  - intros v [[<-|[]]|[<-|[]]]; apply top_critical_halves; simpl; auto; lia.
  - rewrite !M; cbn [map]; unfold f; cbn [sides least greatest].
    destruct (Nat.leb_spec (top_halves k Alice m) (top_halves k Bob m)); repeat f_equal; lia.
Qed.

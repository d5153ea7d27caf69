(** * Ultimatum

    Propositions 4.5 and 4.6 and Corollary 4.7 of Develin & Payne, for every
    n >= 1 and all numbers of chips.

    In the text of the paper that we read, exponents are lost: 2n - 1 stands
    for 2^(n-1), and "b < 2n" for b < 2^n.  With n = 2 and a = b = 3 Alice wins, as
    below, whereas 3 is congruent to 2n - 1 modulo 2n.

    The proof is by Theorem 3.7.  Write T = 2k + 2, and let h half chips be
    enough at the start.  Then h / 2^j (rounded down) is enough j moves away from it
    on Alice's side, and T - (T - h) / 2^j on Bob's, so at the start the mean
    of the two for j = n is enough.  From T, where nothing is claimed, this
    comes down to the critical threshold, one round after the other. *)

From Coq Require Import List Bool Arith ZArith Lia ZifyNat.
From Proofs Require Import Games Play Chips Sides Richman.
Import ListNotations.
Ltac Zify.zify_post_hook ::= idtac.

(** [Owes p j]: the other player has given the ultimatum, and [p] must make
    each of the next [j] moves.  [Start] is the vertex 0 of the paper, and
    Owes Bob j, Owes Alice j are the vertices j and -j. *)
Inductive ult_position := Start | Owes (p : player) (j : nat) | Won (p : player).

(** After [p] has made one of [j] moves. *)
Definition owing (p : player) (j : nat) : ult_position :=
  match j with O => Start | S _ => Owes p j end.

Definition ult (n : nat) : game := {|
  position := ult_position;
  moves p v :=
    match v with
    | Start => [Owes (other p) n]
    | Owes q j => if same p q then [owing q (pred j)] else [Won p]
    | Won _ => []
    end;
  winner v := match v with Won p => Some p | _ => None end
|}.

(** ** The thresholds, given that of the start *)

Section Needs.
  Variables (n k : nat).
  Let T := 2 * k + 2.

  Definition needs (h : nat) (v : ult_position) : nat :=
    match v with
    | Start => h
    | Owes Bob j => h / 2 ^ j
    | Owes Alice j => T - (T - h) / 2 ^ j
    | Won Alice => 0
    | Won Bob => T
    end.

  Lemma needs_owing h p j : h <= T -> needs h (owing p j) = needs h (Owes p j).
  Proof.
    intro H; destruct j; [|reflexivity].
    cbn [owing needs]; rewrite Nat.pow_0_r; destruct p; rewrite Nat.div_1_r; unfold T in *; lia.
  Qed.

  (** The equation of Theorem 3.7 away from the start. *)
  Lemma needs_mean h p j : h <= T -> needs h (Owes p (S j)) =
    match p with
    | Bob => richman_mean 0 (needs h (owing p j))
    | Alice => richman_mean (needs h (owing p j)) T
    end.
  Proof.
    intro H; rewrite needs_owing by exact H; unfold richman_mean, needs.
    rewrite Nat.pow_succ_r', (Nat.mul_comm 2).
    assert (P : 2 ^ j <> 0) by (apply Nat.pow_nonzero; lia).
    destruct p; rewrite <- Nat.div_div by lia; [|reflexivity].
    assert ((T - h) / 2 ^ j <= T - h) by (apply Nat.div_le_upper_bound; nia).
    set (q := (T - h) / 2 ^ j) in *; unfold T in *.
    pose proof (Nat.div_mod q 2 ltac:(lia)); pose proof (Nat.mod_upper_bound q 2 ltac:(lia)).
    pose proof (Nat.div_mod (2 * k + 2 - q + 1) 2 ltac:(lia)).
    pose proof (Nat.mod_upper_bound (2 * k + 2 - q + 1) 2 ltac:(lia)).
    pose proof (Nat.div_mod (2 * k + 2) 2 ltac:(lia)); pose proof (Nat.mod_upper_bound (2 * k + 2) 2 ltac:(lia)).
    lia.
  Qed.

  Lemma needs_bound h v : h <= T -> needs h v <= T.
  Proof.
    intro H; destruct v as [|[] j|[]]; cbn [needs]; try apply Nat.le_sub_l; try lia.
    apply Nat.div_le_upper_bound; [apply Nat.pow_nonzero; lia|].
    assert (2 ^ j <> 0) by (apply Nat.pow_nonzero; lia); nia.
  Qed.

  (** A round takes [h] to this. *)
  Definition round (h : nat) : nat := richman_mean (needs h (Owes Bob n)) (needs h (Owes Alice n)).

  Lemma round_ordered h : h <= T -> needs h (Owes Bob n) <= needs h (Owes Alice n).
  Proof.
    intro H; simpl; assert (P : 2 ^ n <> 0) by (apply Nat.pow_nonzero; lia).
    assert (h / 2 ^ n <= h) by (apply Nat.div_le_upper_bound; nia).
    assert ((T - h) / 2 ^ n <= T - h) by (apply Nat.div_le_upper_bound; nia).
    lia.
  Qed.

  (** ** Alice wins *)

  Let good (s : chips (ult n)) : Prop := alices s + bobs s = k.
  Let alice (s : chips (ult n)) : Prop := forces (with_chips (ult n) develin_payne) Alice s.

  Lemma one_turn h (s : chips (ult n)) x y lo hi : good s ->
    moves (ult n) Alice (place s) = [x] -> moves (ult n) Bob (place s) = [y] ->
    over (ult n) (place s) = false ->
    needs h x <= lo -> needs h y <= hi -> lo <= hi -> richman_mean lo hi <= half_chips Alice s ->
    (forall t, good t -> place t = x \/ place t = y -> needs h (place t) <= half_chips Alice t -> alice t) ->
    alice s.
  Proof.
    intros Hk Hx Hy O Lo Hi L M F.
    apply (forces_turn (with_chips (ult n) develin_payne) Alice s (fun t => next (ult n) (place s) (place t) /\
      alices t + bobs t = alices s + bobs s /\ needs h (place t) <= half_chips Alice t)); [exact O | |].
    - apply (chips_turn (ult n) Alice s (needs h) lo hi L); [| |exact M].
      + apply (after_win (ult n) _ x y Hx Hy Alice); exact Lo.
      + apply (after_loss (ult n) _ x y Hx Hy Alice); lia.
    - intros t (N & K & E); apply F; [unfold good in *; lia | | exact E].
      unfold next in N; rewrite Hx, Hy in N; simpl in N; intuition.
  Qed.

  Section Round.
    Variable h : nat.
    Hypothesis h_bound : h <= T.
    Hypothesis start : forall s : chips (ult n), good s -> place s = Start -> h <= half_chips Alice s -> alice s.

    Lemma won_or_lost (t : chips (ult n)) p : good t -> place t = Won p ->
      needs h (place t) <= half_chips Alice t -> alice t.
    Proof.
      intros K E N; rewrite E in N; destruct p.
      - apply forces_won; simpl; now rewrite E.
      - pose proof (half_chips_bob t k K); simpl in N; unfold T in *; lia.
    Qed.

    Lemma owes_wins p j (s : chips (ult n)) : good s -> place s = owing p j ->
      needs h (place s) <= half_chips Alice s -> alice s.
    Proof.
      revert s; induction j as [|j IH]; intros s K E N; [apply start; auto; rewrite E in N; exact N|].
      rewrite E in N; cbn [owing] in E, N; rewrite needs_mean in N by exact h_bound.
      pose proof (needs_bound h (owing p j) h_bound).
      destruct p.
      - apply (one_turn h s (owing Alice j) (Won Bob) (needs h (owing Alice j)) T); auto; rewrite ?E; auto.
        intros t Kt [Et|Et] Nt; [apply IH; auto | apply (won_or_lost t Bob); auto].
      - apply (one_turn h s (Won Alice) (owing Bob j) 0 (needs h (owing Bob j))); auto; rewrite ?E; auto; [lia|].
        intros t Kt [Et|Et] Nt; [apply (won_or_lost t Alice); auto | apply IH; auto].
    Qed.

    Lemma round_wins (s : chips (ult n)) : n <> 0 -> good s -> place s = Start ->
      round h <= half_chips Alice s -> alice s.
    Proof.
      intros Hn K E N.
      apply (one_turn h s (Owes Bob n) (Owes Alice n) (needs h (Owes Bob n)) (needs h (Owes Alice n)));
        auto; rewrite ?E; auto; [now apply round_ordered|].
      intros t Kt Et Nt.
      destruct Et as [Et|Et]; [apply (owes_wins Bob n) | apply (owes_wins Alice n)]; auto;
        rewrite Et; destruct n; easy.
    Qed.
  End Round.

  (** From T down to [h], if every round gains something on the way. *)
  Lemma rounds_win h (s : chips (ult n)) : n <> 0 ->
    (forall g, h < g -> g <= T -> round g < g) ->
    good s -> place s = Start -> h <= half_chips Alice s -> alice s.
  Proof.
    intros Hn Gain.
    assert (D : forall d, d <= T - h ->
      forall s : chips (ult n), good s -> place s = Start -> T - d <= half_chips Alice s -> alice s).
    { induction d as [|d IH]; intros Hd t K E N.
      - pose proof (half_chips_bob t k K); unfold T in *; lia.
      - apply (round_wins (T - d)); auto; [lia | apply IH; lia |].
        pose proof (Gain (T - d) ltac:(lia) ltac:(lia)); lia. }
    intros K E N; destruct (Nat.le_gt_cases h T).
    - apply (D (T - h)); auto; lia.
    - pose proof (half_chips_bob s k K); unfold T in *; lia.
  Qed.

  (** ** Bob prevents it *)

  Lemma equations_prevent h (s : chips (ult n)) : n <> 0 -> h <= T -> h <= round h ->
    good s -> place s = Start -> half_chips Alice s < h -> avoids (with_chips (ult n) develin_payne) Bob s.
  Proof.
    intros Hn Hh Hr K E N.
    apply (avoids_by_equations (ult n) k (fun v => match v with Owes _ 0 => False | _ => True end) (needs h));
      [| |rewrite E; exact I | exact K | rewrite E; exact N].
    - intros v w Hv O [M|M]; destruct v as [|q j|q]; simpl in M; try contradiction.
      + destruct M as [<-|[]]; destruct n; easy.
      + destruct q; simpl in M; destruct M as [<-|[]]; [destruct j as [|[]]|]; simpl; auto.
      + destruct M as [<-|[]]; destruct n; easy.
      + destruct q; simpl in M; destruct M as [<-|[]]; [|destruct j as [|[]]]; simpl; auto.
    - intros v Hv; split; [destruct v as [|q j|[]]; simpl; try discriminate; auto|]; intro O.
      destruct v as [|q j|q]; [| |discriminate].
      + exists (needs h (Owes Bob n)), (needs h (Owes Alice n)).
        pose proof (round_ordered h Hh).
        split; [assumption|]; split; [now apply needs_bound|]; split; [|split; [|exact Hr]].
        * apply (after_win (ult n) Start (Owes Bob n) (Owes Alice n) eq_refl eq_refl Bob); auto.
        * apply (after_loss (ult n) Start (Owes Bob n) (Owes Alice n) eq_refl eq_refl Bob); auto.
      + destruct j as [|j]; [contradiction|]; rewrite needs_mean by exact Hh.
        pose proof (needs_bound h (owing q j) Hh) as B; destruct q.
        * exists (needs h (owing Alice j)), T; split; [exact B|]; split; [reflexivity|].
          split; [|split; [|reflexivity]].
          -- apply (after_win (ult n) (Owes Alice (S j)) (owing Alice j) (Won Bob) eq_refl eq_refl Bob); auto.
          -- apply (after_loss (ult n) (Owes Alice (S j)) (owing Alice j) (Won Bob) eq_refl eq_refl Bob); auto.
        * exists 0, (needs h (owing Bob j)); split; [lia|]; split; [exact B|].
          split; [|split; [|reflexivity]].
          -- apply (after_win (ult n) (Owes Bob (S j)) (Won Alice) (owing Bob j) eq_refl eq_refl Bob); auto.
          -- apply (after_loss (ult n) (Owes Bob (S j)) (Won Alice) (owing Bob j) eq_refl eq_refl Bob); lia.
  Qed.
End Needs.

(** ** The critical threshold

    It is k + 1 half chips, but k + 2 where k + 1 is congruent to 2^n - 1 or
    to 2^n modulo 2^(n+1). *)

Definition exceptional (n k : nat) : Prop :=
  exists m, k + 1 = 2 * 2 ^ n * m + 2 ^ n - 1 \/ k + 1 = 2 * 2 ^ n * m + 2 ^ n.

Lemma half_up x : exists r, r <= 1 /\ x + r = 2 * ((x + 1) / 2).
Proof.
  pose proof (Nat.div_mod (x + 1) 2 ltac:(lia)); pose proof (Nat.mod_upper_bound (x + 1) 2 ltac:(lia)).
  exists (1 - (x + 1) mod 2); lia.
Qed.

(** A round, in terms of q = (h + 2^n) / 2^(n+1) and the same for T - h. *)
Lemma round_spec n k h : h <= 2 * k + 2 -> exists p q,
  2 * 2 ^ n * p <= h + 2 ^ n < 2 * 2 ^ n * p + 2 * 2 ^ n /\
  2 * 2 ^ n * q <= (2 * k + 2 - h) + 2 ^ n < 2 * 2 ^ n * q + 2 * 2 ^ n /\
  round n k h + q = k + 1 + p.
Proof.
  intro H; unfold round, richman_mean, needs.
  assert (P : 2 ^ n <> 0) by (apply Nat.pow_nonzero; lia).
  set (N := 2 ^ n) in *; clearbody N.
  pose proof (Nat.div_mod h N P); pose proof (Nat.mod_upper_bound h N P).
  pose proof (Nat.div_mod (2 * k + 2 - h) N P); pose proof (Nat.mod_upper_bound (2 * k + 2 - h) N P).
  set (x := h / N) in *; set (y := (2 * k + 2 - h) / N) in *.
  destruct (half_up x) as (r & Hr & Ex), (half_up y) as (r' & Hr' & Ey).
  exists ((x + 1) / 2), ((y + 1) / 2).
  assert (y <= 2 * k + 2) by nia.
  pose proof (Nat.div_mod (2 * k + 2 - y) 2 ltac:(lia)); pose proof (Nat.mod_upper_bound (2 * k + 2 - y) 2 ltac:(lia)).
  repeat split; nia.
Qed.

Lemma rounds_gain n k h : n <> 0 -> k + 1 < h -> h <= 2 * k + 2 ->
  (exceptional n k -> k + 2 < h) -> round n k h < h.
Proof.
  intros Hn H1 H2 He; destruct (round_spec n k h H2) as (p & q & Hp & Hq & E).
  assert (N2 : 2 <= 2 ^ n) by (destruct n; [easy | rewrite Nat.pow_succ_r'; pose proof (Nat.pow_nonzero 2 n); lia]).
  unfold exceptional in He; set (N := 2 ^ n) in *; clearbody N.
  destruct (Nat.le_gt_cases p q) as [L|L]; [lia|].
  destruct (Nat.eq_dec h (k + 2)) as [->|D]; [|nia].
  exfalso; assert (p = q + 1) as -> by nia.
  assert (X : k + 1 = 2 * N * q + N - 1 \/ k + 1 = 2 * N * q + N) by lia.
  specialize (He (ex_intro _ q X)); lia.
Qed.

Lemma rounds_stop n k : round n k (k + 1) = k + 1.
Proof.
  destruct (round_spec n k (k + 1) ltac:(lia)) as (p & q & Hp & Hq & E).
  replace (2 * k + 2 - (k + 1)) with (k + 1) in Hq by lia.
  assert (2 ^ n <> 0) by (apply Nat.pow_nonzero; lia).
  set (N := 2 ^ n) in *; clearbody N; assert (p = q) by nia; lia.
Qed.

Lemma rounds_stop_exceptional n k : n <> 0 -> exceptional n k -> k + 2 <= round n k (k + 2).
Proof.
  intros Hn (m & Hm); destruct (round_spec n k (k + 2) ltac:(lia)) as (p & q & Hp & Hq & E).
  assert (N2 : 2 <= 2 ^ n) by (destruct n; [easy | rewrite Nat.pow_succ_r'; pose proof (Nat.pow_nonzero 2 n); lia]).
  set (N := 2 ^ n) in *; clearbody N.
  assert (m + 1 <= p) by nia; assert (q <= m) by nia; lia.
Qed.

Definition alice_wins_ult (n a b : nat) (h : player) : Prop :=
  forces (with_chips (ult n) develin_payne) Alice (State (G := ult n) Start a b h).

Lemma ult_above n (s : chips (ult n)) : n <> 0 -> place s = Start ->
  (exceptional n (alices s + bobs s) -> alices s + bobs s + 2 <= half_chips Alice s) ->
  alices s + bobs s + 1 <= half_chips Alice s -> forces (with_chips (ult n) develin_payne) Alice s.
Proof.
  intros Hn E Hx H; set (k := alices s + bobs s) in *.
  destruct (Nat.eq_dec (half_chips Alice s) (k + 1)) as [Q|Q].
  - apply (rounds_win n k (k + 1)); [exact Hn | | reflexivity | exact E | exact H].
    intros g L B; apply rounds_gain; auto; intro X; specialize (Hx X); lia.
  - apply (rounds_win n k (k + 2)); [exact Hn | | reflexivity | exact E | lia].
    intros g L B; apply rounds_gain; auto; lia.
Qed.

Lemma ult_below n (s : chips (ult n)) : n <> 0 -> place s = Start ->
  half_chips Alice s < alices s + bobs s + 1 \/
  (half_chips Alice s < alices s + bobs s + 2 /\ exceptional n (alices s + bobs s)) ->
  avoids (with_chips (ult n) develin_payne) Bob s.
Proof.
  intros Hn E [H | [H X]]; set (k := alices s + bobs s) in *.
  - apply (equations_prevent n k (k + 1)); [exact Hn | lia | rewrite rounds_stop; lia | reflexivity | exact E | exact H].
  - apply (equations_prevent n k (k + 2)); [exact Hn | lia | now apply rounds_stop_exceptional | reflexivity | exact E | exact H].
Qed.

(** ** Corollary 4.7 and Propositions 4.5 and 4.6 *)

Lemma mod_spec a N r : r < N -> (a mod N = r <-> exists m, a = N * m + r).
Proof.
  intro H; split.
  - intro E; exists (a / N); rewrite <- E; apply Nat.div_mod; lia.
  - intros (m & ->); rewrite Nat.add_comm, Nat.mul_comm, Nat.mod_add by lia; now apply Nat.mod_small.
Qed.

Theorem corollary_4_7_with n a b : n <> 0 ->
  alice_wins_ult n a b Alice <-> (b < a \/ (a = b /\ a mod 2 ^ n <> 2 ^ (n - 1) - 1)).
Proof.
  intro Hn; set (s := State (G := ult n) Start a b Alice).
  assert (D : 2 ^ n = 2 * 2 ^ (n - 1)) by (rewrite <- Nat.pow_succ_r'; f_equal; lia).
  assert (P : 2 ^ (n - 1) <> 0) by (apply Nat.pow_nonzero; lia).
  assert (X : a = b -> (exceptional n (a + b) <-> a mod 2 ^ n = 2 ^ (n - 1) - 1)).
  { intros <-; rewrite mod_spec by lia; unfold exceptional; rewrite D; set (M := 2 ^ (n - 1)) in *; clearbody M.
    split; intros (m & Hm); exists m; lia. }
  split.
  - intro W; destruct (Nat.lt_trichotomy a b) as [L | [E | L]]; [| |auto].
    + exfalso; apply (forces_avoids (with_chips (ult n) develin_payne) Alice s (with_chips_proper _ _) W), ult_below; auto.
      left; unfold half_chips; simpl; lia.
    + right; split; [exact E|]; intro M.
      apply (forces_avoids (with_chips (ult n) develin_payne) Alice s (with_chips_proper _ _) W), ult_below; auto.
      right; split; [unfold half_chips; simpl; lia | now apply X].
  - intros H; apply (ult_above n s); auto; unfold half_chips; simpl; [|lia].
    intro Y; destruct H as [L | [E M]]; [lia|]; apply X in Y; [easy | exact E].
Qed.

Theorem corollary_4_7_without n a b : n <> 0 ->
  alice_wins_ult n a b Bob <-> (b + 1 < a \/ (a = b + 1 /\ a mod 2 ^ n <> 2 ^ (n - 1))).
Proof.
  intro Hn; set (s := State (G := ult n) Start a b Bob).
  assert (D : 2 ^ n = 2 * 2 ^ (n - 1)) by (rewrite <- Nat.pow_succ_r'; f_equal; lia).
  assert (P : 2 ^ (n - 1) <> 0) by (apply Nat.pow_nonzero; lia).
  assert (X : a = b + 1 -> (exceptional n (a + b) <-> a mod 2 ^ n = 2 ^ (n - 1))).
  { intros ->; rewrite mod_spec by lia; unfold exceptional; rewrite D; set (M := 2 ^ (n - 1)) in *; clearbody M.
    split; intros (m & Hm); exists m; lia. }
  split.
  - intro W; destruct (Nat.lt_trichotomy a (b + 1)) as [L | [E | L]]; [| |auto].
    + exfalso; apply (forces_avoids (with_chips (ult n) develin_payne) Alice s (with_chips_proper _ _) W), ult_below; auto.
      left; unfold half_chips; simpl; lia.
    + right; split; [exact E|]; intro M.
      apply (forces_avoids (with_chips (ult n) develin_payne) Alice s (with_chips_proper _ _) W), ult_below; auto.
      right; split; [unfold half_chips; simpl; lia | now apply X].
  - intros H; apply (ult_above n s); auto; unfold half_chips; simpl; [|lia].
    intro Y; destruct H as [L | [E M]]; [lia|]; apply X in Y; [easy | exact E].
Qed.

Theorem proposition_4_5 n a b : n <> 0 -> b < 2 ^ n ->
  alice_wins_ult n a b Alice <-> (b < a \/ (a = b /\ b <> 2 ^ (n - 1) - 1)).
Proof.
  intros Hn Hb; rewrite corollary_4_7_with by exact Hn.
  split; (intros [L | [-> M]]; [auto|]); right; rewrite Nat.mod_small in * by lia; auto.
Qed.

Theorem proposition_4_6 n a b : n <> 0 -> b < 2 ^ n ->
  alice_wins_ult n a b Bob <-> (b + 1 < a \/ (a = b + 1 /\ b <> 2 ^ (n - 1) - 1)).
Proof.
  intros Hn Hb; rewrite corollary_4_7_without by exact Hn.
  assert (D : 2 ^ n = 2 * 2 ^ (n - 1)) by (rewrite <- Nat.pow_succ_r'; f_equal; lia).
  assert (P : 2 ^ (n - 1) <> 0) by (apply Nat.pow_nonzero; lia).
  assert (E : (b + 1) mod 2 ^ n = 2 ^ (n - 1) <-> b = 2 ^ (n - 1) - 1).
  { rewrite mod_spec by lia; split; [intros (m & Hm); destruct m; nia | intro; exists 0; lia]. }
  split; (intros [L | [-> M]]; [auto|]); right; tauto.
Qed.

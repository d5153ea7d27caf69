(** * Tug o' War

    Proposition 4.1 and Corollary 4.2 of Develin & Payne, for every n and all
    numbers of chips, and the critical thresholds with real money.

    The proofs do not use periodicity.  Alice wins from the vertex v if for
    some c >= 1 she has at least c(n - v) chips, less half a chip, and Bob has
    less than c(n + v); she bids c chips, or (c - 1)* where she holds the advantage.
    Bob prevents it if for some c he has at least c(n + v) and Alice has less
    than (c + 1)(n - v), less half a chip.

    The paper says that the critical threshold of the vertex k with real money
    is (k + n) / 2n.  That is the other player's threshold: with Alice winning
    at n it is (n - k) / 2n, as proved here. *)

From Coq Require Import List Bool Arith ZArith NArith QArith Lia.
From Proofs Require Import Games Play Chips Money Sides Values Bids.
Import ListNotations.
Local Open Scope Z_scope.

(** The path from -n to n.  Alice pulls to the right, and wins at n. *)
Definition tug (n : Z) : game := {|
  position := Z;
  moves p v := match p with Alice => [v + 1] | Bob => [v - 1] end;
  winner v := if v =? n then Some Alice else if v =? - n then Some Bob else None
|}.

Lemma tug_over n v : over (tug n) v = false <-> v <> n /\ v <> - n.
Proof.
  unfold over; simpl; destruct (Z.eqb_spec v n), (Z.eqb_spec v (- n)); simpl; split; intuition discriminate.
Qed.

Ltac reduce :=
  unfold half_chips, purse in *;
  cbn [place alices bobs holder settle same other position tug] in *.

(** ** Alice wins *)

Section Alice.
  Variables (n c : Z) (k : nat).
  Hypotheses (n_pos : 1 <= n) (c_pos : 1 <= c).

  (** The weight of a state never falls when Alice bids as described.  While it
      stays, play moves in one direction. *)
  Definition weight (s : chips (tug n)) : Z :=
    Z.of_nat (half_chips Alice s) + 1 - 2 * c * (n - place s).

  Definition ahead (s : chips (tug n)) : Prop :=
    - n <= place s <= n /\ (alices s + bobs s = k)%nat /\
    0 <= weight s /\ Z.of_nat (half_chips Bob s) < 2 * c * (n + place s).

  Definition remaining (s : chips (tug n)) : Z :=
    (2 * Z.of_nat k + 2 - weight s) * (2 * n + 1) +
    match holder s with Alice => n + place s | Bob => n - place s end.

  Lemma falls_with_weight w w' d d' : w < w' -> w' <= 2 * Z.of_nat k + 2 -> 0 <= d -> d' <= 2 * n ->
    (2 * Z.of_nat k + 2 - w') * (2 * n + 1) + d' < (2 * Z.of_nat k + 2 - w) * (2 * n + 1) + d.
  Proof. nia. Qed.

  Lemma weight_bound s : ahead s -> weight s <= 2 * Z.of_nat k + 2 /\ 0 <= remaining s.
  Proof.
    unfold ahead, remaining, weight; intros (V & K & W & B).
    assert (0 <= c * (n - place s)) by nia.
    assert (Z.of_nat (half_chips Alice s) <= 2 * Z.of_nat k + 1)
      by (unfold half_chips, purse; destruct (holder s); cbn [same]; lia).
    split; [lia|]; destruct (holder s); nia.
  Qed.

  (** A state that is ahead, and nearer to the end. *)
  Definition better (s t : chips (tug n)) : Prop := ahead t /\ remaining t < remaining s.

  Lemma heavier s t : ahead s -> ahead t -> weight s < weight t -> better s t.
  Proof.
    intros Hs Ht L; split; [exact Ht|].
    pose proof (weight_bound t Ht) as [Bt _]; destruct Hs as (Vs & _), Ht as (Vt & _).
    unfold remaining; apply falls_with_weight; auto; [destruct (holder s) | destruct (holder t)]; lia.
  Qed.

  Lemma nearer s t : ahead t -> weight t = weight s -> holder t = holder s ->
    match holder s with Alice => place t < place s | Bob => place s < place t end -> better s t.
  Proof.
    intros Ht W Hh L; split; [exact Ht|]; unfold remaining; rewrite W, Hh.
    destruct (holder s); lia.
  Qed.

  Ltac weigh := unfold ahead, weight; reduce; repeat split; lia.

  Lemma alice_turn (s : chips (tug n)) : ahead s -> place s <> n ->
    over (tug n) (place s) = false /\ bids develin_payne Alice s (better s).
  Proof.
    intros Hs Hn; pose proof Hs as (V & K & W & B); unfold weight in W.
    assert (place s <> - n) by (intro E; rewrite E in B; lia).
    split; [now apply tug_over|].
    assert (c <= c * (n - place s)) by nia.
    assert (0 <= c * (n + place s)) by nia.
    destruct s as [v a b h]; cbn [place] in *; destruct h.
    - apply bid_with_advantage with (Z.to_nat (c - 1)); [reduce; lia | reflexivity | | |].
      1,2: apply (after_win (tug n) v (v + 1) (v - 1)); try reflexivity;
        apply heavier; [exact Hs | weigh | weigh].
      intros y Hy; apply (after_loss (tug n) v (v + 1) (v - 1)) with (p := Alice); try reflexivity.
      + apply heavier; [exact Hs | weigh | weigh].
      + destruct (Z.eq_dec (Z.of_nat y) c).
        * apply nearer; [weigh | weigh | reflexivity | reduce; lia].
        * apply heavier; [exact Hs | weigh | weigh].
    - apply bid_without_advantage with (Z.to_nat c); [reduce; lia | reflexivity | | |].
      + apply (after_win (tug n) v (v + 1) (v - 1)); try reflexivity.
        apply nearer; [weigh | weigh | reflexivity | reduce; lia].
      + intro Hy; apply (after_loss (tug n) v (v + 1) (v - 1)) with (p := Alice); try reflexivity;
          apply heavier; [exact Hs | weigh | weigh | exact Hs | weigh | weigh].
      + intros y Hy; apply (after_loss (tug n) v (v + 1) (v - 1)) with (p := Alice); try reflexivity;
          apply heavier; [exact Hs | weigh | weigh | exact Hs | weigh | weigh].
  Qed.
End Alice.

Theorem tug_alice_wins n c k s : 1 <= n -> 1 <= c -> ahead n c k s ->
  forces (with_chips (tug n) develin_payne) Alice s.
Proof.
  intros Hn Hc Hs.
  apply (forces_by_rank (with_chips (tug n) develin_payne) Alice
    (fun m s => ahead n c k s /\ Z.to_nat (remaining n c k s) = m)) with (Z.to_nat (remaining n c k s)); [|auto].
  clear s Hs; intros m s [Hs <-]; destruct (Z.eq_dec (place s) n) as [E|E].
  - left; simpl; now rewrite E, Z.eqb_refl.
  - right; destruct (alice_turn n c k Hn Hc s Hs E) as [O (x & Hx & B)]; split; [exact O|].
    exists x; split; [exact Hx|]; intros y Hy; specialize (B y Hy); revert B.
    unfold lands; apply steers_mono; intros [w h] _; apply after_mono; intros v _ [Ht L].
    eexists; split; [|split; [exact Ht | reflexivity]].
    pose proof (weight_bound n c k Hn Hc _ Ht); lia.
Qed.

(** ** Bob prevents it *)

Section Bob.
  Variables (n c : Z) (k : nat).
  Hypotheses (n_pos : 1 <= n) (c_nonneg : 0 <= c).

  Definition behind (s : chips (tug n)) : Prop :=
    - n <= place s <= n /\ (alices s + bobs s = k)%nat /\
    Z.of_nat (half_chips Alice s) + 1 < 2 * (c + 1) * (n - place s) /\
    2 * c * (n + place s) <= Z.of_nat (half_chips Bob s).

  Ltac weigh := unfold behind; reduce; repeat split; lia.

  Theorem tug_bob_prevents s : behind s -> avoids (with_chips (tug n) develin_payne) Bob s.
  Proof.
    apply (avoids_by_invariant (with_chips (tug n) develin_payne)).
    clear s; intros s Hs; pose proof Hs as (V & K & W & B).
    assert (place s <> n) by (intro E; rewrite E in W; lia).
    destruct (Z.eq_dec (place s) (- n)) as [E|E].
    { left; simpl; unfold over; simpl; rewrite E.
      destruct (Z.eqb_spec (- n) n); [lia|]; rewrite Z.eqb_refl; split; [reflexivity | discriminate]. }
    right; split; [now apply tug_over|]; change (bids develin_payne Bob s behind).
    assert (c <= c * (n + place s)) by nia.
    destruct s as [v a b h]; cbn [place] in *; destruct h.
    - apply bid_without_advantage with (Z.to_nat c); [reduce; lia | reflexivity | | |].
      + apply (after_win (tug n) v (v + 1) (v - 1)); try reflexivity; weigh.
      + intro Hy; apply (after_loss (tug n) v (v + 1) (v - 1)) with (p := Bob); try reflexivity; weigh.
      + intros y Hy; apply (after_loss (tug n) v (v + 1) (v - 1)) with (p := Bob); try reflexivity; weigh.
    - apply bid_with_advantage with (Z.to_nat c); [reduce; lia | reflexivity | | |].
      1,2: apply (after_win (tug n) v (v + 1) (v - 1)); try reflexivity; weigh.
      intros y Hy; apply (after_loss (tug n) v (v + 1) (v - 1)) with (p := Bob); try reflexivity; weigh.
  Qed.
End Bob.

(** ** Corollary 4.2 and Proposition 4.1 *)

Definition alice_wins_tug (n x y : nat) (h : player) : Prop :=
  forces (with_chips (tug (Z.of_nat n)) develin_payne) Alice (State (G := tug (Z.of_nat n)) 0 x y h).

Lemma decide_tug n x y h (Q : Prop) : (0 < n)%nat ->
  (Q -> exists c, 1 <= c /\ ahead (Z.of_nat n) c (x + y) (State (G := tug (Z.of_nat n)) 0 x y h)) ->
  (~ Q -> exists c, 0 <= c /\ behind (Z.of_nat n) c (x + y) (State (G := tug (Z.of_nat n)) 0 x y h)) ->
  Q \/ ~ Q -> (alice_wins_tug n x y h <-> Q).
Proof.
  intros Hn F N D; split.
  - intro W; destruct D as [|D]; [assumption|]; destruct (N D) as (c & Hc & B).
    apply (forces_avoids _ Alice _ (with_chips_proper (tug (Z.of_nat n)) develin_payne)) in W; contradict W.
    apply (tug_bob_prevents (Z.of_nat n) c (x + y)); auto; lia.
  - intro HQ; destruct (F HQ) as (c & Hc & B).
    apply (tug_alice_wins (Z.of_nat n) c (x + y)); auto; lia.
Qed.

Section Corollary.
  Variables (n a b k k' : nat).
  Hypotheses (Ha : (a < n)%nat) (Hb : (b < n)%nat).

  Theorem corollary_4_2_without : alice_wins_tug n (k * n + a) (k' * n + b) Bob <-> (k' < k)%nat.
  Proof.
    apply decide_tug; [lia| | |lia].
    - intro L; exists (Z.of_nat k); split; [lia|]; unfold ahead, weight; reduce; repeat split; nia.
    - intro L; exists (Z.of_nat k'); split; [lia|]; unfold behind; reduce; repeat split; nia.
  Qed.

  Theorem corollary_4_2_with :
    alice_wins_tug n (k * n + a) (k' * n + b) Alice <-> (k' < k \/ (k = k' /\ a = n - 1))%nat.
  Proof.
    apply decide_tug; [lia| | |lia].
    - intro L; exists (Z.of_nat k' + 1); split; [lia|]; unfold ahead, weight; reduce; repeat split; nia.
    - intro L; exists (Z.of_nat k'); split; [lia|]; unfold behind; reduce; repeat split; nia.
  Qed.
End Corollary.

(** If Bob has fewer than n chips, Alice wins if and only if she has at least
    (n - 1)*. *)
Theorem proposition_4_1 (n x b : nat) (h : player) : (b < n)%nat ->
  alice_wins_tug n x b h <-> (halves (Star (n - 1)) <= half_chips Alice (State (G := tug (Z.of_nat n)) 0%Z x b h))%nat.
Proof.
  intro Hb; apply decide_tug; [lia | | |lia]; unfold halves; intro L.
  - exists 1; split; [lia|]; unfold ahead, weight; destruct h; reduce; repeat split; lia.
  - exists 0; split; [lia|]; unfold behind; destruct h; reduce; repeat split; lia.
Qed.

(** ** With real money *)

Theorem tug_critical n v : 1 <= n -> - n <= v <= n ->
  critical (tug n) v (n - v # Z.to_pos (2 * n)).
Proof.
  intros Hn Hv.
  pose (info := fun v : position (tug n) => (Z.to_N (n - v), Z.to_N (n - v))).
  rewrite <- (Z2N.id (n - v)) by lia; change (Z.to_N (n - v)) with (fst (info v)).
  assert (HD : Z.pos (Z.to_pos (2 * n)) = 2 * n) by (apply Z2Pos.id; lia).
  set (D := Z.to_pos (2 * n)) in *; clearbody D.
  apply (values_with_ranks (tug n) (fun v => - n <= v <= n) D info (N.pos D)); [| | |exact Hv].
  - intros w u Hw O; apply tug_over in O; intros [[<-|[]]|[<-|[]]]; lia.
  - intros w Hw; unfold info; cbn [snd]; pose proof (Z2N.id (n - w)); lia.
  - intros w Hw; pose proof (Z2N.id (n - w)); pose proof (Z2N.id (n - (w + 1))); pose proof (Z2N.id (n - (w - 1))).
    unfold value_holds, info; cbn [winner moves tug map sides least greatest fst snd].
    destruct (Z.eqb_spec w n) as [E|E]; [lia|].
    destruct (Z.eqb_spec w (- n)) as [E'|E']; [lia|].
    rewrite (proj2 (lex_spec _ _ _ _)) by lia; cbn [fst snd]; lia.
Qed.

(** * The discrete Richman calculus

    Theorem 3.7 of Develin & Payne: the critical threshold of a position
    follows from those of its successors.  Counted in half chips it reads

        f(v) = ceil(lo / 2) + floor(hi / 2),

    where [lo] is what Alice needs at the position that follows if she wins the
    bid, and [hi] if Bob does.

    As printed the theorem writes f_A for [lo] and f_B for [hi].  In zugzwang
    (f_A > f_B) that is false, for then the winner of the bid makes the other
    move: see [theorem_3_7_fails_in_zugzwang] in Wedges.v.  Without zugzwang the
    printed formula is the one above: [theorem_3_7].

    The theorem is proved here for single positions of arbitrary games.  For
    games with cycles, what Alice can force is built up from the truncations
    G[n] ([forces_by_stages]), and what Bob can prevent needs only a solution
    of the equations ([avoids_by_equations]). *)

From Coq Require Import List Bool Arith ZArith Lia ZifyNat.
From Proofs Require Import Games Play Chips Sides.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

Definition richman_mean (lo hi : nat) : nat := (lo + 1) / 2 + hi / 2.

(** ** One turn

    Player [p] needs [lo] half chips at the next position if he wins the bid,
    [hi] if he loses it.  The mean is enough: he bids half of what he can spare
    over [lo], and with the advantage he uses it if that leaves nothing over. *)

Lemma half_chips_settle {G} p w x h v (s : chips G) :
  half_chips p (settle w x h v s) =
  2 * (if same w p then purse p s - x else purse p s + x) + (if same h p then 1 else 0).
Proof. now destruct p, w. Qed.

Lemma total_settle {G} w x h v (s : chips G) : x <= purse w s ->
  alices (settle w x h v s) + bobs (settle w x h v s) = alices s + bobs s.
Proof. destruct w; simpl; lia. Qed.

Lemma place_settle {G} w x h v (s : chips G) : place (settle w x h v s) = v.
Proof. now destruct w. Qed.

Lemma chips_turn G p (s : chips G) (need : position G -> nat) lo hi :
  lo <= hi ->
  after G chooses p p (place s) (fun v => need v <= lo) ->
  after G chooses p (other p) (place s) (fun v => need v <= hi) ->
  richman_mean lo hi <= half_chips p s ->
  bids develin_payne p s (fun t => next G (place s) (place t) /\
    alices t + bobs t = alices s + bobs s /\ need (place t) <= half_chips p t).
Proof.
  unfold richman_mean; intros L Hwin Hlose Hm; unfold half_chips in Hm.
  pose (x := (half_chips p s - lo) / 2).
  assert (Hx : 2 * x + lo <= half_chips p s /\ half_chips p s <= 2 * x + lo + 1)
    by (unfold x, half_chips; destruct (same (holder s) p); lia).
  clearbody x; unfold half_chips in Hx.
  assert (Hp : x <= purse p s) by (destruct (same (holder s) p); lia).
  exists x; split; [exact Hp|]; intros y Hy.
  (* Winning at the price x, losing to the price z, with h holding the status then. *)
  assert (Win : forall h, lo <= 2 * (purse p s - x) + (if same h p then 1 else 0) ->
    after G chooses p p (place s) (fun v => let t := settle p x h v s in
      next G (place s) (place t) /\ alices t + bobs t = alices s + bobs s /\
      need (place t) <= half_chips p t)).
  { intros h Hh; eapply after_mono; [|exact Hwin]; intros v N Hv; cbv beta zeta in *.
    rewrite total_settle, place_settle, half_chips_settle, same_refl by lia.
    cbv iota; repeat split; auto; lia. }
  assert (Lose : forall h, hi <= 2 * (purse p s + y) + (if same h p then 1 else 0) ->
    after G chooses p (other p) (place s) (fun v => let t := settle (other p) y h v s in
      next G (place s) (place t) /\ alices t + bobs t = alices s + bobs s /\
      need (place t) <= half_chips p t)).
  { intros h Hh; eapply after_mono; [|exact Hlose]; intros v N Hv; cbv beta zeta in *.
    rewrite total_settle, place_settle, half_chips_settle, other_same by lia.
    cbv iota; repeat split; auto; lia. }
  unfold lands, verdicts; simpl tie_rule; simpl mover_rule.
  destruct (Nat.ltb_spec y x) as [Y|Y]; [|destruct (Nat.ltb_spec x y) as [Y'|Y']].
  - (* p has bid more. *)
    assert (W : after G chooses p p (place s) (fun v => let t := settle p x (holder s) v s in
      next G (place s) (place t) /\ alices t + bobs t = alices s + bobs s /\
      need (place t) <= half_chips p t)) by (apply Win; lia).
    unfold steers; destruct (same p (holder s)).
    + eexists; split; [now left|]; cbv beta iota; rewrite same_refl; exact W.
    + intros wh [<-|[]]; cbv beta iota; rewrite same_refl; exact W.
  - (* The other has bid more. *)
    assert (W : after G chooses p (other p) (place s) (fun v => let t := settle (other p) y (holder s) v s in
      next G (place s) (place t) /\ alices t + bobs t = alices s + bobs s /\
      need (place t) <= half_chips p t))
      by (apply Lose; destruct (same (holder s) p); lia).
    unfold steers; destruct (same p (holder s)).
    + eexists; split; [now left|]; cbv beta iota; rewrite other_same; exact W.
    + intros wh [<-|[]]; cbv beta iota; rewrite other_same; exact W.
  - (* The bids are equal. *)
    assert (x = y) as <- by lia.
    destruct (player_cases p (holder s)) as [E|E]; rewrite E in *; unfold steers.
    + rewrite same_refl in *.
      destruct (Nat.eq_dec (2 * x + lo) (2 * purse p s + 1)) as [Q|Q].
      * exists (other p, p); split; [simpl; auto|]; cbv beta iota; rewrite other_same.
        apply Lose; rewrite same_refl; lia.
      * exists (p, other p); split; [simpl; auto|]; cbv beta iota; rewrite same_refl.
        apply Win; rewrite other_same; lia.
    + rewrite same_other, other_same, other_other in *.
      intros wh [<-|[<-|[]]]; cbv beta iota; rewrite ?same_refl, ?other_same.
      * apply Lose; rewrite same_refl; lia.
      * apply Win; rewrite other_same; lia.
Qed.

Lemma half_chips_bob {G} (s : chips G) k : alices s + bobs s = k ->
  half_chips Bob s + half_chips Alice s = 2 * k + 1.
Proof. unfold half_chips; simpl; destruct (holder s); simpl; lia. Qed.

(** The same turn for Bob, who wants Alice to have too little. *)
Lemma chips_turn_bob G (s : chips G) k (need : position G -> nat) lo hi :
  alices s + bobs s = k -> lo <= hi -> hi <= 2 * k + 2 ->
  after G chooses Bob Bob (place s) (fun v => hi <= need v) ->
  after G chooses Bob Alice (place s) (fun v => lo <= need v) ->
  half_chips Alice s < richman_mean lo hi ->
  bids develin_payne Bob s (fun t => next G (place s) (place t) /\
    alices t + bobs t = k /\ half_chips Alice t < need (place t)).
Proof.
  intros Hk L B Hwin Hlose Hm; pose proof (half_chips_bob s k Hk) as E.
  destruct (chips_turn G Bob s (fun v => 2 * k + 2 - need v) (2 * k + 2 - hi) (2 * k + 2 - lo))
    as (x & Hx & H).
  - lia.
  - eapply after_mono; [|exact Hwin]; simpl; lia.
  - eapply after_mono; [|exact Hlose]; simpl; lia.
  - unfold richman_mean in *; lia.
  - exists x; split; [exact Hx|]; intros y Hy; specialize (H y Hy); revert H.
    unfold lands; apply steers_mono; intros [w h] _; apply after_mono; intros v _.
    simpl; intros (N & T & M); rewrite Hk in T; repeat split; auto.
    pose proof (half_chips_bob _ k T); lia.
Qed.

(** ** Games with cycles

    [need n v] half chips are enough at [v] to win in at most [n] steps: the
    critical threshold of the truncation G[n], or more (Develin & Payne,
    section 3.4). *)

Section Stages.
  Variables (G : game) (k : nat) (P : position G -> Prop) (need : nat -> position G -> nat).
  Hypothesis closed : stays G P.
  Hypothesis stages : forall n v, P v ->
    winner G v = Some Alice \/ 2 * k + 2 <= need n v \/
    (over G v = false /\ exists m lo hi, m < n /\ lo <= hi /\
      after G chooses Alice Alice v (fun w => need m w <= lo) /\
      after G chooses Alice Bob v (fun w => need m w <= hi) /\
      richman_mean lo hi <= need n v).

  Theorem forces_by_stages n (s : chips G) :
    P (place s) -> alices s + bobs s = k -> need n (place s) <= half_chips Alice s ->
    forces (with_chips G develin_payne) Alice s.
  Proof.
    intros HP Hk Hn.
    apply (forces_by_rank (with_chips G develin_payne) Alice
      (fun n (s : chips G) => P (place s) /\ alices s + bobs s = k /\ need n (place s) <= half_chips Alice s)) with n;
      [|auto].
    clear n s HP Hk Hn; intros n s (HP & Hk & Hn); simpl.
    destruct (stages n (place s) HP) as [W | [W | (O & m & lo & hi & Hm & L & A & B & M)]]; [auto| |].
    - pose proof (half_chips_bob s k Hk); lia.
    - right; split; [exact O|].
      destruct (chips_turn G Alice s (need m) lo hi L A B ltac:(lia)) as (x & Hx & H).
      exists x; split; [exact Hx|]; intros y Hy; specialize (H y Hy); revert H.
      unfold lands; apply steers_mono; intros [w h] _; apply after_mono; intros v _ (N & T & E).
      exists m; split; [exact Hm|]; rewrite Hk in T; repeat split; auto.
      exact (closed _ _ HP O N).
  Qed.
End Stages.

(** With fewer than [need v] half chips Alice does not win, if [need] solves
    the equations of Theorem 3.7: cycles need no further care for Bob. *)

Section Equations.
  Variables (G : game) (k : nat) (P : position G -> Prop) (need : position G -> nat).
  Hypothesis closed : stays G P.
  Hypothesis equations : forall v, P v ->
    (winner G v = Some Alice -> need v = 0) /\
    (over G v = false -> exists lo hi, lo <= hi /\ hi <= 2 * k + 2 /\
      after G chooses Bob Bob v (fun w => hi <= need w) /\
      after G chooses Bob Alice v (fun w => lo <= need w) /\
      need v <= richman_mean lo hi).

  Theorem avoids_by_equations (s : chips G) :
    P (place s) -> alices s + bobs s = k -> half_chips Alice s < need (place s) ->
    avoids (with_chips G develin_payne) Bob s.
  Proof.
    intros HP Hk Hn.
    apply (avoids_by_invariant (with_chips G develin_payne) Bob
      (fun s : chips G => P (place s) /\ alices s + bobs s = k /\ half_chips Alice s < need (place s)));
      [|auto].
    clear s HP Hk Hn; intros s (HP & Hk & Hn); simpl.
    destruct (equations (place s) HP) as [W E].
    destruct (over G (place s)) eqn:O.
    - left; split; [reflexivity|]; intro H; rewrite (W H) in Hn; lia.
    - right; split; [reflexivity|]; destruct (E eq_refl) as (lo & hi & L & B & Hb & Ha & M).
      destruct (chips_turn_bob G s k need lo hi Hk L B Hb Ha ltac:(lia)) as (x & Hx & H).
      exists x; split; [exact Hx|]; intros y Hy; specialize (H y Hy); revert H.
      unfold lands; apply steers_mono; intros [w h] _; apply after_mono; intros v _ (N & T & Q).
      repeat split; auto; exact (closed _ _ HP O N).
  Qed.
End Equations.

(** ** Theorem 3.7 *)

Theorem critical_at_alices_win G v k : winner G v = Some Alice -> critical_halves G v k 0.
Proof.
  intro W; split; [lia|]; intros s <- Hk; split; [|lia].
  intros _; now apply forces_won.
Qed.

Theorem critical_at_other_ends G v k :
  over G v = true -> winner G v <> Some Alice -> critical_halves G v k (2 * (k + 1)).
Proof.
  intros O W; split; [lia|]; intros s <- Hk; split.
  - pose proof (half_chips_bob s k Hk); lia.
  - intros _; now apply avoids_over.
Qed.

Lemma le_total x y : Nat.leb x y = false -> Nat.leb y x = true.
Proof. rewrite Nat.leb_nle, Nat.leb_le; lia. Qed.

Lemma le_trans' x y z : Nat.leb x y = true -> Nat.leb y z = true -> Nat.leb x z = true.
Proof. rewrite !Nat.leb_le; lia. Qed.

Theorem richman_calculus G v k (f : position G -> nat) lo hi :
  winner G v = None ->
  (forall w, next G v w -> critical_halves G w k (f w)) ->
  sides Nat.leb (map f (moves G Alice v)) (map f (moves G Bob v)) = Some (lo, hi) ->
  critical_halves G v k (richman_mean lo hi).
Proof.
  intros Wn Hf S; pose proof (over_some _ _ _ _ _ Wn S) as O.
  destruct (sides_correct Nat.leb le_total le_trans' G f v lo hi S) as [L A1 A2 B1 B2].
  apply Nat.leb_le in L.
  assert (Hhi : hi <= 2 * k + 2).
  { assert (X : after G chooses Bob Bob v (fun w => hi <= 2 * k + 2)).
    { eapply after_mono; [|exact B1]; simpl; intros w N; rewrite Nat.leb_le.
      destruct (Hf w N) as [B _]; lia. }
    assert (Y : after G chooses Alice Bob v (fun w => True)) by (eapply after_mono; [|exact A2]; auto).
    destruct (after_meet _ _ _ _ _ _ _ Y X) as (? & _ & ?); assumption. }
  split; [unfold richman_mean; lia|]; intros s <- Hk; split; intro H.
  - destruct (chips_turn G Alice s f lo hi L) as (x & Hx & B); [| |exact H|].
    1,2: (eapply after_mono; [|eassumption]); intros w _; rewrite Nat.leb_le; auto.
    apply (forces_turn (with_chips G develin_payne) Alice s
      (fun t => next G (place s) (place t) /\ alices t + bobs t = alices s + bobs s /\ f (place t) <= half_chips Alice t));
      [exact O | exists x; auto |].
    intros t (N & T & E); destruct (Hf _ N) as [_ C]; apply C; auto; lia.
  - destruct (chips_turn_bob G s k f lo hi Hk L Hhi) as (x & Hx & B); [| |exact H|].
    1,2: (eapply after_mono; [|eassumption]); intros w _; rewrite Nat.leb_le; auto.
    apply (avoids_turn (with_chips G develin_payne) Bob s
      (fun t => next G (place s) (place t) /\ alices t + bobs t = k /\ half_chips Alice t < f (place t)));
      [exact O | exists x; auto |].
    intros t (N & T & E); destruct (Hf _ N) as [_ C]; apply C; auto.
Qed.

(** The formula as it is printed, for f_A and f_B among 0 < 0* < 1 < ... *)
Definition whole (x : count) : nat := match x with Chip a | Star a => a end.

Definition printed_formula (fA fB : count) : count :=
  let sum := whole fA + whole fB in
  match Nat.even sum, fA with
  | true, Chip _ => Chip (sum / 2)
  | false, Star _ => Chip (sum / 2 + 1)
  | _, _ => Star (sum / 2)
  end.

Lemma printed_formula_halves fA fB :
  halves (printed_formula fA fB) = richman_mean (halves fA) (halves fB).
Proof.
  unfold printed_formula, richman_mean.
  destruct (Nat.even (whole fA + whole fB)) eqn:E.
  - apply Nat.even_spec in E; destruct E as [m E].
    destruct fA as [a|a], fB as [b|b]; cbn [halves whole] in *; lia.
  - assert (O : Nat.odd (whole fA + whole fB) = true) by (unfold Nat.odd; now rewrite E).
    apply Nat.odd_spec in O; destruct O as [m O].
    destruct fA as [a|a], fB as [b|b]; cbn [halves whole] in *; lia.
Qed.

(** Theorem 3.7 for a position without zugzwang.  Alice's best move has the
    critical threshold f_A, Bob's best f_B, and f_A <= f_B. *)
Theorem theorem_3_7 G v k (f : position G -> count) fA fB :
  winner G v = None ->
  (forall w, next G v w -> f_is G w k (f w)) ->
  (exists w, In w (moves G Alice v) /\ f w = fA) ->
  (forall w, In w (moves G Alice v) -> halves fA <= halves (f w)) ->
  (exists w, In w (moves G Bob v) /\ f w = fB) ->
  (forall w, In w (moves G Bob v) -> halves (f w) <= halves fB) ->
  halves fA <= halves fB ->
  f_is G v k (printed_formula fA fB).
Proof.
  intros Wn Hf (wa & Ia & Ea) Ma (wb & Ib & Eb) Mb L.
  unfold f_is; rewrite printed_formula_halves.
  apply (richman_calculus G v k (fun w => halves (f w))); auto.
  unfold sides.
  destruct (moves G Alice v) as [|x a] eqn:EA; [easy|].
  destruct (moves G Bob v) as [|y b] eqn:EB; [easy|].
  set (value := fun w => halves (f w)) in *; simpl map.
  destruct (least_value Nat.leb le_total le_trans' G value x a) as [(w & I & E) M].
  destruct (greatest_value Nat.leb le_total le_trans' G value y b) as [(w' & I' & E') M'].
  apply Nat.leb_le in E, E'.
  pose proof (proj1 (Nat.leb_le _ _) (M wa Ia)); pose proof (proj1 (Nat.leb_le _ _) (M' wb Ib)).
  pose proof (Ma w I); pose proof (Mb w' I'); unfold value in *; rewrite Ea, Eb in *.
  replace (least _ _ _) with (halves fA) by lia.
  replace (greatest _ _ _) with (halves fB) by lia.
  now rewrite (proj2 (Nat.leb_le _ _) L).
Qed.

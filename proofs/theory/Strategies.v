(** * Strategies as functions

    A strategy says, after every history: what to bid; then, both bids being
    shown, how to use the tie status, who is to move, and where.  It is a
    function that can be run.  All its answers are legal by construction: a bid
    is cut down to the purse, and a choice is a number that picks from the list
    of what is allowed, counted round and round.  So an opponent is any such
    function whatever.

    A certificate gives a strategy ([by_rank], [by_safety]), and it is proved
    that it wins, or does not lose, against every opponent. *)

From Coq Require Import List Bool Arith NArith Lia.
From Proofs Require Import Games Play Chips Decide Listings Certificates.
Import ListNotations.

(** ** Strategies and plays *)

Section Strategies.
  Context {G : game} (r : rules).

  (** The states so far, the present one first. *)
  Definition history := list (chips G).

  Record strategy := Strategy {
    bid : history -> nat;
    (* With both bids, his own first: which of the [verdicts]. *)
    verdict : history -> nat -> nat -> nat;
    (* With the verdict: which of the [movers]. *)
    mover : history -> nat -> nat -> player * player -> nat;
    (* With the mover: which of the [moves]. *)
    move : history -> nat -> nat -> player * player -> player -> nat
  }.

  Definition pick {X} (dflt : X) (l : list X) (i : nat) : X := nth (i mod length l) l dflt.

  (** The bid that [p] shows at the state [s] of history [hs]. *)
  Definition shown (sigma : player -> strategy) (s : chips G) (hs : history) (p : player) : nat :=
    Nat.min (bid (sigma p) hs) (purse p s).

  (** One turn of the two players' strategies at the state [s] of history [hs]. *)
  Definition turn (sigma : player -> strategy) (s : chips G) (hs : history) : chips G :=
    let b := shown sigma s hs in
    let h := holder s in
    let wh := pick (h, h) (verdicts (tie_rule r) h Alice (b Alice) (b Bob)) (verdict (sigma h) hs (b h) (b (other h))) in
    let w := fst wh in
    let q := pick w (movers G (mover_rule r) w (place s)) (mover (sigma w) hs (b w) (b (other w)) wh) in
    let v := pick (place s) (moves G q (place s)) (move (sigma q) hs (b q) (b (other q)) wh q) in
    settle w (b w) (snd wh) v s.

  (** The history after [n] turns from [s]; a play that is over stays as it is. *)
  Fixpoint play (sigma : player -> strategy) (s : chips G) (n : nat) : history :=
    match n with
    | O => [s]
    | S n =>
        match play sigma s n with
        | [] => []
        | t :: hs => if over G (place t) then t :: hs else turn sigma t (t :: hs) :: t :: hs
        end
    end.

  (** The state after [n] turns. *)
  Definition after_turns (sigma : player -> strategy) (s : chips G) (n : nat) : chips G := hd s (play sigma s n).

  (** [p] follows a strategy that wins from [s]: whatever the other does, after
      some number of turns [p] has won. *)
  Definition winning (p : player) (s : chips G) (own : strategy) : Prop :=
    forall sigma, sigma p = own -> exists n, winner G (place (after_turns sigma s n)) = Some p.

  (** It never loses: the other does not win in any number of turns. *)
  Definition never_losing (p : player) (s : chips G) (own : strategy) : Prop :=
    forall sigma, sigma p = own -> forall n, winner G (place (after_turns sigma s n)) <> Some (other p).

  (** ** Aiming

      The strategy [aim p T] moves from [s] into the set [T s], where that can
      be secured: by search through the bids and the choices. *)

  Fixpoint first {X} (f : X -> bool) (l : list X) : nat :=
    match l with
    | [] => 0
    | x :: l => if f x then 0 else S (first f l)
    end.

  Definition now (hs : history) : option (chips G) := hd_error hs.

  Definition aim (p : player) (T : chips G -> chips G -> bool) : strategy := {|
    bid hs :=
      match hs with
      | [] => 0
      | s :: _ => pick 0 (upto (purse p s)) (first (bid_good r p s (T s)) (upto (purse p s)))
      end;
    verdict hs x y :=
      match hs with
      | [] => 0
      | s :: _ => first (verdict_good r p s (T s) x y) (verdicts (tie_rule r) (holder s) p x y)
      end;
    mover hs x y wh :=
      match hs with
      | [] => 0
      | s :: _ =>
          let (w, h) := wh in
          first (fun q => steers_b p q (moves G q (place s))
                            (fun v => T s (settle w (if same w p then x else y) h v s)))
            (movers G (mover_rule r) w (place s))
      end;
    move hs x y wh q :=
      match hs with
      | [] => 0
      | s :: _ =>
          let (w, h) := wh in
          first (fun v => T s (settle w (if same w p then x else y) h v s)) (moves G q (place s))
      end
  |}.

  Lemma pick_in {X} (d : X) l i : l <> [] -> In (pick d l i) l.
  Proof.
    intro H; apply nth_In, Nat.mod_upper_bound; destruct l; [easy | discriminate].
  Qed.

  Lemma pick_first {X} (d : X) f l : some f l = true -> f (pick d l (first f l)) = true.
  Proof.
    intro H; assert (K : first f l < length l /\ f (nth (first f l) l d) = true).
    { induction l as [|x l IH]; simpl in *; [discriminate|].
      destruct (f x) eqn:E; [split; [lia | exact E]|]; destruct (IH H); split; [lia | assumption]. }
    unfold pick; rewrite Nat.mod_small; apply K.
  Qed.

  (** If [p] picks, he picks well; if the other does, everything is good. *)
  Lemma steered {X} p q (d : X) l f i : steers_b p q l f = true -> l <> [] ->
    (p = q -> i = first f l) -> f (pick d l i) = true.
  Proof.
    unfold steers_b; intros H N E; destruct (same p q) eqn:S.
    - apply same_eq in S; rewrite (E S); now apply pick_first.
    - exact (proj1 (every_spec _ _) H _ (pick_in d l i N)).
  Qed.

  Lemma verdicts_some t h p x y : verdicts t h p x y <> [].
  Proof. unfold verdicts; destruct (y <? x), (x <? y), t; discriminate. Qed.

  Lemma movers_can c w v q : over G v = false -> In q (movers G c w v) -> can_move G q v = true.
  Proof.
    unfold over, movers; destruct (winner G v); [discriminate|].
    intros O I; destruct c.
    - now apply filter_In in I.
    - destruct (can_move G w v) eqn:W; destruct I as [<-|[]]; [exact W|].
      destruct w; simpl in *; [rewrite W in O|]; destruct (can_move G Alice v), (can_move G Bob v); easy.
  Qed.

  Lemma movers_some c w v : over G v = false -> movers G c w v <> [].
  Proof.
    unfold over, movers; destruct (winner G v); [discriminate|]; intro O; destruct c.
    - simpl; destruct (can_move G Alice v), (can_move G Bob v); easy.
    - destruct (can_move G w v); discriminate.
  Qed.

  Theorem aim_turn p T sigma s hs : sigma p = aim p T -> over G (place s) = false ->
    bids_b r p s (T s) = true -> T s (turn sigma s (s :: hs)) = true.
  Proof.
    intros Hp O B; unfold turn; cbv zeta.
    set (b := shown sigma s (s :: hs)).
    assert (Bp : bid_good r p s (T s) (b p) = true).
    { unfold b, shown; rewrite Hp; cbn [aim bid]; unfold bids_b in B.
      pose proof (pick_first 0 _ _ B) as K.
      set (x := pick 0 _ _) in *.
      assert (x <= purse p s) by (apply upto_spec, pick_in; discriminate).
      now rewrite Nat.min_l. }
    assert (L : lands_b r p s (T s) (b p) (b (other p)) = true).
    { apply (proj1 (every_spec _ _) Bp), upto_spec; unfold b, shown; lia. }
    unfold lands_b in L.
    replace (verdicts (tie_rule r) (holder s) Alice (b Alice) (b Bob))
      with (verdicts (tie_rule r) (holder s) p (b p) (b (other p)))
      by (destruct p; [reflexivity | apply (verdicts_sym _ _ Alice)]).
    set (wh := pick _ (verdicts _ _ _ _ _) _).
    assert (V : verdict_good r p s (T s) (b p) (b (other p)) wh = true).
    { apply (steered p (holder s)); [exact L | apply verdicts_some|].
      intro E; rewrite <- E, Hp; cbn [aim verdict]; now rewrite <- E. }
    clearbody wh; destruct wh as [w h]; unfold verdict_good, after_b in V; cbn [fst snd].
    set (q := pick w _ _).
    assert (Q : steers_b p q (moves G q (place s))
        (fun v => T s (settle w (if same w p then b p else b (other p)) h v s)) = true).
    { apply (steered p w w _ _ _ V); [now apply movers_some|].
      intros <-; now rewrite Hp. }
    assert (M : can_move G q (place s) = true)
      by (apply (movers_can (mover_rule r) w); [exact O | apply pick_in; now apply movers_some]).
    clearbody q.
    set (v := pick (place s) _ _).
    assert (W : T s (settle w (if same w p then b p else b (other p)) h v s) = true).
    { apply (steered p q (place s) _ _ _ Q); [unfold can_move in M; now destruct (moves G q (place s))|].
      intros <-; now rewrite Hp. }
    replace (b w) with (if same w p then b p else b (other p)); [exact W|].
    now destruct w, p.
  Qed.

  Lemma play_cons sigma s n : exists hs, play sigma s n = after_turns sigma s n :: hs.
  Proof.
    unfold after_turns; induction n as [|n [hs E]]; simpl; [eauto|].
    rewrite E; destruct (over G _); eauto.
  Qed.

  (** What every turn keeps, the play keeps, or it is over. *)
  Lemma play_step sigma s n : exists hs, after_turns sigma s (S n) =
    let t := after_turns sigma s n in if over G (place t) then t else turn sigma t (t :: hs).
  Proof.
    destruct (play_cons sigma s n) as [hs E]; exists hs.
    unfold after_turns at 1; cbn [play]; rewrite E; cbv zeta; now destruct (over G _).
  Qed.

  (** ** Winning by ranks *)

  Section Ranks.
    Variables (p : player) (rank : chips G -> option nat).

    Definition lower (s t : chips G) : bool :=
      match rank s, rank t with Some n, Some m => m <? n | _, _ => false end.

    Definition by_rank : strategy := aim p lower.

    Hypothesis progress : forall s n, rank s = Some n ->
      winner G (place s) = Some p \/ (over G (place s) = false /\ bids_b r p s (lower s) = true).

    Theorem by_rank_wins s : rank s <> None -> winning p s by_rank.
    Proof.
      intros Hs sigma Hp.
      assert (D : forall n, (exists m, winner G (place (after_turns sigma s m)) = Some p) \/
        exists k, rank (after_turns sigma s n) = Some k /\ forall k0, rank s = Some k0 -> n + k <= k0).
      { induction n as [|n [IH | (k & Hk & Hn)]]; [| left; exact IH |].
        - right; unfold after_turns; simpl; destruct (rank s) as [k|] eqn:E; [|easy].
          exists k; split; [reflexivity|]; intros k0 [= ->]; lia.
        - destruct (progress _ _ Hk) as [W | [O B]]; [eauto|]; right.
          destruct (play_step sigma s n) as [hs E]; cbv zeta in E; rewrite O in E.
          pose proof (aim_turn p lower sigma _ hs Hp O B) as L; rewrite <- E in L.
          unfold lower in L; rewrite Hk in L.
          destruct (rank (after_turns sigma s (S n))) as [m|]; [|discriminate].
          apply Nat.ltb_lt in L; exists m; split; [reflexivity|]; intros k0 E0; specialize (Hn k0 E0); lia. }
      destruct (rank s) as [k0|] eqn:E; [|easy].
      destruct (D (S k0)) as [W | (k & _ & H)]; [exact W|]; specialize (H k0 eq_refl); lia.
    Qed.
  End Ranks.

  (** ** Not losing, within a safe set *)

  Section Safety.
    Variables (p : player) (safe : chips G -> bool).

    Definition by_safety : strategy := aim p (fun _ t => safe t).

    Hypothesis progress : forall s, safe s = true ->
      winner G (place s) <> Some (other p) /\
      (over G (place s) = false -> bids_b r p s safe = true).

    Theorem by_safety_never_loses s : safe s = true -> never_losing p s by_safety.
    Proof.
      intros Hs sigma Hp n.
      assert (safe (after_turns sigma s n) = true); [|now apply progress].
      induction n as [|n IH]; [exact Hs|].
      destruct (play_step sigma s n) as [hs E]; cbv zeta in E.
      destruct (over G (place (after_turns sigma s n))) eqn:O; [now rewrite E|].
      rewrite E; apply (aim_turn p (fun _ t => safe t)); auto; now apply progress.
    Qed.
  End Safety.
End Strategies.

(** * Certificates

    Three kinds of listed certificates, each with a check that computes on
    integers only, and the theorem that what passes the check is true.

    - [values_check]: critical thresholds with real money, as numerators over a
      common denominator, with ranks ([values_with_ranks]);
    - [thresholds_check]: critical thresholds with chips under the rules of
      Develin & Payne, by Theorem 3.7, with stages on games with cycles;
    - [outcomes_ok]: who wins in each state, for every tie rule and both
      conventions, by trying all bids. *)

From Coq Require Import List Bool Arith ZArith NArith QArith Lia.
From Proofs Require Import Games Play Chips Money Sides Richman Values Decide Listings.
Import ListNotations.
Local Open Scope nat_scope.

(** ** Values with ranks *)

Section ValuesCheck.
  Context {G : game} `{Code (position G)}.

  Definition value_ok (D : N) (find : position G -> option (N * N)) (v : position G) (d : N * N) : bool :=
    let (x, r) := d in
    if N.leb x D then
      match winner G v with
      | Some Alice => N.eqb x 0
      | Some Bob => N.eqb x D
      | None =>
          match successors find v with
          | None => false
          | Some (a, b) =>
              match sides lex a b with
              | None => N.eqb x D
              | Some ((y, s), (z, t)) =>
                  if N.eqb (2 * x)%N (y + z)%N then
                    if N.leb z D then if N.eqb x D then true else N.ltb s r else false
                  else false
              end
          end
      end
    else false.

  (** The list passes, and it gives the position [v] the numerator [x]. *)
  Definition values_check (D : positive) (l : table (position G) (N * N)) (v : position G) (x : N) : bool :=
    if all_hold (value_ok (N.pos D)) l then
      match look l v with Some (y, _) => N.eqb y x | None => false end
    else false.

  Fixpoint max_rank (l : table (position G) (N * N)) : N :=
    match l with Nothing => 0 | Item _ d => snd d | Fork _ low high => N.max (max_rank low) (max_rank high) end.

  Lemma max_rank_spec l m : (max_rank l <= m)%N -> every_item (fun _ d => N.leb (snd d) m) l = true.
  Proof. induction l; simpl; intro L; [reflexivity | now apply N.leb_le | rewrite IHl1, IHl2 by lia; reflexivity]. Qed.

  Theorem values_sound D l v x : values_check D l v x = true -> critical G v (Z.of_N x # D)%Q.
  Proof.
    unfold values_check; destruct (all_hold _ l) eqn:A; [|discriminate].
    destruct (look l v) as [[y r]|] eqn:E; [|discriminate].
    intro K; apply N.eqb_eq in K; subst y.
    pose (info := claim (0, 0)%N l).
    replace x with (fst (info v)) by (unfold info, claim; now rewrite E).
    assert (OK : forall w, listed l w -> value_ok (N.pos D) (look l) w (info w) = true)
      by (intros w I; apply (listed_holds (0, 0)%N _ l A w I)).
    apply (values_with_ranks G (listed l) D info (max_rank l)).
    - intros w u I O N; pose proof (OK w I) as C; unfold value_ok in C.
      destruct (info w) as [y s]; rewrite (not_over G w O) in C.
      destruct (N.leb y _); [|discriminate].
      destruct (successors _ w) as [[a b]|] eqn:S; [|discriminate].
      destruct (successors_spec (0, 0)%N l w a b S) as (_ & _ & K); auto.
    - intros w I; unfold listed in I; destruct (look l w) as [d|] eqn:L; [|easy].
      assert (Ei : info w = d) by exact (claim_look (0, 0)%N l w d L); rewrite Ei; clear Ei.
      exact (proj1 (N.leb_le _ _) (every_item_spec _ l w d (max_rank_spec l _ (N.le_refl _)) L)).
    - intros w I; pose proof (OK w I) as C; unfold value_holds, value_ok in *.
      destruct (info w) as [y s] eqn:Ei; simpl fst; simpl snd.
      destruct (N.leb_spec y (N.pos D)); [|discriminate]; split; [assumption|].
      destruct (winner G w) as [[]|]; [now apply N.eqb_eq | now apply N.eqb_eq |].
      destruct (successors _ w) as [[a b]|] eqn:S; [|discriminate].
      destruct (successors_spec (0, 0)%N l w a b S) as (-> & -> & _); fold info in C |- *.
      destruct (sides lex _ _) as [[[y1 s1] [z1 t1]]|]; [|now apply N.eqb_eq].
      destruct (N.eqb_spec (2 * y)%N (y1 + z1)%N); [|discriminate].
      destruct (N.leb_spec z1 (N.pos D)); [|discriminate]; simpl.
      destruct (N.eqb_spec y (N.pos D)); [auto|]; apply N.ltb_lt in C; auto.
    - unfold listed; now rewrite E.
  Qed.
End ValuesCheck.

(** ** Thresholds with stages

    A position carries a staircase: pairs of a stage and a threshold in half
    chips, from the earliest stage to the last.  The pair (n, f) says that f
    half chips are enough to win within n moves.  The threshold of the last
    pair is the critical threshold; no pair at all means that Alice never wins.
    Without cycles one pair is enough. *)

Definition stairs := list (N * N).
Definition no_stairs : stairs := [].

Section ThresholdsCheck.
  Context {G : game} `{Code (position G)}.
  Variable k : N.

  Definition never : N := (2 * k + 2)%N.

  (** What is enough at stage [n]. *)
  Fixpoint enough (n : N) (st : stairs) (sofar : N) : N :=
    match st with
    | [] => sofar
    | (m, f) :: st => if N.leb m n then enough n st f else sofar
    end.

  Fixpoint final (st : stairs) (sofar : N) : N :=
    match st with [] => sofar | (_, f) :: st => final st f end.

  Definition mean (lo hi : N) : N := (N.div2 (lo + 1) + N.div2 hi)%N.

  Definition stair_ok (a b : list stairs) (nf : N * N) : bool :=
    let (n, f) := nf in
    if N.eqb n 0 then false else
    let at_stage st := enough (n - 1)%N st never in
    match sides N.leb (map at_stage a) (map at_stage b) with
    | None => false
    | Some (lo, hi) => N.leb (mean lo hi) f
    end.

  Definition stairs_ok (find : position G -> option stairs) (v : position G) (st : stairs) : bool :=
    match winner G v with
    | Some Alice => N.eqb (final st never) 0
    | Some Bob => match st with [] => true | _ => false end
    | None =>
        match successors find v with
        | None => false
        | Some (a, b) =>
            if every (stair_ok a b) st then
              let last s := final s never in
              match sides N.leb (map last a) (map last b) with
              | None => N.eqb (last st) never
              | Some (lo, hi) => if N.leb hi never then N.leb (last st) (mean lo hi) else false
              end
            else false
        end
    end.

  Definition thresholds_check (l : table (position G) stairs) (v : position G) (f : N) : bool :=
    if all_hold stairs_ok l then
      match look l v with
      | Some st => if N.leb f never then N.eqb (final st never) f else false
      | None => false
      end
    else false.

  Lemma enough_cases n st c : enough n st c = c \/
    exists m f, In (m, f) st /\ (m <= n)%N /\ enough n st c = f.
  Proof.
    revert c; induction st as [|[m f] st IH]; intro c; simpl; [auto|].
    destruct (N.leb_spec m n); [|auto].
    right; destruct (IH f) as [-> | (m' & f' & I & L & ->)]; [exists m, f | exists m', f']; auto.
  Qed.

  Lemma enough_final st c : exists n, forall n', (n <= n')%N -> enough n' st c = final st c.
  Proof.
    revert c; induction st as [|[m f] st IH]; intro c; simpl; [exists 0%N; auto|].
    destruct (IH f) as [n Hn]; exists (N.max m n); intros n' Hn'.
    destruct (N.leb_spec m n'); [apply Hn | ]; lia.
  Qed.

  Lemma mean_nat lo hi : N.to_nat (mean lo hi) = richman_mean (N.to_nat lo) (N.to_nat hi).
  Proof.
    unfold mean, richman_mean; rewrite N2Nat.inj_add, !N.div2_div, !N2Nat.inj_div, N2Nat.inj_add; reflexivity.
  Qed.

  Lemma leb_total x y : N.leb x y = false -> N.leb y x = true.
  Proof. rewrite N.leb_nle, N.leb_le; lia. Qed.

  Lemma leb_trans x y z : N.leb x y = true -> N.leb y z = true -> N.leb x z = true.
  Proof. rewrite !N.leb_le; lia. Qed.

  Theorem thresholds_sound l v f : thresholds_check l v f = true ->
    critical_halves G v (N.to_nat k) (N.to_nat f).
  Proof.
    unfold thresholds_check; destruct (all_hold _ l) eqn:A; [|discriminate].
    destruct (look l v) as [st|] eqn:E; [|discriminate].
    destruct (N.leb_spec f never) as [B|]; [|discriminate].
    intro K; apply N.eqb_eq in K; subst f.
    pose (info := claim no_stairs l).
    assert (Ev : info v = st) by exact (claim_look no_stairs l v st E).
    assert (Lv : listed l v) by (unfold listed; now rewrite E).
    assert (OK : forall w, listed l w -> stairs_ok (look l) w (info w) = true)
      by (intros w I; apply (listed_holds no_stairs _ l A w I)).
    assert (Closed : stays G (listed l)).
    { intros w u I O N; pose proof (OK w I) as C; unfold stairs_ok in C.
      rewrite (not_over G w O) in C.
      destruct (successors _ w) as [[a b]|] eqn:S; [|discriminate].
      destruct (successors_spec no_stairs l w a b S) as (_ & _ & K); auto. }
    assert (Hnever : never = (2 * k + 2)%N) by reflexivity.
    split; [lia|]; intros s Hs Hk; split; intro HW.
    - (* Alice wins, stage by stage. *)
      destruct (enough_final (info v) never) as [n Hn].
      apply (forces_by_stages G (N.to_nat k) (listed l)
        (fun n w => N.to_nat (enough (N.of_nat n) (info w) never)) Closed) with (N.to_nat n);
        [|rewrite Hs; exact Lv | exact Hk |].
      2: { rewrite Hs, N2Nat.id, Hn, Ev by lia; exact HW. }
      clear s Hs Hk HW; intros m w I; pose proof (OK w I) as C; unfold stairs_ok in C.
      destruct (winner G w) as [[]|] eqn:Ew; [auto| |].
      { destruct (info w); [simpl; right; left; lia | discriminate]. }
      destruct (successors _ w) as [[a b]|] eqn:S; [|discriminate].
      destruct (successors_spec no_stairs l w a b S) as (Ha & Hb & _); fold info in Ha, Hb.
      destruct (every _ (info w)) eqn:F; [|discriminate].
      destruct (enough_cases (N.of_nat m) (info w) never) as [-> | (n' & f & I' & L' & ->)].
      { right; left; lia. }
      pose proof (proj1 (every_spec _ _) F (n', f) I') as D; clear C; unfold stair_ok in D; cbv beta iota zeta in D.
      destruct (N.eqb_spec n' 0); [discriminate|].
      rewrite Ha, Hb, !map_map in D.
      destruct (sides N.leb _ _) as [[lo hi]|] eqn:HS; [|discriminate].
      apply N.leb_le in D.
      pose (value := fun u => enough (n' - 1) (info u) never).
      destruct (sides_correct N.leb leb_total leb_trans G value w lo hi HS) as [L A1 A2 _ _].
      right; right; split; [exact (over_some N.leb G value w _ Ew HS)|].
      exists (N.to_nat (n' - 1)%N), (N.to_nat lo), (N.to_nat hi).
      apply N.leb_le in L; repeat split; try lia.
      + eapply after_mono; [|exact A1]; simpl; intros u _; rewrite N.leb_le, N2Nat.id; unfold value; lia.
      + eapply after_mono; [|exact A2]; simpl; intros u _; rewrite N.leb_le, N2Nat.id; unfold value; lia.
      + rewrite <- mean_nat; lia.
    - (* Bob prevents it, for the last thresholds solve the equations. *)
      apply (avoids_by_equations G (N.to_nat k) (listed l) (fun w => N.to_nat (final (info w) never)) Closed);
        [|rewrite Hs; exact Lv | exact Hk | rewrite Hs, Ev; exact HW].
      clear s Hs Hk HW; intros w I; pose proof (OK w I) as C; unfold stairs_ok in C; split.
      + intro Ew; rewrite Ew in C; apply N.eqb_eq in C; rewrite C; reflexivity.
      + intro O; rewrite (not_over G w O) in C.
        destruct (successors _ w) as [[a b]|] eqn:S; [|discriminate].
        destruct (successors_spec no_stairs l w a b S) as (Ha & Hb & _); fold info in Ha, Hb.
        destruct (every _ (info w)) eqn:F; [|discriminate].
        rewrite Ha, Hb, !map_map in C.
        pose (value := fun u => final (info u) never).
        destruct (sides N.leb _ _) as [[lo hi]|] eqn:HS.
        2: { destruct (sides_none N.leb G value w HS); rewrite over_none in O; auto using not_over; discriminate. }
        destruct (N.leb_spec hi never) as [Hhi|]; [|discriminate].
        apply N.leb_le in C.
        destruct (sides_correct N.leb leb_total leb_trans G value w lo hi HS) as [L _ _ B1 B2].
        apply N.leb_le in L.
        exists (N.to_nat lo), (N.to_nat hi); repeat split; try lia.
        * eapply after_mono; [|exact B1]; simpl; intros u _; rewrite N.leb_le; unfold value; lia.
        * eapply after_mono; [|exact B2]; simpl; intros u _; rewrite N.leb_le; unfold value; lia.
        * rewrite <- mean_nat; lia.
  Qed.
End ThresholdsCheck.

(** ** Outcomes by trying all bids

    A position carries two lists, for Alice and for Bob holding the status.
    The number at the place [a] says what comes of it when Alice has [a] chips:
    0 if Bob prevents her from winning, n + 1 if she wins, n being a rank that
    falls with every turn.  This works for all rules. *)

Definition ranks := (list N * list N)%type.
Definition no_ranks : ranks := ([], []).

Definition rank_at (d : ranks) (a : nat) (h : player) : N :=
  nth a (match h with Alice => fst d | Bob => snd d end) 0%N.

Section OutcomesCheck.
  Context {G : game} `{Code (position G)}.
  Variables (r : rules) (k : nat).

  (** The neighbourhood of a position as a game: the moves lead to the claims
      about the successors, which are looked up only once. *)
  Definition around (a b : list ranks) : game := {|
    position := option ranks;
    moves p x := match x with None => map Some (match p with Alice => a | Bob => b end) | Some _ => [] end;
    winner _ := None
  |}.

  Definition rank_around {a b} (t : chips (around a b)) : N :=
    match place t with None => 0%N | Some d => rank_at d (alices t) (holder t) end.

  (** Alice has a bid that lowers the rank [n], or Bob one that keeps it 0. *)
  Definition state_ok (a b : list ranks) (n : N) (s : chips (around a b)) : bool :=
    if N.eqb n 0 then bids_b r Bob s (fun t => N.eqb (rank_around t) 0)
    else bids_b r Alice s (fun t => let m := rank_around t in if N.eqb m 0 then false else N.ltb m n).

  Definition holdings : list (nat * player) := list_prod (upto k) [Alice; Bob].

  Definition outcomes_ok (find : position G -> option ranks) (v : position G) (d : ranks) : bool :=
    match winner G v with
    | Some Alice => every (fun '(a, h) => negb (N.eqb (rank_at d a h) 0)) holdings
    | Some Bob => every (fun '(a, h) => N.eqb (rank_at d a h) 0) holdings
    | None =>
        if over G v then every (fun '(a, h) => N.eqb (rank_at d a h) 0) holdings
        else match successors find v with
             | None => false
             | Some (x, y) =>
                 every (fun '(a, h) => state_ok x y (rank_at d a h) (State (G := around x y) None a (k - a) h)) holdings
             end
    end.

  Lemma after_around c p w v g a b (P : option ranks -> Prop) :
    a = map g (moves G Alice v) -> b = map g (moves G Bob v) ->
    after (around a b) c p w None P -> after G c p w v (fun u => P (Some (g u))).
  Proof.
    intros -> ->; unfold after.
    assert (C : forall q, can_move (around (map g (moves G Alice v)) (map g (moves G Bob v))) q None = can_move G q v).
    { intro q; unfold can_move; destruct q; simpl; [now destruct (moves G Alice v) | now destruct (moves G Bob v)]. }
    replace (movers (around (map g (moves G Alice v)) (map g (moves G Bob v))) c w None) with (movers G c w v)
      by (unfold movers; destruct c; simpl; rewrite ?C; reflexivity).
    apply steers_mono; intros q _; unfold steers.
    replace (moves (around (map g (moves G Alice v)) (map g (moves G Bob v))) q None)
      with (map (fun u => Some (g u)) (moves G q v)) by (destruct q; simpl; now rewrite map_map).
    destruct (same p q).
    - intros (x & I & K); apply in_map_iff in I; destruct I as (u & <- & I); eauto.
    - intros K u I; apply K; exact (in_map (fun u => Some (g u)) _ u I).
  Qed.

  Lemma bids_around p (s : chips G) g a b (T : chips (around a b) -> Prop) :
    a = map g (moves G Alice (place s)) -> b = map g (moves G Bob (place s)) ->
    bids r p (State (G := around a b) None (alices s) (bobs s) (holder s)) T ->
    bids r p s (fun t => T (State (G := around a b) (Some (g (place t))) (alices t) (bobs t) (holder t))).
  Proof.
    intros Ea Eb (x & Hx & B); exists x; split; [now destruct p|]; intros y Hy.
    specialize (B y ltac:(now destruct p)); revert B; unfold lands; simpl holder; simpl place.
    apply steers_mono; intros [w h] _ A; apply (after_around _ _ _ _ g _ _ _ Ea Eb) in A; revert A.
    apply after_mono; intros v _; now destruct w.
  Qed.

  (** *** The whole list *)

  Variable l : table (position G) ranks.
  Hypothesis checked : all_hold outcomes_ok l = true.

  (** The claim about a state: 0 also where nothing is claimed. *)
  Definition rank_in (find : position G -> option ranks) (s : chips G) : N :=
    match find (place s) with None => 0%N | Some d => rank_at d (alices s) (holder s) end.

  Let rank (s : chips G) : N := rank_in (look l) s.

  Definition inside (s : chips G) : Prop := listed l (place s) /\ alices s + bobs s = k.

  (** Every turn stays inside. *)
  Lemma bids_inside p s T : inside s -> (forall w, next G (place s) w -> listed l w) ->
    bids r p s T -> bids r p s (fun t => inside t /\ T t).
  Proof.
    intros [I K] N (x & Hx & B); exists x; split; [exact Hx|]; intros y Hy; specialize (B y Hy); revert B.
    unfold lands; apply steers_mono; intros [w h] V; apply after_mono; intros v Nv HT.
    split; [|exact HT]; split.
    - rewrite place_settle; exact (N v Nv).
    - rewrite total_settle; [exact K|].
      unfold verdicts in V; destruct (Nat.ltb_spec y x); [|destruct (Nat.ltb_spec x y)].
      + destruct V as [V|[]]; injection V as <- _; rewrite same_refl; exact Hx.
      + destruct V as [V|[]]; injection V as <- _; rewrite other_same; exact Hy.
      + assert (x = y) as <- by lia.
        destruct (same w p) eqn:W; [apply same_eq in W; now subst|].
        destruct w, p; try discriminate; exact Hy.
  Qed.

  Lemma outcomes_state s : inside s ->
    (winner G (place s) = Some Alice -> rank s <> 0%N) /\
    (over G (place s) = true -> winner G (place s) <> Some Alice -> rank s = 0%N) /\
    (over G (place s) = false ->
      (rank s = 0%N -> bids r Bob s (fun t => inside t /\ rank t = 0%N)) /\
      (rank s <> 0%N -> bids r Alice s (fun t => inside t /\ rank t <> 0%N /\ (rank t < rank s)%N))).
  Proof.
    intros I; pose proof I as [L K]; pose proof (listed_holds no_ranks _ l checked _ L) as C.
    set (d := claim no_ranks l (place s)) in *.
    assert (R : forall t, listed l (place t) -> rank t = rank_at (claim no_ranks l (place t)) (alices t) (holder t)).
    { intros t Lt; unfold listed in Lt; unfold rank, rank_in, claim.
      destruct (look l (place t)); [reflexivity | now elim Lt]. }
    assert (Hin : In (alices s, holder s) holdings).
    { apply in_prod; [apply upto_spec; lia | destruct (holder s); simpl; auto]. }
    unfold outcomes_ok in C; rewrite (R s L); fold d.
    assert (OW : forall p, winner G (place s) = Some p -> over G (place s) = true) by (intros p E; unfold over; now rewrite E).
    destruct (winner G (place s)) as [[]|] eqn:W.
    - pose proof (proj1 (every_spec _ _) C _ Hin) as Z; cbv beta iota in Z.
      destruct (N.eqb_spec (rank_at d (alices s) (holder s)) 0); [discriminate|].
      rewrite (OW Alice eq_refl); repeat split; intros; try easy; congruence.
    - pose proof (proj1 (every_spec _ _) C _ Hin) as Z; cbv beta iota in Z; apply N.eqb_eq in Z.
      rewrite (OW Bob eq_refl); repeat split; intros; try easy.
    - split; [discriminate|]; destruct (over G (place s)) eqn:O.
      { pose proof (proj1 (every_spec _ _) C _ Hin) as Z; cbv beta iota in Z; apply N.eqb_eq in Z.
        repeat split; intros; try easy. }
      split; [discriminate|]; intros _.
      destruct (successors _ (place s)) as [[a b]|] eqn:S; [|discriminate].
      destruct (successors_spec no_ranks l _ a b S) as (Ea & Eb & N).
      pose proof (proj1 (every_spec _ _) C _ Hin) as Z; cbv beta iota in Z; unfold state_ok in Z.
      replace (k - alices s) with (bobs s) in Z by lia.
      split; intro Q.
      + rewrite (proj2 (N.eqb_eq _ _) Q) in Z; apply bids_b_spec, (bids_around Bob s _ a b _ Ea Eb) in Z.
        apply (bids_inside Bob s _ I N) in Z; revert Z; apply bids_mono; intros t [J T]; split; [exact J|].
        rewrite (R t (proj1 J)); now apply N.eqb_eq.
      + rewrite (proj2 (N.eqb_neq _ _) Q) in Z; apply bids_b_spec, (bids_around Alice s _ a b _ Ea Eb) in Z.
        apply (bids_inside Alice s _ I N) in Z; revert Z; apply bids_mono; intros t [J T]; split; [exact J|].
        rewrite (R t (proj1 J)); unfold rank_around in T; cbn [place alices holder] in T; cbv zeta in T.
        destruct (N.eqb_spec (rank_at (claim no_ranks l (place t)) (alices t) (holder t)) 0); [discriminate|].
        split; [assumption | now apply N.ltb_lt].
  Qed.

  Theorem outcomes_win s : inside s -> rank s <> 0%N -> forces (with_chips G r) Alice s.
  Proof.
    intros I R.
    apply (forces_by_rank (with_chips G r) Alice
      (fun n s => inside s /\ rank s <> 0%N /\ n = N.to_nat (rank s))) with (N.to_nat (rank s)); [|auto].
    clear s I R; intros n s (I & R & ->); simpl; destruct (outcomes_state s I) as (_ & E & B).
    destruct (over G (place s)) eqn:O.
    - left; destruct (winner G (place s)) as [[]|]; [reflexivity | |]; elim R; apply E; easy.
    - right; split; [reflexivity|]; generalize (proj2 (B eq_refl) R); apply bids_mono.
      intros t (J & Rt & L); exists (N.to_nat (rank t)); split; [lia | auto].
  Qed.

  Theorem outcomes_draw s : inside s -> rank s = 0%N -> avoids (with_chips G r) Bob s.
  Proof.
    intros I R.
    apply (avoids_by_invariant (with_chips G r) Bob (fun s => inside s /\ rank s = 0%N)); [|auto].
    clear s I R; intros s (I & R); simpl; destruct (outcomes_state s I) as (W & _ & B).
    destruct (over G (place s)) eqn:O; [left | right]; (split; [reflexivity|]).
    - intro X; exact (W X R).
    - exact (proj1 (B eq_refl) R).
  Qed.
End OutcomesCheck.

(** The threshold read off such a list: below [f] the ranks are 0, from [f] on
    they are not. *)
Definition threshold_at {G : game} `{Code (position G)} (k : nat) (l : table (position G) ranks)
    (v : position G) (h : player) (f : nat) : bool :=
  match look l v with
  | None => false
  | Some d =>
      if Nat.leb f (k + 1) then
        every (fun a => Bool.eqb (N.eqb (rank_at d a h) 0) (Nat.ltb a f)) (upto k)
      else false
  end.

Theorem outcomes_sound {G : game} `{Code (position G)} r k l v h f :
  all_hold (outcomes_ok r k) l = true -> threshold_at k l v h f = true -> threshold G r v k h f.
Proof.
  intro A; unfold threshold_at.
  destruct (look l v) as [d|] eqn:E; [|discriminate].
  destruct (Nat.leb_spec f (k + 1)) as [B|]; [|discriminate]; intro C; split; [exact B|].
  assert (L : listed l v) by (unfold listed; now rewrite E).
  intros a b K; pose proof (proj1 (every_spec _ _) C a ltac:(apply upto_spec; lia)) as Ca.
  apply Bool.eqb_prop in Ca.
  assert (R : rank_in (look l) (State v a b h) = rank_at d a h) by (unfold rank_in; simpl; now rewrite E).
  split; intro M.
  - apply (outcomes_win r k l A); [split; auto|].
    rewrite R; intro Z; rewrite Z in Ca; simpl in Ca; symmetry in Ca; apply Nat.ltb_lt in Ca; lia.
  - apply (outcomes_draw r k l A); [split; auto|].
    rewrite R; apply N.eqb_eq; rewrite Ca; now apply Nat.ltb_lt.
Qed.

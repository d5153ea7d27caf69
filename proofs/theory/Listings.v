(** * Listings

    A certificate lists finitely many positions, each with what it claims about
    it.  The list is looked up through a binary tree, for which every position
    needs a code; [Code] gives one for pairs, lists, numbers and so on, so
    that states of board games have theirs without further work.

    A check runs through the list.  At each position it computes the moves from
    the rules of the game and looks the successors up; if one of them is not
    listed the check fails.  So the theorems below speak about the game and its
    rules, and the list is only a witness. *)

From Coq Require Import List Bool PArith ZArith FMapPositive Lia.
From Proofs Require Import Games Decide.
Import ListNotations.

(** ** Codes *)

Class Code (X : Type) := {
  code : X -> positive -> positive;
  code_inj : forall x y p q, code x p = code y q -> x = y /\ p = q
}.

#[local] Obligation Tactic := intros; simpl in *.

#[export] Program Instance code_bool : Code bool :=
  {| code b p := if b then xI p else xO p |}.
Next Obligation. destruct x, y; try discriminate; injection H; auto. Qed.

#[export] Program Instance code_player : Code player :=
  {| code a p := match a with Alice => xI p | Bob => xO p end |}.
Next Obligation. destruct x, y; try discriminate; injection H; auto. Qed.

#[export] Program Instance code_option {X} `{Code X} : Code (option X) :=
  {| code a p := match a with Some x => xI (code x p) | None => xO p end |}.
Next Obligation.
  destruct x, y; try discriminate; injection H0; auto.
  intro E; destruct (code_inj _ _ _ _ E); subst; auto.
Qed.

#[export] Program Instance code_pair {X Y} `{Code X} `{Code Y} : Code (X * Y) :=
  {| code a p := let (x, y) := a in code x (code y p) |}.
Next Obligation.
  destruct x, y, (code_inj _ _ _ _ H1) as [-> E]; destruct (code_inj _ _ _ _ E); subst; auto.
Qed.

#[export] Program Instance code_sum {X Y} `{Code X} `{Code Y} : Code (X + Y) :=
  {| code a p := match a with inl x => xI (code x p) | inr y => xO (code y p) end |}.
Next Obligation.
  destruct x, y; try discriminate; injection H1; intro E;
    destruct (code_inj _ _ _ _ E); subst; auto.
Qed.

Fixpoint code_items {X} `{Code X} (l : list X) (p : positive) : positive :=
  match l with [] => xO p | x :: l => xI (code x (code_items l p)) end.

#[export] Program Instance code_list {X} `{Code X} : Code (list X) := {| code := code_items |}.
Next Obligation.
  revert y H0; induction x as [|x l IH]; intros [|y m]; simpl; intro E; try discriminate; injection E; auto.
  intro E'; destruct (code_inj _ _ _ _ E') as [-> E'']; destruct (IH m E'') as [-> ?]; auto.
Qed.

Fixpoint code_unary (n : nat) (p : positive) : positive :=
  match n with O => xO p | S n => xI (code_unary n p) end.

#[export] Program Instance code_nat : Code nat := {| code := code_unary |}.
Next Obligation.
  revert y H; induction x as [|x IH]; intros [|y]; simpl; intro E; try discriminate; injection E; auto.
  intro E'; destruct (IH y E'); auto.
Qed.

(** A number in binary: two bits for each digit. *)
Fixpoint code_digits (n p : positive) : positive :=
  match n with
  | xH => xO p
  | xO n => xI (xO (code_digits n p))
  | xI n => xI (xI (code_digits n p))
  end.

#[export] Program Instance code_positive : Code positive := {| code := code_digits |}.
Next Obligation.
  revert y H; induction x as [x IH|x IH|]; intros [y|y|]; simpl; intro E; try discriminate; injection E; auto;
    intro E'; destruct (IH y E'); subst; auto.
Qed.

#[export] Program Instance code_integer : Code Z :=
  {| code z p := match z with Z0 => xO (xO p) | Zpos n => xI (code_digits n p) | Zneg n => xO (xI (code_digits n p)) end |}.
Next Obligation.
  destruct x, y; try discriminate; injection H; auto;
    intro E; destruct (code_inj (Code := code_positive) _ _ _ _ E); subst; auto.
Qed.

Definition key {X} `{Code X} (x : X) : positive := code x xH.

Lemma key_inj {X} `{Code X} (x y : X) : key x = key y -> x = y.
Proof. intro E; exact (proj1 (code_inj _ _ _ _ E)). Qed.

(** ** Looking up *)

Section Lookup.
  Context {X D : Type} `{Code X}.

  Definition index (l : list (X * D)) : PositiveMap.t D :=
    fold_left (fun m xd => PositiveMap.add (key (fst xd)) (snd xd) m) l (PositiveMap.empty D).

  Definition look (m : PositiveMap.t D) (x : X) : option D := PositiveMap.find (key x) m.

  Lemma look_index l x d : look (index l) x = Some d -> In (x, d) l.
  Proof.
    unfold index; assert (G : forall l m, look (fold_left
      (fun m xd => PositiveMap.add (key (fst xd)) (snd xd) m) l m) x = Some d ->
      In (x, d) l \/ look m x = Some d).
    { clear l; induction l as [|[y e] l IH]; intros m; simpl; [auto|].
      intro E; destruct (IH _ E) as [I | E']; [auto|].
      unfold look in *; simpl in *; destruct (Pos.eq_dec (key x) (key y)) as [K|K].
      - rewrite K, PositiveMap.gss in E'; injection E' as ->; apply key_inj in K; subst; auto.
      - rewrite PositiveMap.gso in E'; auto. }
    intro E; destruct (G l _ E) as [I | E']; [exact I|].
    unfold look in E'; rewrite PositiveMap.gempty in E'; discriminate.
  Qed.

  (** What is claimed about all members of a list, if all are listed. *)
  Fixpoint collect (find : X -> option D) (l : list X) : option (list D) :=
    match l with
    | [] => Some []
    | x :: l =>
        match find x with
        | None => None
        | Some d => match collect find l with None => None | Some ds => Some (d :: ds) end
        end
    end.

  Lemma collect_spec find (dflt : D) l ds : collect find l = Some ds ->
    ds = map (fun x => match find x with Some d => d | None => dflt end) l /\
    forall x, In x l -> find x <> None.
  Proof.
    revert ds; induction l as [|x l IH]; simpl; intros ds.
    - intros [= <-]; auto.
    - destruct (find x) as [d|] eqn:E; [|discriminate].
      destruct (collect find l) as [es|]; [|discriminate].
      intros [= <-]; destruct (IH es eq_refl) as [-> K]; split; [reflexivity|].
      intros y [<-|I]; [congruence | auto].
  Qed.
End Lookup.

(** ** Checking a list

    [local find v d] checks the claim [d] about [v]. *)

Section Check.
  Context {G : game} {D : Type} `{Code (position G)} (dflt : D).
  Variable local : (position G -> option D) -> position G -> D -> bool.

  Definition all_hold (l : list (position G * D)) : bool :=
    let m := index l in every (fun vd => local (look m) (fst vd) (snd vd)) l.

  Variable l : list (position G * D).
  Hypothesis checked : all_hold l = true.

  Definition listed (v : position G) : Prop := look (index l) v <> None.

  Definition claim (v : position G) : D :=
    match look (index l) v with Some d => d | None => dflt end.

  Lemma claim_look v d : look (index l) v = Some d -> claim v = d.
  Proof. unfold claim; now intros ->. Qed.

  Lemma listed_holds v : listed v -> local (look (index l)) v (claim v) = true.
  Proof.
    unfold listed, claim; destruct (look (index l) v) as [d|] eqn:E; [intros _ | easy].
    exact (proj1 (every_spec _ _) checked (v, d) (look_index l v d E)).
  Qed.

  (** The claims about all positions to which the two players can move. *)
  Definition successors (find : position G -> option D) (v : position G) : option (list D * list D) :=
    match collect find (moves G Alice v) with
    | None => None
    | Some a => match collect find (moves G Bob v) with None => None | Some b => Some (a, b) end
    end.

  Lemma successors_spec v a b : successors (look (index l)) v = Some (a, b) ->
    a = map claim (moves G Alice v) /\ b = map claim (moves G Bob v) /\ forall w, next G v w -> listed w.
  Proof.
    unfold successors.
    destruct (collect _ (moves G Alice v)) as [a'|] eqn:EA; [|discriminate].
    destruct (collect _ (moves G Bob v)) as [b'|] eqn:EB; [|discriminate].
    intros [= <- <-].
    destruct (collect_spec _ dflt _ _ EA) as [-> KA], (collect_spec _ dflt _ _ EB) as [-> KB].
    repeat split; auto; intros w [I|I]; [apply KA | apply KB]; exact I.
  Qed.
End Check.

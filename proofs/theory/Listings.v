(** * Listings

    A certificate lists finitely many positions, each with what it claims about
    it.  They stand in a binary tree, for which every position needs a code;
    [Code] gives one for pairs, lists, numbers and so on, so that states of
    board games have theirs without further work.

    A check runs through the tree.  At each position it computes the moves from
    the rules of the game and looks the successors up; if one of them is not
    listed the check fails.  So the theorems below speak about the game and its
    rules, and the listing is only a witness. *)

From Coq Require Import List Bool Arith PArith ZArith Lia.
From Proofs Require Import Games Decide.
Import ListNotations.

(** ** Codes *)

Class Code (X : Type) := {
  code : X -> positive -> positive;
  code_inj : forall x y p q, code x p = code y q -> x = y /\ p = q
}.

Ltac codes :=
  repeat (try discriminate; try match goal with
  | H : xI _ = xI _ |- _ => injection H as H
  | H : xO _ = xO _ |- _ => injection H as H
  | H : code _ _ = code _ _ |- _ => apply code_inj in H; destruct H; subst
  end); auto.

#[local] Obligation Tactic := intros; simpl in *;
  try match goal with |- ?x = ?y /\ _ => solve [destruct x, y; codes] end.

#[export] Program Instance code_bool : Code bool :=
  {| code b p := if b then xI p else xO p |}.

#[export] Program Instance code_player : Code player :=
  {| code a p := match a with Alice => xI p | Bob => xO p end |}.

#[export] Program Instance code_option {X} `{Code X} : Code (option X) :=
  {| code a p := match a with Some x => xI (code x p) | None => xO p end |}.

#[export] Program Instance code_pair {X Y} `{Code X} `{Code Y} : Code (X * Y) :=
  {| code a p := let (x, y) := a in code x (code y p) |}.

#[export] Program Instance code_sum {X Y} `{Code X} `{Code Y} : Code (X + Y) :=
  {| code a p := match a with inl x => xI (code x p) | inr y => xO (code y p) end |}.

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
  {| code z p := match z with Z0 => xO (xO p) | Zpos n => xI (code n p) | Zneg n => xO (xI (code n p)) end |}.
Next Obligation. destruct x, y; codes; apply (code_inj (Code := code_positive)) in H; destruct H; subst; auto. Qed.

Definition key {X} `{Code X} (x : X) : positive := code x xH.

Lemma key_inj {X} `{Code X} (x y : X) : key x = key y -> x = y.
Proof. intro E; exact (proj1 (code_inj _ _ _ _ E)). Qed.

(** ** Looking up

    A fork says how many bits the keys below it have in common, up to the one
    by which they are parted.  Only the key of the item that is found is
    compared, so nothing has to be proved about how a tree is built. *)

Inductive table (X D : Type) :=
| Nothing
| Item (x : X) (d : D)
| Fork (common : nat) (low high : table X D).

Arguments Nothing {X D}.
Arguments Item {X D}.
Arguments Fork {X D}.

Fixpoint skip_bits (n : nat) (p : positive) : positive :=
  match n, p with S n, xO p | S n, xI p => skip_bits n p | _, _ => p end.

Fixpoint common_bits (p q : positive) : nat :=
  match p, q with xO p, xO q | xI p, xI q => S (common_bits p q) | _, _ => O end.

Section Lookup.
  Context {X D : Type} `{Code X}.

  Fixpoint candidate (l : table X D) (p : positive) : option (X * D) :=
    match l with
    | Nothing => None
    | Item x d => Some (x, d)
    | Fork n low high =>
        match skip_bits n p with xI p => candidate high p | xO p => candidate low p | xH => candidate low xH end
    end.

  Definition look (l : table X D) (x : X) : option D :=
    let p := key x in
    match candidate l p with
    | Some (y, d) => if Pos.eqb (key y) p then Some d else None
    | None => None
    end.

  (** [new] belongs where [p] parts from the keys of [l], after [n] bits. *)
  Fixpoint insert (n : nat) (p : positive) (new l : table X D) : table X D :=
    let fork l := match skip_bits n p with xO _ => Fork n new l | _ => Fork n l new end in
    match l with
    | Fork m low high =>
        if n <? m then fork (Fork (m - S n) low high) else
        match skip_bits m p with
        | xO p => Fork m (insert (n - S m) p new low) high
        | xI p => Fork m low (insert (n - S m) p new high)
        | xH => l
        end
    | _ => fork l
    end.

  Definition add (x : X) (d : D) (l : table X D) : table X D :=
    let p := key x in
    match candidate l p with
    | None => Item x d
    | Some (y, _) => let q := key y in if Pos.eqb p q then l else insert (common_bits p q) p (Item x d) l
    end.

  Variable f : X -> D -> bool.

  Fixpoint every_item (l : table X D) : bool :=
    match l with
    | Nothing => true
    | Item x d => f x d
    | Fork _ low high => if every_item low then every_item high else false
    end.

  Lemma every_item_spec l x d : every_item l = true -> look l x = Some d -> f x d = true.
  Proof.
    unfold look; intro E; assert (C : forall p y e, candidate l p = Some (y, e) -> f y e = true).
    { induction l as [|z c|n low IHl high IHh]; simpl in *; intros p y e; [easy | congruence |].
      destruct (every_item low); [|discriminate]; destruct (skip_bits n p); eauto; easy. }
    destruct (candidate l _) as [[y e]|] eqn:A; [|easy].
    destruct (Pos.eqb_spec (key y) (key x)) as [K|]; [|easy].
    apply key_inj in K; subst y; intros [= <-]; eauto.
  Qed.
End Lookup.

Section Collect.
  Context {X D : Type}.

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
End Collect.

(** ** Checking a listing

    [local find v d] checks the claim [d] about [v]. *)

Section Check.
  Context {G : game} {D : Type} `{Code (position G)} (dflt : D).
  Variable local : (position G -> option D) -> position G -> D -> bool.

  Definition all_hold (l : table (position G) D) : bool := every_item (local (look l)) l.

  Variable l : table (position G) D.
  Hypothesis checked : all_hold l = true.

  Definition listed (v : position G) : Prop := look l v <> None.

  Definition claim (v : position G) : D :=
    match look l v with Some d => d | None => dflt end.

  Lemma claim_look v d : look l v = Some d -> claim v = d.
  Proof. unfold claim; now intros ->. Qed.

  Lemma listed_holds v : listed v -> local (look l) v (claim v) = true.
  Proof.
    unfold listed, claim; destruct (look l v) as [d|] eqn:E; [intros _ | easy].
    exact (every_item_spec _ l v d checked E).
  Qed.

  (** The claims about all positions to which the two players can move. *)
  Definition successors (find : position G -> option D) (v : position G) : option (list D * list D) :=
    match collect find (moves G Alice v) with
    | None => None
    | Some a => match collect find (moves G Bob v) with None => None | Some b => Some (a, b) end
    end.

  Lemma successors_spec v a b : successors (look l) v = Some (a, b) ->
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

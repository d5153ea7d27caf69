(** * Explicit graphs

    A game given by the list of its vertices: the number of each, who has won
    there, and where Alice and Bob can move. *)

From Coq Require Import List PArith NArith FMapPositive.
From Proofs Require Import Games Data.
Import ListNotations.

Definition vertex : Type := option player * list positive * list positive.

Definition graph_game (l : list (positive * vertex)) : game :=
  let m := fold_left (fun m v => PositiveMap.add (fst v) (snd v) m) l (PositiveMap.empty vertex) in {|
  position := positive;
  moves p v :=
    match PositiveMap.find v m with
    | Some (_, a, b) => match p with Alice => a | Bob => b end
    | None => []
    end;
  winner v :=
    match PositiveMap.find v m with Some (w, _, _) => w | None => None end
|}.

(** Reading a vertex of a listing. *)
Definition a_vertex (width : nat) : reader positive :=
  fun s => let (n, s) := number width s in (N.succ_pos (N.pred n), s).

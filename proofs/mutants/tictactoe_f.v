(** f(tictactoe at 'AB./BAA/.BB', 3) = 3

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition tictactoe : game := {|
  position := grid;
  moves me board :=
    if full board then []
    else for_each (cells board) (fun c =>
      if is_empty (at_cell board c) then
        [put board me c]
      else []);
  winner board :=
    whoever (fun me => line board me 3)
|}.

(** * The listing: 9 positions *)

Definition data_0 := "I@IVh5IVjRmPeZiJ1J]L5JUfE:XfejLk4@".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 3 3) (counted 1 (both (number 2) (number 3)))))
  [data_0].

(** * The theorem *)

Theorem f_tictactoe_3 :
  f_is tictactoe [[Some Alice; Some Bob; None]; [Some Bob; Some Alice; Some Alice]; [None; Some Bob; Some Bob]] 3 (Chip 3).
Proof. by_thresholds 3%N listing 6%N. Qed.

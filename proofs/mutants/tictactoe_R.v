(** R(tictactoe at 'AB./BA./..B') = 3/4

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

(** * The listing: 80 positions *)

Definition data_0 := "PAIF`3DC4YbaHI1PedXBNSLQgIfbdDSURjAHI5@edZbRRMDIiFjdTSQRjIHI1`\fXXRRLIgIffdTCRRjaII54ddZRRRLBUIFijD3PUbYjJ5HddZdRRMSIifadDcRUbYiJ5hddZVRRl@gIVh3DKQRbeJI5BddZaRRmDIiVjdDK2YbeII5bddZYRRlBUIVijTkPRjUJI1jTeZUR2L@UYFhjLcTPfaHI3PedYBj2LQUYfi`LSQRfiJI3LDdYPj2LLIYfdjLSSRfYIH3hDdYDB2l@UYVhjLkTPfeHI3RedYQj2lLIYVe`LkP@".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 3 3) (both (number 3) (number 2))))
  [data_0].

(** * The theorem *)

Theorem R_tictactoe :
  critical tictactoe [[Some Alice; Some Bob; None]; [Some Bob; Some Alice; None]; [None; None; Some Bob]] (3 # 4).
Proof. by_values 4%positive listing 3%N. Qed.

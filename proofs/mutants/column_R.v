(** R(connect(2, 3, 1)) = 5/8

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition connect : game := {|
  position := grid;
  moves me board :=
    if full board then []
    else for_each (range 0 0) (fun col =>
      if height board col <? 3 then
        [fall board me col]
      else []);
  winner board :=
    whoever (fun me => line board me 2)
|}.

(** * The listing: 11 positions *)

Definition data_0 := "K@@e`fhHdTfHe@PTXHZHYHT@".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 3 1) (both (number 4) (number 2))))
  [data_0].

(** * The theorem *)

Theorem R_connect :
  critical connect (empty_grid 3 1) (5 # 8).
Proof. by_values 8%positive listing 5%N. Qed.

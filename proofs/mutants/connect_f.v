(** f(connect(2, 1, 3), 5) = 4

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition connect : game := {|
  position := grid;
  moves me board :=
    if full board then []
    else for_each (range 0 2) (fun col =>
      if height board col <? 1 then
        [fall board me col]
      else []);
  winner board :=
    whoever (fun me => line board me 2)
|}.

(** * The listing: 27 positions *)

Definition data_0 := "[@@GA[b@ePSQjT@UCc4LMD]HgYL3dU@j@A5BgUFHQjhYYjBTD@".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 1 3) (counted 1 (both (number 2) (number 4)))))
  [data_0].

(** * The theorem *)

Theorem f_connect_5 :
  f_is connect (empty_grid 1 3) 5 (Chip 4).
Proof. by_thresholds 5%N listing 8%N. Qed.

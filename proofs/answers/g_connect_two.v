(** f(connect(2, 1, 3), [0, 5, 8, 13]) = k                      …

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

Definition data_0_0 := "[@@OHDhDHReBhFc4jahHWc5dUPEA]8VFIREmYjbb@".

Definition listing_0 := items bits_of_text
  (counted 12 (both (a_grid 1 3) (counted 1 (both (number 2) (number 1)))))
  [data_0_0].

Definition data_5_0 := "[@@GA[b@ePSQjT@UCc4LMD]HgYL3dU@j@A5BgUFHQjhYYjBTD@".

Definition listing_5 := items bits_of_text
  (counted 12 (both (a_grid 1 3) (counted 1 (both (number 2) (number 4)))))
  [data_5_0].

Definition data_8_0 := "[@@_Akc@eP]QjT@5Dc4RMDeHWZl4dU@j@AMCWVFHQjheYjBTD@".

Definition listing_8 := items bits_of_text
  (counted 12 (both (a_grid 1 3) (counted 1 (both (number 2) (number 4)))))
  [data_8_0].

Definition data_13_0 := "[@@WB6JBTBmJReBh:0HMgFb^Hg3XNSVAPEPP]a3UFPbTQ3eiJ`b@@".

Definition listing_13 := items bits_of_text
  (counted 12 (both (a_grid 1 3) (counted 1 (both (number 2) (number 5)))))
  [data_13_0].

(** * The theorem *)

Theorem f_connect_0 :
  f_is connect (empty_grid 1 3) 0 (Star 0).
Proof. by_thresholds 0%N listing_0 1%N. Qed.

Theorem f_connect_5 :
  f_is connect (empty_grid 1 3) 5 (Chip 4).
Proof. by_thresholds 5%N listing_5 8%N. Qed.

Theorem f_connect_8 :
  f_is connect (empty_grid 1 3) 8 (Star 5).
Proof. by_thresholds 8%N listing_8 11%N. Qed.

Theorem f_connect_13 :
  f_is connect (empty_grid 1 3) 13 (Chip 9).
Proof. by_thresholds 13%N listing_13 18%N. Qed.

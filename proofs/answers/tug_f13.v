(** f(tug(5), 13) = 9, by Theorem 3.7 of Develin & Payne.

    Written by proofs/tools/listing.py. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (Some Bob, [], []));
  (2, (None, [3], [1]));
  (3, (None, [4], [2]));
  (4, (None, [5], [3]));
  (5, (None, [6], [4]));
  (6, (None, [7], [5]));
  (7, (None, [8], [6]));
  (8, (None, [9], [7]));
  (9, (None, [10], [8]));
  (10, (None, [11], [9]));
  (11, (Some Alice, [], []))]%positive.

(** * The listing: 11 positions *)

Definition data_0 := "AHR6NTOd4FSkeA1d5lc4S9K<6=3Vh2fQ;da0TWKKW5cnA@P1@7`j@]\VLOeLR8HWaJQ48a8TZLLgedBKia@OhNdKlG4DYCL:M9nZ[lo5mD[cL2U12T]hPSJiUdC:=L;XghW0O6JZgD".

Definition listing := items 11
  (both (a_vertex 4) (counted 4 (both (number 6) (number 5))))
  (bits_of_texts [data_0]).

(** * The theorem *)

Theorem f_graph_13 : f_is graph 6%positive 13 (Chip 9).
Proof. by_thresholds 13%N listing 18%N. Qed.

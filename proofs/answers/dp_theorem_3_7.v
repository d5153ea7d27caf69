(** f({ E | A }, 0) = 0

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [2], [4])); (* { (A ∧ B) | A } *)
  (2, (None, [4; 3], [4; 3])); (* (A ∧ B) *)
  (3, (Some Bob, [], [])); (* B *)
  (4, (Some Alice, [], [])) (* A *)
]%positive.

(** * The listing: 4 positions *)

Definition data_0 := "D@i4NL@".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 3) (counted 1 (both (number 2) (number 1)))))
  [data_0].

(** * The theorem *)

Theorem f_graph_0 :
  f_is graph 1%positive 0 (Chip 0).
Proof. by_thresholds 0%N listing 0%N. Qed.

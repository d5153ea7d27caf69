(** f(E, 3) = 2

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [3; 2], [3; 2])); (* (A ∧ B) *)
  (2, (Some Bob, [], [])); (* B *)
  (3, (Some Alice, [], [])) (* A *)
]%positive.

(** * The listing: 3 positions *)

Definition data_0 := "C@M5A".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 2) (counted 1 (both (number 1) (number 3)))))
  [data_0].

(** * The theorem *)

Theorem f_graph_3 :
  f_is graph 1%positive 3 (Chip 2).
Proof. by_thresholds 3%N listing 4%N. Qed.

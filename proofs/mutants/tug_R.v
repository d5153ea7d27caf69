(** R(tug(3)) = 1/2

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [5; 2], [5; 2])); (* 0 *)
  (2, (None, [1; 3], [1; 3])); (* 1 *)
  (3, (None, [2; 4], [2; 4])); (* 2 *)
  (4, (Some Alice, [], [])); (* 3 *)
  (5, (None, [6; 1], [6; 1])); (* -1 *)
  (6, (None, [7; 5], [7; 5])); (* -2 *)
  (7, (Some Bob, [], [])) (* -3 *)
]%positive.

(** * The listing: 7 positions *)

Definition data_0 := "G@YSRKa@e4m7@".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 3) (both (number 3) (number 3))))
  [data_0].

(** * The theorem *)

Theorem R_graph :
  critical graph 1%positive (1 # 2).
Proof. by_values 6%positive listing 3%N. Qed.

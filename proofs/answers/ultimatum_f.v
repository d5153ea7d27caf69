(** f(ultimatum(4), 21) = 11

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [7], [2])); (* 0 *)
  (2, (None, [3], [6])); (* -4 *)
  (3, (None, [4], [6])); (* -3 *)
  (4, (None, [5], [6])); (* -2 *)
  (5, (None, [1], [6])); (* -1 *)
  (6, (Some Bob, [], [])); (* L *)
  (7, (None, [11], [8])); (* 4 *)
  (8, (None, [11], [9])); (* 3 *)
  (9, (None, [11], [10])); (* 2 *)
  (10, (None, [11], [1])); (* 1 *)
  (11, (Some Alice, [], [])) (* W *)
]%positive.

(** * The listing: 11 positions *)

Definition data_0 := "K@Qe0ac2jK4R2mNjVMUZdZa^gUgSblFM1L4050RVfBR8BPGV22TTD6@JdNldEBiNLckP[XMPdS1XK[@@".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 4) (counted 3 (both (number 4) (number 6)))))
  [data_0].

(** * The theorem *)

Theorem f_graph_21 :
  f_is graph 1%positive 21 (Chip 11).
Proof. by_thresholds 21%N listing 22%N. Qed.

(** f(A ∧ E, 2) using { ties: make_it_take_it } = 1-ε

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [4; 2], [4; 2])); (* (A ∧ (A ∧ B)) *)
  (2, (None, [4; 3], [4; 3])); (* (A ∧ B) *)
  (3, (Some Bob, [], [])); (* B *)
  (4, (Some Alice, [], [])) (* A *)
]%positive.

(** * The listing: 4 positions *)

Definition data_0 := "D@agWh`C@`UU".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 3) (both (times 3 (number 2)) (times 3 (number 2)))))
  [data_0].

(** * The theorem *)

Lemma checked :
  all_hold (outcomes_ok (G := graph) (Rules make_it_take_it chooses) 2) listing = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem threshold_graph_2_Alice :
  threshold graph (Rules make_it_take_it chooses) 1%positive 2 Alice 1.
Proof. by_outcomes checked. Qed.

Theorem threshold_graph_2_Bob :
  threshold graph (Rules make_it_take_it chooses) 1%positive 2 Bob 1.
Proof. by_outcomes checked. Qed.

(** ultimatum(3)(4, 4* ) = bob

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [6], [2])); (* 0 *)
  (2, (None, [3], [5])); (* -3 *)
  (3, (None, [4], [5])); (* -2 *)
  (4, (None, [1], [5])); (* -1 *)
  (5, (Some Bob, [], [])); (* L *)
  (6, (None, [9], [7])); (* 3 *)
  (7, (None, [9], [8])); (* 2 *)
  (8, (None, [9], [1])); (* 1 *)
  (9, (Some Alice, [], [])) (* W *)
]%positive.

(** * The listing: 9 positions *)

Definition bobs_data_0 := "I@AE7lHEfDFIaLbJLLRBaFe`XdfCURRE@X9bghhA1MP:UnD".

Definition bobs_listing := items bits_of_text
  (counted 12 (both (a_vertex 4) (counted 3 (both (number 4) (number 5)))))
  [bobs_data_0].

(** * The theorem *)

Lemma bobs_checked :
  thresholds_check (G := (conjugate graph)) 8 bobs_listing 1%positive 9 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem outcome_graph :
  forces (with_chips graph develin_payne) Bob (State (G := graph) 1%positive 4 4 Bob).
Proof. by_chips bobs_checked. Qed.

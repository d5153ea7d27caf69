(** tug(3)(1*, 1) = draw

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

Definition data_0 := "G@iVmJi7N[:aATLG".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 3) (counted 2 (both (number 3) (number 3)))))
  [data_0].

Definition bobs_data_0 := "G@iV1`4UI=<YSOO@".

Definition bobs_listing := items bits_of_text
  (counted 12 (both (a_vertex 3) (counted 2 (both (number 3) (number 3)))))
  [bobs_data_0].

(** * The theorem *)

Lemma checked :
  thresholds_check (G := graph) 2 listing 1%positive 5 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma bobs_checked :
  thresholds_check (G := (conjugate graph)) 2 bobs_listing 1%positive 5 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem outcome_graph :
  avoids (with_chips graph develin_payne) Bob (State (G := graph) 1%positive 1 1 Alice) /\ avoids (with_chips graph develin_payne) Alice (State (G := graph) 1%positive 1 1 Alice).
Proof. split; [ by_chips checked | by_chips bobs_checked ]. Qed.

(** R(ttt('ABA/.../..B')) = 9/16

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition tictactoe : game := {|
  position := grid;
  moves me board :=
    if full board then []
    else for_each (cells board) (fun c =>
      if is_empty (at_cell board c) then
        [put board me c]
      else []);
  winner board :=
    whoever (fun me => line board me 3)
|}.

(** * The listing: 235 positions *)

Definition data_0 := "kCY@`I3@PYfAH:NCPERFHh2LPTfY`bP2@Uada@2LCAERFbHdLDUHYh`L3PQadaJBICUERf@H3LATfYBbP2DTadIB2LSDeYfJJdLQQHYbjP2T@adi`BISQDRfbJdLUQHYj`P2@HSfAX:NCdTYFhIdLDRfYHfP2PIYfaZBIS`dYf`IdLQRfYbfP2THadiXBIS5DRfJIdL`PRY@ih2@CIeAfbJCIDUFRJdL4PTYhiP2DBQeIdbJSLDUfXJjL5THYJaP2TRadiFBIChdTFXIiLdRTYheh2DJQeIVbJSiDRfZIdLHPdYPhL3`DYfAiBICCdYFFJdLLQHYXjP2d@YfIa2LSRDRfdJdLMPHYZhP24DadiiBICbDYFdI3LLRfYXfP2dHYfIYBIScDRffIdLhPRYPih20BQeaeBISJDUfTJjLmPHYZiP2`JIeaUbJSjDUfVIdLBPSYDhh2HRAdQH2LcPERFIHjLRTTYdi@2HEadQjBIcLDPfAHjLCTTYFi@2LDadYhBI3DDUfIJjL3T@YfbP2LUadYFBH3HDPFAiiLBSfYddh2HMadQVBH3`DUfaIdLSRTYffP2LKAdYTBHchDPFQH`LJPRYThh2hRAdQIbJcRERfEHjLKTTYVi@2lDadYiBI3JDPFEIiLJSTYVdh2lLadYUBHcjDPFUH`l@PSYAhh2BRAdEH2LKPERVHHjlPTTYai@2BEadEjBIKLDPVBHjlDTHYIbP2RTadeBbJKEERVjHdlTUHYia@2RBAdEPZJK0dYVHIjlPSHYae@2RHQeeXBIKeDUVjIdl4R@YIe@2BJAdEDBHKBdTVDJjlhT@YQbh2bTadeAbJKCERVfHdlLUHYYa@2bHIeEYbJKcDUVfIdllR@YQe@2bBAdU@RJk@EUVQJ`lJT@YEbh2JTadUIBHkDDUVIJjl2T@YebP2JUadUFBHk`dTVaIjlJS@Yedh2JMadUVBHkhDPVEI`lbP@YU`@@".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 3 3) (both (number 5) (number 2))))
  [data_0].

(** * The theorem *)

Theorem R_tictactoe :
  critical tictactoe [[Some Alice; Some Bob; Some Alice]; [None; None; None]; [None; None; Some Bob]] (9 # 16).
Proof. by_values 16%positive listing 9%N. Qed.

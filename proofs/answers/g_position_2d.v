(** R(c2d after [alice drop(1)]) = 47/64

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition connect : game := {|
  position := grid;
  moves me board :=
    if full board then []
    else for_each (range 0 2) (fun col =>
      if height board col <? 3 then
        [fall board me col]
      else []);
  winner board :=
    whoever (fun me => line board me 3)
|}.

(** * The listing: 166 positions *)

Definition data_0 := "fBDHHof@A56Dhh8fDEEHDhj@aBEE7Thj@a@Ce6dXh8fDSEHDXj@aBCE6TXj@a@Q16DHj@aPQA7DJj@1PQAHEJJ8nPQEHDIJ4fHQEHFIJ86HQEHEIJ0nHQEHDHXhd@Ec6dhX8fBEC6DHZld@UC7dhZ@aBUCfTjZ@aPQCfDjZ@1PQCHEJZ0lPUCHDIZhdHUCfdiZ@aJUCTFIZ04HUCHfiZ@1JUCHEIZ`lHUCTeiZ@iJUC@DXX\bDCC7DXZ`bDSCHDZZ`bTSCHFZZ@aRSC@EZZ`jTSCHUZZ@`BSC@DYZ`bLSCHFYZ`2LSCHVYZ@`JSC@EYZ`jLSCHUYZ@`BCC@DHIhd@IeeDhi0dDMEHThi0dRMEHDXihdDKEfTXi`dPIa6DJi8fPMEHDZi0dTKEHfZi@1PKEHTZi`2RKEHFJI86PIEHEJI0nPIEfEji@iPKETeZi@iRKE@DHYdd@MCfdhY0dTMCHThY0dRMCHDJY0dPMCHFJY04PMCHEJY0lPMCHDXYXbDKCfDZY`bTKCHFZY`2TKCHVZY@`RKC@EZY`jTKCHUZY@`BKC@DII\bHIETDii`bLMEHFii@aJMETVii@iJME@Eii@`HKETdYi`2LKEHeYi@0HKEHTYi`2JKEHUYi@hHKE@EIi@0HIA7FIi@aHICSDiY`bLMCTeiY@`JMCTUiY@hHMC@FIY04HMCHfiY@1JMCHDYYPbLKCTeYY@0HKCTfYY@1JKC@TYY@hHKC@EIY@hHIA@".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 3 3) (both (number 7) (number 2))))
  [data_0].

(** * The theorem *)

Theorem R_connect :
  critical connect [[None; Some Alice; None]; [None; Some Bob; None]; [None; Some Bob; None]] (47 # 64).
Proof. by_values 64%positive listing 47%N. Qed.

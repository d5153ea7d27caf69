(** R(hexapawn) = 1/2

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition hexapawn : game := stuck loses {|
  position := list (option player);
  moves me board :=
    match me with
    | Alice =>
        for_each (range 3 8) (fun c =>
          if holds (item None board c) Alice && is_empty (item None board (c - 3)) then
            [let board : list (option player) := replace board c None in replace board (c - 3) (Some Alice)]
          else [])
        ++ for_each (range 1 2) (fun r =>
        for_each (range 0 2) (fun x =>
        for_each (range 0 2) (fun y =>
          if (distance x y =? 1) && holds (item None board (3 * r + x)) Alice && holds (item None board (3 * r - 3 + y)) Bob then
            [let board : list (option player) := replace board (3 * r + x) None in replace board (3 * r - 3 + y) (Some Alice)]
          else [])))
    | Bob =>
        for_each (range 0 5) (fun c =>
          if holds (item None board c) Bob && is_empty (item None board (c + 3)) then
            [let board : list (option player) := replace board c None in replace board (c + 3) (Some Bob)]
          else [])
        ++ for_each (range 0 1) (fun r =>
        for_each (range 0 2) (fun x =>
        for_each (range 0 2) (fun y =>
          if (distance x y =? 1) && holds (item None board (3 * r + x)) Bob && holds (item None board (3 * r + 3 + y)) Alice then
            [let board : list (option player) := replace board (3 * r + x) None in replace board (3 * r + 3 + y) (Some Bob)]
          else [])))
    end;
  winner board :=
    if holds (item None board 0) Alice || holds (item None board 1) Alice || holds (item None board 2) Alice then Some Alice
    else if holds (item None board 6) Bob || holds (item None board 7) Bob || holds (item None board 8) Bob then Some Bob
    else None
|}
  (fun board => false).

(** * The listing: 487 positions *)

Definition data_0 := "^CTAj`dBXEeT`bPb@XDdL@b@`HRUeDPk0d@RFHD@KAa@VDTD`BAa@TFHdPb@`HQaRDPJhd@`AH@QJhDH`AHDHK`b@QBH@PK0D@hAH@PJAa@QIHDhBPB@V@T@`D@A@TBH`PB@P@T@@dHB@`AT@@B@K@`AXA@d@J@PHPA@DIhTb@BEeD@HAa@AARB@H@`A@A@@QhhDH@IH@IHPB@BAT`@H@@I@A@DHi`b@AFH@Pi0D@HIH@HI`B@AIHH@I@`@EDR@0``B@DHH@`0@A@E@P`H@@@AD@@`P`@P@DD@dH`@P@HE@d@h@PH@E@PEjhDbXEePdbPBaPD@@Uj0Dh`EH@Q2@A`ZEf@T2@A`XIH@Dm@A@ZFH@4b`B`THH@dd@A`TFH`Tb@@hQAT@IR@A`RAf@DL@A@RBH@LK`B`QBH@HS@A`QIH@lB@BdQ@@HdB@@aXA@`DJ@@hAET@I0@A`BEf@DHAA@BFH@Pl@A`AAT@HP@A@aAHHDH@@HaEH@Li`B`AFH@H1@A@iEH@l``B@eDH`L`@@aDD@HDi@@d@E@HEh@@ZPDR@Eb`DRXDR@Dc`BAXD@@Sb`BX`DH@C2@APZDT@BCAAPhDH@B3@Q@ZD@@KBPBPR@T@BD@APPBHBPB@@PY@T@JBAAQX@@BHC@@TP@@BIB@@XADR@R``BP@HH@B0@APA@PHB@@P@A@@BP`@@PIDPHBa@P@ID@`B`@@Y@D@BI`@PHRD@HAb@`JTASDAK0dHPBHDAJAaHT@dD1JhdHEARD0HPbDBA@@1H`bDDA@BaH@@jTAT@EK0DhPBH@EJAAhVAf@eL@AHVBH@mH`BHEBH@4H`B@FBH@0L@AdBA@@iL@AdDA@HeH@@ZT@R@CC`BXPHH@eB`BXV@T@cD@AXTBH@k@PBTD@@Hc@@PHE@@B1B@@YP@@HaB@@iPA@LAJ@`JQ4RTPbldBPHHT@d@aBPFHTHBXRBP@@TH`XRB@D@PQblDJPHHPAd@AJPFHPIBXBBR@fP@D@ABPBH".
Definition data_1 := "_C0@B@@JADSPP`0DB@HHP@0@ABA@T0@`@`BYDSPPc0DBXHHP@e@ABXFHPHC0DBQHHPHa`RBXD@PMbXBbRDfPDBAAb`DHPD2@AbQ@TPL`0DBaDHPLc`BfPD@4@b@PJPD@TiBPbBV@TT`D@aBTBHTh@PRBD@@4H@@`AR@@4PB@`HY@TDPC0d@h@HDPBAa@XBHDHA`b@AHHB@A@`AH@@DIBAaDX@@BAC@`IX@@P1B`BJd@H@QC0DHh@H@QBAAHXBHPaR@AJE@RP0@`BBDBH0P@@@HI@T@PA@A@BHH@@Q@AHAHH`@A@@IH@@0`@@@IR@@PmBPBbV@TPdD@AbTBHPl@`BBe@HHL@@@fA@@HTB@@fR@@@MC`B`Z@f@DE@A`RHH@DS@AhQHH`DC@@iX@@HMB@@fT@@LIB@`FT@@RaB@`Z@ESDEh0dH@FHDAl@aX@DdTBi`b`HEfD@1@a@hEHTb`PbPHDTDd``b@dDHLB`@`ADD@L@i@`XBEeDRi0dPBFHDBIAaPFDTDb@AaPDFHdR`@`XAARDRH`BXBARBQH@`PIATDJP@APJAT@RP@APBIHBPI@`PAIHDj@PBPF@T@bP@ATB@@B0@@PPD@@dJ@@`QD@@BBI@`QHA@dBH@PX@A@LAh@`ZDASDCI0dX@BHDCHAahDAfDaP@aHdAHDc@`bXFATC@fAD@0Db@@jEPHQIABJJA``PI@CDJE@HII@@@FD@@0@AB@bFPPQPABSBB``PP@CDBHR`P0@@JBDB`HP@@@FB@@PdPBDRBP@HT@B@fBP@@MABJhA``@TABS`B``@T@CD`HR`@M@CDhE@HAIA@JHAH``@A@@IH@@@4@@J@J@`@P@AD@HB`@dP@DPB@@`T@@@XA@@`d@@@iD@@`DAB@iHP@PiDBIBfPPQ`TBDAbP@0PDB@HiPPAIDDD@jPXBPDDD@bX`@@UBDHaX`@iD@J@f@PA0@DD@dB``PD@@HE````D@@Id@@`@EB@IhP@HIDB@FdP@PK@B@".
Definition data_2 := "j@RC`@`IAD@Tk@PbRF@TTbP@aQB@@L0@@`VB@@DKA`bPJ@HDR@AaPHBHDK@AaTH@@BCA@`YH@@Dm@`b`F@TDdP@a@f@HdT@@`He@Hdd@@PhD@@Le@@@ZF@T@SA`BXBHH@CQ@QHJ@@@5@@AhDBH@1D@i`@MBADdI@@`DC@@iX@@0l@@@ZQ@@HMB@@fT@@@".

Definition listing := items bits_of_text
  (counted 12 (both (either (times 9 a_cell) a_cell) (both (number 6) (number 2))))
  [data_0; data_1; data_2].

(** * The theorem *)

Theorem R_hexapawn :
  critical hexapawn (inl [Some Bob; Some Bob; Some Bob; None; None; None; Some Alice; Some Alice; Some Alice]) (1 # 2).
Proof. by_values 32%positive listing 16%N. Qed.

(** f(hex(2, 3), 5) = 4

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition hex : game := {|
  position := grid;
  moves me board :=
    for_each (cells board) (fun c =>
      if is_empty (at_cell board c) then
        [put board me c]
      else []);
  winner board :=
    if connected board Alice left_side right_side then Some Alice
    else if connected board Bob top_side bottom_side then Some Bob
    else None
|}.

(** * The listing: 691 positions *)

Definition data_0 := "@@MB@nI@2j@hiBbBPXU@1\AT2EP=VPUHjPT@BlJHHPD`B@EAj@AXUD0\QPaHBAAb@T`\QAab@U`@0fB`iJHR@IWA4[ETIbRPa`@Q`\EAIbPT`BPjJ`7j`RQdBBEAj@7jBREaj@@h=@0REPJU@m[Q4@BeHHFPi[A5`@eIBFDIhPWbbAUb@TbBX7JhQPbH4ebXDeh@]iBFEIjPUjbQUB@1^@dIBXdJ`9m`DIBRB48VPSHDIbP^IbIDChDWbRB5`@QbBdWJXR0`H1ebdDMhP\hBYeJfTLhRTiJIUC@TIAX]IH5Q`VUbP]FbETj2PmHP]f`EQj2DmhPUfbEUj1Tm@DlFPXb@IYBd^IXJ0`LACAf@IHQd0KQRad@M8R4PhIDBRSH<PadKERkTLeX0ebaDShD\hRXeJiTRhFTiZH5D@QIAd]IX4Y`YPbNCICZTYhYDbNRHkR1h2D3hDUfRF5h1T3@TdCP9Y`EgAVBlJ@db[PJKCmhL4RhUA`TE`P1MBeeIVTfXI1j@TJjQi\L5b1TKiVE`RU@BUA@TE@D0ZP`iAadHD:aPBYBI^Id2ePjUbiBSAFPfX`WbaBSDFBLAR@IJA^hdHIdKePkTRedBIAZ@WjAViFJMQZH4D@AeFD6aPRWBiUIfFLhK10`IQB:PIlJe4HIQCjRMLZR`HRBb<HHcKaLkDc8LL220LaYPb8LI22dLIYPchLM214LiY@b:HHkJ1hJC3bDUYRV4hFS3BTPNPa7@UF@T2YPieaE\FVXYXi0JC@KAVQ@RA7HEVcTY@RIeIeNfVPYZacieRkL@mDZEAHUD@T4MPYeaEUFVFlj@dbjQJ[Lmh142hUE`TU@PUA@UD@A0^D`IR`dHA:adhHDRdP<RBeKITkdTEIPjd`HQPJ\KiHREF@IZ@^iaHCdKMPk4PeIJCEFBLAn5DdIBSADPiQ`]Ha4aDZURB]HIFRiJI5X@]hAVeFZLdXBUiIFSIDDiQP^Ha1aDfURR\HIIRcJIMYP\".
Definition data_1 := "hAYeFfLLXRTiIISCDT7PXUFIUMdVcYPUfaESj1LmPDdDQ8YDIgQdVFYJ2`KICQf0H8Hc02LRJ3H]L3TfAUZF2LAQ4MDYeQFUFYFchZL2F3LZL3LDE7PTVFYQYdeHkB0hhFc21LKF3ldYU@FUAPTE@EPNT`7PEF@E2MTh5PeF@UR@TBgQIVFeRYTjcYA\fEXYVblBC0BiLK41lTYeF`eBkd@lDXED@E4MTX5PeE@eTYTZcYAUfE6XVZl2B0RbUT@TQAPQ\CEYMTeAPYTFe9XVDeYQNfeIk2@lLXUD@EUMTVcYQMfeEkj@hjB`jH@j`@B@6K@L1@dLCPoLDU`PbAbWFh\Y`ZeajRTehHDH5PPaHBEnMTThbD`TS@oMAUbhDDIBRAnMETJbTAAPiE`]Y`4aAZUfhID:0PLaRUFjIA:2DLIRRajLESjd@b4BHOL080@3JCINLdThQeafRHNLal2DSIFRIjLeTja@j[BlJKdjfPk1RhJK1RJ5XiVBBRKH<0`dKCRkLLUX0eaaBSdD\XRXeIiRRdFTYZh4DAQGEdUYXTYaYRbJKISZ4XiYBJnIhll0b2BKEVEPRQMIeceVLVZi4j@RjBHhJ`H`db@OJB9lH42bDNKRllHe2bTGKSUfbL`K3@kLCUfhLDYBb`NJBklHi2b4FKSSFTeYX2dDQ\SDYMQFeEYNVFQYYdceYJ3PDUMQVcUYEPF5XYVjhBHJ8fh0ZbJCHJilh412BJKK\llTYeAdeHkH`hhZb2FKKZllLYUADUEPTQ@E@IU@^VEX@EHgU`VVIjJ4@jPBhP8hB12jDChPilB51JUUiFPeR@UBATB\YIhRDeBUVJjTQA4MEXeUaEPaTMEZcUiEPeT@ePeUbiTZlRMUPATP\SAYYUdATXTSa9XUfATXEPeQ@eDeURj4XlRSeVATREPAU@UDATD\TQXYUaATdTVQ:XeijRChJI`2`JKCUfhHjfbl1j2BhLZl2LUQATTTSQ9XUeATVLVY".
Definition data_2 := "i2j@JjBhjH`j`@j@B@".

Definition listing := items 691
  (both (a_grid 2 3) (counted 1 (both (number 3) (number 4))))
  (bits_of_texts [data_0; data_1; data_2]).

(** * The theorem *)

Theorem f_hex_5 :
  f_is hex (empty_grid 2 3) 5 (Chip 4).
Proof. by_thresholds 5%N listing 8%N. Qed.

(** hexapawn(5*, 5) = alice

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

Definition data_0 := "nCTAj>EE0j6QAJZKD@cjEC`h@PDij_DPk6HAdLD@KQ@KJWD`BQ@JCIdh@PdhXODPJRGA@C@QJRGP@CDHK2EAbD@PKnH@PC@PJQ`hDAj`k@@KhV@`D@@JAHd`@H@JH@dHBB@Ch`@H@lH@L@KB@I`b@HDhH@DIh6CADj4Q@`DABbkH@`H@L@HB@PDj4AD`DPBbk@@aXV`@HB@R@b@P`dJWDH0@@e:b@@IA`dhV@HHa@dH@Dh`nB@LhZA@BD@HL@h@F@HB`@`@BH@`P`B`@Hh@Pb@J@B@iB@I@j@HD`J@PEjZGD1j4AQJ:JHDbB@PejMBT0BPdL@TknH@eL@DKAP4B@4L@4bjE@iP@dd@PJCHeh@@4hHW@IR@Pi8b@DL@@IA@3bZA0HA@2D@LJA0JX@`LBB@Bi`@`PlH@`DJB@PCj\Ad@C@EjKBP`D@DL@Pl@0`hV@HP@`0@BAb@@d0B@SjZA0@C@RL@Hm@0BZV@hd@2@J@Hd`B@BQj@@R`J@HEhB@4`hm@THjVPBcnB@1hYa@LJ@@Sb2E0@I@C2@HMjV@BCAHTB`0LBPcB@0b`k@HIhV@BD@HHa@d`@@hLXV@JBaHLH@BHCB@h``@HdHH@@K`nB`DhZAH@D`@L@J@F@b@`@H`@H@BP`B@`RhA`HDJ@BHaB@h@h@`L@J@BI`B`Pdh@`DHJ@TaJZDQ0bMRDHAQ`RDaBjEQlb5QdbHKD0HnBIDb@@DcXVd`HB`PHb@@UjXW@EK2HPaD@EJATkHc@eL@DKAPKb[AdBA@MbZA@CA@LC`THB@PJC`dHB@RIb@@MJHK@CCfE0`P@eBfE0l`[ALR@0hD@k@jBhH`@`LBH@Bi@B`Pl`@`LHH@HaBB@Rab@0DhH@TIb:CEdh=QAHDE@IT@2PaHHQR@BB@EBhDIA@J@PQb6GT`PPAd@EHCTb`DAAI8bP@D@AHAL``@@e@JQPP`nHD@PP@0@a@XV0@`B@E2hEAAMJcP@CAATBD0LPHCnHDbPPHafeD0h@@".
Definition data_1 := "oCPMbVDDehLBQHDDAIPD2@1HXVPL`nHDBIPLcfELah@PCHJ@RAbB@Uj`mPAKHWT`DPAJAEJ`kHABH@4H@B@Cd`@PCIH@DIC2EA4`KR@T@AdPD@SP`DhVDH@I@DH@L@AB@QbPd@CB`P0`@0DLH@P1B2ETHA@QCnHPPA@QBADLAThDPi@nBDL`ZAABALD`@@dDhV@PA@@AD@PD@I@ABDH@HAAB@LH`@`DIH@PmB2BDm`[AQR@DiDPl@jEDJAHL@B@LC`@`PIH@0TBB@P3`[APMhb@DE@PID@1D@MBARLH@HECB@Rc`@@SJH@LIBB@Mh`@HEJH@TChZDQAjMRD@CQ@KDC`jEePj]QPdJcD@1P@4BeHhlPHDZVDd`fEAHILB`B@CHh@0@dJ@DShVGaTjLRHACaPRD2`nEaHPDb0PJAJ@DKH2BaDbYALa8JBQHB@aRb[Qh@A`TbZAHAA`DRBPIB@aBRDj@jB`L`YAHBAhD`@H@CH@Bb@B@iB`@0HBH@BBIB@cPb@PJ`H@BCHB@S@j@PMbHQDCInH1@DDCHQTb8bDaPPD2@1H`YQLcXVK@LCHB@SHb@Pm@ZKTR`2Ee@PTB0Pi@8JRB@B@CB`@0@AJ@DM`2EAEhKRP@DAALDPdP0@hVDHDHP@H@LD@B@QBIdD`B`PAh@0T@J@PS`2E4@P@U`nHPAP@E0@DQB4@LPK@nBdD`ZAI@ABD`@HAAH@@M@jE@E@@DP@@Q@PBA`D@B@RA`@@K@H@HI@B`TB`@`DAJ@RQ`B@eRhlP0D:VDHeHPDJ@LDaB@dTh[AIDD@UhJBPDD@QL@Pe@IDCdR`ZA0DXV@L@A`T@BQ`@@i@DBR`@HaDH@HPaB`DTh@HIDJ@LHaB@m@h@HM@J@LI`B@5J`kPIChVTbP0HAH@L0@B@mD`@PlDhVDRAPHADaPDDK@QJDH@BCAB@3P`@P4BhVD4@fEAIDD0DPRAH@DiDPRBH@Be@B@SI`@@MChV@SAfE0DP@CQHDEH@@5@@TBA".
Definition data_2 := "J@@1DTPcP`LAH@H1@B`TL`@0l@H@4b@B`4H`@0dBH@".

Definition listing := items bits_of_text
  (counted 12 (both (either (times 9 a_cell) a_cell) (counted 1 (both (number 3) (number 5)))))
  [data_0; data_1; data_2].

(** * The theorem *)

Lemma checked :
  thresholds_check (G := hexapawn) 10 listing (inl [Some Bob; Some Bob; Some Bob; None; None; None; Some Alice; Some Alice; Some Alice]) 11 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem outcome_hexapawn :
  forces (with_chips hexapawn develin_payne) Alice (State (G := hexapawn) (inl [Some Bob; Some Bob; Some Bob; None; None; None; Some Alice; Some Alice; Some Alice]) 5 5 Alice).
Proof. by_chips checked. Qed.

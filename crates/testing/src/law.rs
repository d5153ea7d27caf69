//! Laws that are held on random cases.

use std::cell::RefCell;
use std::fmt::Debug;

use proptest::strategy::Strategy;
use proptest::test_runner::{
    Config, FileFailurePersistence, RngSeed, TestCaseError, TestError, TestRunner,
};

/// The cases of a plain run, which are the same in every run: tests count what their cases cover.
const SEED: u64 = 20_261_121;

/// So many random cases of each law; those that have failed once are kept in `file` and tried
/// first.
pub fn random_cases(cases: u32, file: &'static str) -> Config {
    Config {
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(file))),
        ..Config::with_cases(cases)
    }
}

/// Holds a law on so many random cases, the same in every run unless `PROPTEST_RNG_SEED` names
/// others. The law panics where it does not hold; the smallest case that was found then is printed,
/// and the law panics about that one.
pub fn for_all<S: Strategy>(cases: u32, strategy: S, law: impl FnMut(S::Value))
where
    S::Value: Debug,
{
    let mut config = Config {
        failure_persistence: None,
        ..Config::with_cases(cases)
    };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(SEED);
    }
    let law = RefCell::new(law);
    let held = |case| -> Result<(), TestCaseError> {
        law.borrow_mut()(case);
        Ok(())
    };
    match TestRunner::new(config).run(&strategy, held) {
        Ok(()) => {}
        Err(TestError::Abort(why)) => panic!("the cases were given up: {why}"),
        Err(TestError::Fail(why, case)) => {
            println!("the smallest case that fails: {case:#?}");
            law.borrow_mut()(case);
            panic!("it failed once only: {why}");
        }
    }
}

//! Tests laws on random cases.

use std::cell::RefCell;
use std::fmt::Debug;
use std::ops::Div;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{
    Config, FileFailurePersistence, RngSeed, TestCaseError, TestError, TestRunner,
};

/// The seed of a plain run. Every run has the same cases, because tests count the situations that
/// their cases cover.
const SEED: u64 = 20_261_121;

/// The longest time for which a failing case is shrunk, in milliseconds.
const MOST_SHRINKING: u32 = 60_000;

/// Returns the part of a large number of cases that a plain run tries: an eighth. All are tried if
/// the variable `BID_TESTS` is `all`, as it is in CI.
pub fn share<N: From<u8> + Div<Output = N>>(all: N) -> N {
    let tries_all = std::env::var("BID_TESTS").is_ok_and(|chosen| chosen == "all");
    all / N::from(if tries_all { 1 } else { 8 })
}

/// Returns the cases of a long list that a plain run tries: every eighth, or all as in [`share`].
pub fn some<C: IntoIterator>(all: C) -> impl Iterator<Item = C::Item> {
    all.into_iter().step_by(8 / share(8_usize))
}

/// Configures this many random cases of each law. Cases that have failed before are kept in `file`
/// and tried first.
pub fn random_cases(cases: u32, file: &'static str) -> Config {
    Config {
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(file))),
        ..Config::with_cases(cases)
    }
}

/// Tests a law on this many random cases, the same in every run unless `PROPTEST_RNG_SEED` selects
/// others. The law panics on a case for which it fails. The smallest such case found is printed,
/// and then the law panics on that one.
pub fn for_all<S: Strategy>(cases: u32, strategy: S, law: impl FnMut(S::Value))
where
    S::Value: Debug,
{
    let law = RefCell::new(law);
    let held = |case| -> Result<(), TestCaseError> {
        law.borrow_mut()(case);
        Ok(())
    };
    match TestRunner::new(config(cases)).run(&strategy, held) {
        Ok(()) => {}
        Err(TestError::Abort(why)) => panic!("the cases were given up: {why}"),
        Err(TestError::Fail(why, case)) => {
            println!("the smallest case that fails: {case:#?}");
            law.borrow_mut()(case);
            panic!("it failed once only: {why}");
        }
    }
}

/// Returns an endless sequence of random cases as [`for_all`] draws them, for tests that look for
/// cases of a certain kind.
pub fn samples<S: Strategy>(strategy: S) -> impl Iterator<Item = S::Value> {
    let mut runner = TestRunner::new(config(1));
    std::iter::repeat_with(move || {
        let tree = strategy.new_tree(&mut runner);
        tree.expect("the strategy gives up nothing").current()
    })
}

fn config(cases: u32) -> Config {
    let mut config = Config {
        failure_persistence: None,
        max_shrink_time: MOST_SHRINKING,
        ..Config::with_cases(cases)
    };
    // The environment variable sets a fixed seed, which is kept.
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(SEED);
    }
    config
}

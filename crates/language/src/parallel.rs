//! Parallel work. This is the only module that starts worker threads for computations.
//!
//! The pieces of parallel work are coarse: blocks of a table, chunks of a list. A call that is not
//! inlined therefore costs nothing, and the scheduling is compiled once ([`for_each`]) instead of
//! once for every kind of piece, which was a fifth of the program's code before.
//!
//! The threads belong to a process. A fork copies the process without its threads, and code in the
//! copy that waits for them would wait for ever. For this reason a forked process starts threads of
//! its own.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The threads of a process, and those of the processes that were forked from it.
struct Crew {
    process: u32,
    pool: ThreadPool,
    forked: OnceLock<Box<Crew>>,
}

/// The threads of the first process that needed any.
static CREW: OnceLock<Box<Crew>> = OnceLock::new();

/// The requested number of threads. If it is 0, the number of the machine's cores decides.
static WANTED: AtomicUsize = AtomicUsize::new(0);

/// Returns the threads of this process. Returns `None` if processes cannot be forked on this
/// system, or no threads can be started: then rayon's global threads work, which belong to the only
/// process.
fn pool() -> Option<&'static ThreadPool> {
    if cfg!(not(unix)) {
        return None;
    }
    let process = std::process::id();
    let mut place = &CREW;
    loop {
        if place.get().is_none() {
            let builder = ThreadPoolBuilder::new().num_threads(WANTED.load(Ordering::Relaxed));
            let crew = Crew {
                process,
                pool: builder.build().ok()?,
                forked: OnceLock::new(),
            };
            // Another thread may have set it first.
            let _ = place.set(Box::new(crew));
        }
        let crew = place.get()?;
        if crew.process == process {
            return Some(&crew.pool);
        }
        // The threads of this crew stayed behind in the process from which this one was forked.
        place = &crew.forked;
    }
}

/// Returns the threads on which work has to be done, or `None` if the current thread is one of
/// them.
fn elsewhere() -> Option<&'static ThreadPool> {
    // A worker thread that is running belongs to this process, because a fork copies no threads.
    match rayon::current_thread_index() {
        Some(_) => None,
        None => pool(),
    }
}

/// Runs work on the threads of this process.
fn among<A: Send>(work: impl FnOnce() -> A + Send) -> A {
    match elsewhere() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Returns the number of threads that work in parallel.
pub fn threads() -> usize {
    elsewhere().map_or_else(rayon::current_num_threads, ThreadPool::current_num_threads)
}

/// Sets the number of threads. This has no effect once threads have been started.
pub fn set_threads(threads: usize) {
    WANTED.store(threads, Ordering::Relaxed);
    if cfg!(not(unix)) {
        let _ = ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
}

/// Calls `work` with every number below `count`, in parallel.
fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    // A single piece is not worth the change of threads.
    if count == 1 {
        return work(0);
    }
    // Pieces differ in length, so that each is taken by itself.
    among(|| (0..count).into_par_iter().with_max_len(1).for_each(work));
}

/// Computes the results of all pieces in parallel and returns them in the order of the pieces.
pub fn map<A: Send, B: Send>(
    pieces: impl IntoIterator<Item = A>,
    work: impl Fn(A) -> B + Sync,
) -> Vec<B> {
    let pieces: Vec<Slot<A>> = pieces
        .into_iter()
        .map(|piece| Slot::new(Some(piece)))
        .collect();
    let made: Vec<Slot<B>> = pieces.iter().map(|_| Slot::new(None)).collect();
    for_each(pieces.len(), &|place| {
        // The locks are released before the piece is worked on.
        if let Some(piece) = take(&pieces[place]) {
            let result = work(piece);
            put(&made[place], result);
        }
    });
    made.into_iter().map(content).collect()
}

/// Computes the results of all pieces in parallel and returns them in the order of the pieces.
/// After a failure no other piece is begun, and the error of the first piece that failed is
/// returned.
///
/// # Errors
/// If a piece fails.
pub fn try_map<A: Send, B: Send, E: Send>(
    pieces: impl IntoIterator<Item = A>,
    work: impl Fn(A) -> Result<B, E> + Sync,
) -> Result<Vec<B>, E> {
    let mut pieces = pieces.into_iter();
    let mut all = Vec::new();
    loop {
        let failed = AtomicBool::new(false);
        let made = map(pieces.by_ref().take(AT_ONCE), |piece| {
            if failed.load(Ordering::Relaxed) {
                return None;
            }
            let made = work(piece);
            failed.fetch_or(made.is_err(), Ordering::Relaxed);
            Some(made)
        });
        if made.is_empty() {
            return Ok(all);
        }
        // A piece was not begun only if another one failed.
        for made in made.into_iter().flatten() {
            all.push(made?);
        }
    }
}

/// Runs two closures in parallel.
pub fn join<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    let (a, b) = (Slot::new(Some(a)), Slot::new(Some(b)));
    let (made_a, made_b) = (Slot::new(None), Slot::new(None));
    both(
        &|| {
            if let Some(a) = take(&a) {
                put(&made_a, a());
            }
        },
        &|| {
            if let Some(b) = take(&b) {
                put(&made_b, b());
            }
        },
    );
    (content(made_a), content(made_b))
}

/// Calls two functions in parallel.
fn both(a: &(dyn Fn() + Sync), b: &(dyn Fn() + Sync)) {
    among(|| rayon::join(a, b));
}

/// Sorts in parallel. The order of equal elements is unspecified.
pub fn sort<T: Ord + Send>(elements: &mut [T]) {
    among(|| elements.par_sort_unstable());
}

/// The most pieces that may fail and are in progress at once. Each takes some memory and must be
/// dropped if one fails.
const AT_ONCE: usize = 1 << 14;

/// The place of a piece of work, or of its result.
type Slot<A> = Mutex<Option<A>>;

/// Locks a mutex, whose content is also of use after a panic of another thread.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take<A>(slot: &Slot<A>) -> Option<A> {
    lock(slot).take()
}

fn put<A>(slot: &Slot<A>, content: A) {
    *lock(slot) = Some(content);
}

/// Returns the result of a piece, each of which is worked on.
fn content<A>(slot: Slot<A>) -> A {
    let content = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    content.expect("every piece was worked on")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_keep_their_order() {
        let squares: Vec<u64> = (0..1000).map(|n| n * n).collect();
        assert_eq!(map(0..1000_u64, |n| n * n), squares);
        assert_eq!(try_map(0..1000_u64, |n| Ok::<_, ()>(n * n)), Ok(squares));
    }

    #[test]
    fn a_failure_is_told_and_ends_the_work() {
        let begun = std::sync::atomic::AtomicU64::new(0);
        let failed = try_map(0..100_000_u64, |n| {
            begun.fetch_add(1, Ordering::Relaxed);
            if n % 100 == 50 { Err(n) } else { Ok(n) }
        });
        assert_eq!(failed.expect_err("some fail") % 100, 50);
        assert!(begun.into_inner() < 100_000);
    }
}

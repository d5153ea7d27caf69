//! Waits for messages of another thread, first awake for a moment and then asleep.
//!
//! Waking a sleeping thread takes the system tens of microseconds, and more if its processor sleeps
//! as well. A program that asks one short question after another, such as a loop in Python, would
//! wait that long twice for each: until the bench is awake, and until it is awake itself. So both
//! look for the next message for at most [`AWAKE`] before they sleep. A processor is busy for no
//! longer than that after each question, and other threads that want it are let in meanwhile. With
//! only one processor no thread looks, because the sender could not run meanwhile.

use std::hint;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

/// The time for which a thread looks for a message before it sleeps.
pub const AWAKE: Duration = Duration::from_micros(100);

/// The number of pauses between two looks at the channel.
const PAUSES: usize = 16;

/// Returns the next message; the thread stays awake for `awake` and then sleeps. Returns `None` if
/// there is no sender any more.
pub fn receive<T>(messages: &Receiver<T>, awake: Duration) -> Option<T> {
    look(messages, awake).or_else(|| messages.recv().ok())
}

/// Returns the next message, for which the thread waits at most for `within` asleep.
///
/// # Errors
/// Returns an error if no message has come by then, or there is no sender any more.
pub fn receive_within<T>(
    messages: &Receiver<T>,
    awake: Duration,
    within: Duration,
) -> Result<T, RecvTimeoutError> {
    look(messages, awake).map_or_else(|| messages.recv_timeout(within), Ok)
}

/// Returns a message that comes while the thread is awake.
fn look<T>(messages: &Receiver<T>, awake: Duration) -> Option<T> {
    if awake.is_zero() || !has_several_processors() {
        return None;
    }
    let began = Instant::now();
    loop {
        match messages.try_recv() {
            Ok(message) => return Some(message),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if began.elapsed() >= awake => return None,
            Err(TryRecvError::Empty) => (0..PAUSES).for_each(|_| hint::spin_loop()),
        }
        // Another thread, perhaps the sender, may want this processor.
        thread::yield_now();
    }
}

fn has_several_processors() -> bool {
    // Asking the system takes longer than a short question.
    static SEVERAL: OnceLock<bool> = OnceLock::new();
    *SEVERAL.get_or_init(|| thread::available_parallelism().is_ok_and(|count| count.get() > 1))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn messages_come_in_order_however_long_a_thread_is_awake() {
        for awake in [Duration::ZERO, AWAKE, Duration::from_secs(60)] {
            let (sender, messages) = mpsc::channel();
            let sending = thread::spawn(move || {
                for message in 0..100 {
                    if message % 30 == 29 {
                        thread::sleep(2 * AWAKE);
                    }
                    sender.send(message).expect("somebody listens");
                }
            });
            for message in 0..50 {
                assert_eq!(receive(&messages, awake), Some(message));
            }
            for message in 50..100 {
                assert_eq!(
                    receive_within(&messages, awake, Duration::from_secs(60)),
                    Ok(message)
                );
            }
            sending.join().expect("it does not panic");
            assert_eq!(receive(&messages, awake), None, "nobody sends any more");
            assert_eq!(
                receive_within(&messages, awake, AWAKE),
                Err(RecvTimeoutError::Disconnected)
            );
        }
    }

    #[test]
    fn a_thread_waits_for_nothing_as_long_as_it_is_told_to() {
        let (_sender, messages) = mpsc::channel::<()>();
        let began = Instant::now();
        assert_eq!(
            receive_within(&messages, AWAKE, Duration::from_millis(5)),
            Err(RecvTimeoutError::Timeout)
        );
        assert!(began.elapsed() >= Duration::from_millis(5));
    }
}

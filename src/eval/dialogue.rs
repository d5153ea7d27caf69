//! Talking with the user, for `play`. The library has no terminal; whoever calls it passes a [`Dialogue`] that has.

/// A conversation, line by line.
pub trait Dialogue {
    /// Tells the user something.
    fn say(&mut self, text: &str);

    /// Asks for a line; `None` if the user wants to stop.
    fn ask(&mut self, question: &str) -> Option<String>;

    /// A number that the user cannot foresee, for the chances of a match.
    fn chance(&mut self) -> u64;
}

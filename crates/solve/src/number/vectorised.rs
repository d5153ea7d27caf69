//! Loops over rows of numbers, compiled for the instructions that the processor has.

/// A loop over rows of numbers.
pub(crate) trait RowLoop: Sized {
    /// The result of the loop.
    type Output;

    /// Runs the loop. This function and those that it calls for whole rows have to be inlined,
    /// because only what is inlined is compiled for the instructions that were found. If `WIDE`,
    /// these work on vectors; otherwise the code should be short.
    fn run<const WIDE: bool>(self) -> Self::Output;
}

/// Runs a loop with the vector instructions that the processor has. Processors without any, and
/// the build for web pages, have a short loop that takes one number after another.
pub(crate) fn vectorised<L: RowLoop>(work: L) -> L::Output {
    #[cfg(not(target_family = "wasm"))]
    return pulp::Arch::new().dispatch(Dispatched(work));
    #[cfg(target_family = "wasm")]
    work.run::<false>()
}

#[cfg(not(target_family = "wasm"))]
struct Dispatched<L>(L);

#[cfg(not(target_family = "wasm"))]
impl<L: RowLoop> pulp::WithSimd for Dispatched<L> {
    type Output = L::Output;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> L::Output {
        if const { S::U8_LANES > 1 } {
            self.0.run::<true>()
        } else {
            self.0.run::<false>()
        }
    }
}

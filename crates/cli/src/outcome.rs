//! How a command ends that could do its work.

/// The answer of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is done, or the answer is yes.
    Done,
    /// The answer is no: there are findings, or nothing was found.
    Negative,
}

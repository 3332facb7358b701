//! Answers to questions about templates.

/// Whether something can happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<T> {
    /// It cannot, which is proved.
    Never,
    /// It can, and this is an example.
    Possible(T),
    /// One attribute stands in several places, and among the examples that were tried none fits all
    /// of them. Treat it as possible.
    Undecided,
}

impl<T> Verdict<T> {
    /// Whether it is proved that it cannot happen.
    pub fn is_never(&self) -> bool {
        matches!(self, Verdict::Never)
    }

    /// The example, if there is one.
    pub fn example(&self) -> Option<&T> {
        match self {
            Verdict::Possible(example) => Some(example),
            Verdict::Never | Verdict::Undecided => None,
        }
    }

    /// The same answer with another example.
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Verdict<U> {
        match self {
            Verdict::Never => Verdict::Never,
            Verdict::Possible(example) => Verdict::Possible(change(example)),
            Verdict::Undecided => Verdict::Undecided,
        }
    }

    pub(crate) fn possible_or(example: Option<T>, otherwise: Verdict<T>) -> Verdict<T> {
        example.map_or(otherwise, Verdict::Possible)
    }
}

//! Why a fault cannot be read.

use thiserror::Error;

/// Why a fault, or a document of faults, cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FaultError {
    /// There is nothing to read.
    #[error("a fault begins with its kind: {kinds}")]
    Empty {
        /// The kinds there are.
        kinds: String,
    },
    /// There is no such kind.
    #[error("{kind:?} is no kind of fault; there are {kinds}")]
    UnknownKind {
        /// What was given.
        kind: String,
        /// The kinds there are.
        kinds: String,
    },
    /// A word is not of the form `name=value`.
    #[error("{word:?} is not of the form name=value")]
    NotASetting {
        /// The word.
        word: String,
    },
    /// The kind has no such setting.
    #[error("a fault of the kind {kind} has no setting {name:?}; it has {names}")]
    UnknownSetting {
        /// The kind.
        kind: String,
        /// The name that was given.
        name: String,
        /// The names there are.
        names: String,
    },
    /// A setting is given twice.
    #[error("{name} is given twice")]
    Repeated {
        /// Its name.
        name: String,
    },
    /// A value makes no sense.
    #[error("{name}={value}: {expected}")]
    WrongValue {
        /// The name of the setting.
        name: String,
        /// Its value.
        value: String,
        /// What is expected.
        expected: &'static str,
    },
    /// A setting that the kind needs is missing.
    #[error("a fault of the kind {kind} needs {settings}")]
    Missing {
        /// The kind.
        kind: String,
        /// What it needs.
        settings: &'static str,
    },
    /// A document has another shape.
    #[error("{0}")]
    Document(String),
    /// There are too many faults.
    #[error("there can be {max} faults at most")]
    TooMany {
        /// How many there can be.
        max: usize,
    },
}

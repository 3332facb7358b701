//! Members with a fixed set of values.

use std::fmt::Display;

use super::constraint::{old, one_of};
use crate::error::ApiError;

/// How much of the consumed capacity is returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReturnConsumed {
    None,
    Total,
    Indexes,
}

/// Whether the size of the item collection is returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReturnMetrics {
    None,
    Size,
}

/// What a write returns of the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReturnValues {
    None,
    AllOld,
    UpdatedOld,
    AllNew,
    UpdatedNew,
}

/// Whether a failed condition returns the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReturnOnFailure {
    None,
    AllOld,
}

/// What a Query or Scan returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Select {
    AllAttributes,
    AllProjectedAttributes,
    SpecificAttributes,
    Count,
}

/// A member of an enum: its wire name, what the values are called, and in which order a refusal
/// lists them.
pub(crate) struct Member<T: 'static> {
    pub(super) path: &'static str,
    pub(super) default: T,
    pub(super) values: &'static [(&'static str, T)],
}

pub(crate) const RETURN_CONSUMED: Member<ReturnConsumed> = Member {
    path: "returnConsumedCapacity",
    default: ReturnConsumed::None,
    values: &[
        ("INDEXES", ReturnConsumed::Indexes),
        ("TOTAL", ReturnConsumed::Total),
        ("NONE", ReturnConsumed::None),
    ],
};

pub(crate) const RETURN_METRICS: Member<ReturnMetrics> = Member {
    path: "returnItemCollectionMetrics",
    default: ReturnMetrics::None,
    values: &[("SIZE", ReturnMetrics::Size), ("NONE", ReturnMetrics::None)],
};

pub(crate) const RETURN_VALUES: Member<ReturnValues> = Member {
    path: "returnValues",
    default: ReturnValues::None,
    values: &[
        ("ALL_NEW", ReturnValues::AllNew),
        ("UPDATED_OLD", ReturnValues::UpdatedOld),
        ("ALL_OLD", ReturnValues::AllOld),
        ("NONE", ReturnValues::None),
        ("UPDATED_NEW", ReturnValues::UpdatedNew),
    ],
};

pub(crate) const RETURN_ON_FAILURE: Member<ReturnOnFailure> = Member {
    path: "returnValuesOnConditionCheckFailure",
    default: ReturnOnFailure::None,
    values: &[("ALL_OLD", ReturnOnFailure::AllOld), ("NONE", ReturnOnFailure::None)],
};

pub(crate) const SELECT: Member<Option<Select>> = Member {
    path: "select",
    default: None,
    values: &[
        ("SPECIFIC_ATTRIBUTES", Some(Select::SpecificAttributes)),
        ("COUNT", Some(Select::Count)),
        ("ALL_ATTRIBUTES", Some(Select::AllAttributes)),
        ("ALL_PROJECTED_ATTRIBUTES", Some(Select::AllProjectedAttributes)),
    ],
};

impl<T: Copy> Member<T> {
    /// The value, or the refusal in the older form.
    pub(crate) fn read(&self, text: &Option<String>) -> Result<T, String> {
        self.read_at(self.path, text)
    }

    /// The same for a member inside others.
    pub(crate) fn read_at(&self, path: impl Display, text: &Option<String>) -> Result<T, String> {
        let Some(text) = text else { return Ok(self.default) };
        self.find(text).ok_or_else(|| old(text, path, &self.constraint()))
    }

    /// The value, or none if it is not one of the set.
    pub(crate) fn find(&self, text: &str) -> Option<T> {
        self.values.iter().find(|(name, _)| *name == text).map(|(_, value)| *value)
    }

    fn constraint(&self) -> String {
        let names: Vec<&str> = self.values.iter().map(|(name, _)| *name).collect();
        one_of(&names)
    }
}

/// Answers with a refusal by the newer layer, alone.
pub(crate) fn refuse(violation: String) -> ApiError {
    ApiError::validation(violation).enveloped()
}

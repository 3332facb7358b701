//! Why a table or index does not serve a pattern, or does not serve it well.

use std::fmt;

use super::route::Target;
use super::sort_key::RangeFault;

/// Why a candidate does not serve a pattern, or only with a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The entity is inside other items and has no key.
    Embedded {
        /// The entity.
        entity: String,
    },
    /// The entity's items are not in the table.
    NotInTable {
        /// The entity.
        entity: String,
    },
    /// The entity's items are not in the index.
    NotInIndex {
        /// The entity.
        entity: String,
    },
    /// A part of the partition key is not known.
    MissingPartition {
        /// The entity.
        entity: String,
        /// The attribute that is not known.
        attribute: String,
    },
    /// A part of the sort key is not known, where the whole key is needed.
    MissingSort {
        /// The entity.
        entity: String,
        /// The attribute that is not known.
        attribute: String,
    },
    /// Only a range of a period in the partition key is known, and one end is open.
    OpenPeriod {
        /// The entity.
        entity: String,
        /// The attribute.
        attribute: String,
    },
    /// There is a table for each period, and nothing says which one.
    UnknownTable {
        /// The entity.
        entity: String,
        /// The attribute that says the period.
        attribute: String,
    },
    /// There is a table for each period, and the range of periods has one end open.
    OpenTables {
        /// The entity.
        entity: String,
        /// The attribute that says the period.
        attribute: String,
    },
    /// A part of the sort key is known, and one before it is not.
    Gap {
        /// The entity.
        entity: String,
        /// The attribute that is known.
        attribute: String,
        /// The attribute before it that is not.
        missing: String,
    },
    /// The attribute of the range does not come next in the sort key.
    RangeNotNext {
        /// The entity.
        entity: String,
        /// The attribute of the range.
        attribute: String,
        /// The attribute that comes next, if one does.
        next: Option<String>,
    },
    /// The attribute of the range comes next, and its part of the key is of no use for it.
    RangeUseless {
        /// The entity.
        entity: String,
        /// The attribute.
        attribute: String,
        /// Why.
        fault: RangeFault,
    },
    /// The key holds only the period of the range's attribute.
    RangeCoarse {
        /// The entity.
        entity: String,
        /// The attribute.
        attribute: String,
    },
    /// No single condition is exact for all entities that are wanted.
    NotContiguous {
        /// The entity of which more is returned than is wanted.
        entity: String,
    },
    /// An attribute that is known is not in the key.
    NotInKey {
        /// The entity.
        entity: String,
        /// The attribute.
        attribute: String,
    },
    /// A filter cannot name an attribute of the key that is queried.
    FilterOnKey {
        /// The attribute.
        attribute: String,
    },
    /// A filter names an attribute that the index does not hold.
    FilterNotProjected {
        /// The attribute.
        attribute: String,
    },
    /// A global index cannot be read consistently.
    ConsistentOnGlobalIndex,
    /// The index holds only some of the items.
    Sparse {
        /// The entity.
        entity: String,
        /// The condition under which items are there, or the attribute that they may lack.
        when: String,
    },
    /// The index is sorted by an attribute of its own, and holds only the items that have it.
    Unsorted {
        /// The entity.
        entity: String,
        /// The attribute that items may lack.
        attribute: String,
    },
    /// The update changes an attribute of the table's own key.
    KeyChanges {
        /// The attribute.
        attribute: String,
    },
    /// A batch of writes takes no conditions.
    ConditionInBatch {
        /// The entity whose write has one.
        entity: String,
    },
    /// A batch of writes takes whole items and deletions, no changes.
    UpdateInBatch {
        /// The entity that is to be changed.
        entity: String,
    },
}

/// A candidate that does not serve a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The candidate.
    pub target: Target,
    /// Why not, in the order in which it was found.
    pub reasons: Vec<Reason>,
}

impl Reason {
    /// What would have to be otherwise, as the end of "would be served if …".
    pub fn remedy(&self) -> String {
        match self {
            Reason::Embedded { entity } => format!("{entity} were an item of its own"),
            Reason::NotInTable { entity } => format!("{entity} were in the same table"),
            Reason::NotInIndex { entity } => format!("{entity} had a key in it"),
            Reason::MissingPartition { attribute, .. } | Reason::MissingSort { attribute, .. } => {
                format!("{attribute} were known")
            }
            Reason::OpenPeriod { attribute, .. } => {
                format!("both ends of the range of {attribute} were known")
            }
            Reason::UnknownTable { attribute, .. } => {
                format!("{attribute} were known, or both ends of a range of it")
            }
            Reason::OpenTables { attribute, .. } => {
                format!("the range of {attribute} had both ends")
            }
            Reason::Gap { missing, .. } => format!("{missing} were known"),
            Reason::RangeNotNext { attribute, next: Some(next), .. } => {
                format!("{next} were known, or {attribute} came before it in the sort key")
            }
            Reason::RangeNotNext { entity, attribute, next: None } => {
                format!("{attribute} were in {entity}'s sort key")
            }
            Reason::RangeUseless { attribute, fault: RangeFault::Unordered, .. } => {
                format!("{attribute} were written so that it sorts by value")
            }
            Reason::RangeUseless { attribute, fault: RangeFault::NoBeginning, .. } => {
                format!("{attribute} were written as it is")
            }
            Reason::RangeCoarse { attribute, .. } => {
                format!("the sort key held all of {attribute}")
            }
            Reason::NotContiguous { entity } => {
                format!("{entity}'s wanted items lay beside the others")
            }
            Reason::NotInKey { attribute, .. } => format!("{attribute} were part of the key"),
            Reason::FilterOnKey { attribute } => format!("the filter did not name {attribute}"),
            Reason::FilterNotProjected { attribute } => format!("it held {attribute}"),
            Reason::ConsistentOnGlobalIndex => "the read need not be consistent".to_owned(),
            Reason::Sparse { .. } | Reason::Unsorted { .. } => {
                "the pattern named the index, or implied its condition".to_owned()
            }
            Reason::KeyChanges { .. } => {
                "the item were deleted and put again, in one transaction".to_owned()
            }
            Reason::ConditionInBatch { .. } | Reason::UpdateInBatch { .. } => {
                "it were a transaction, or one request for each item".to_owned()
            }
        }
    }

    /// Returns whether it keeps a candidate from serving a pattern, rather than saying what it
    /// lacks.
    pub(super) fn is_obstacle(&self) -> bool {
        !matches!(self, Reason::Unsorted { .. })
    }

    /// How far from being served: the greater the further.
    pub(super) fn distance(&self) -> usize {
        match self {
            Reason::ConsistentOnGlobalIndex | Reason::Sparse { .. } | Reason::Unsorted { .. } => 1,
            Reason::FilterOnKey { .. }
            | Reason::FilterNotProjected { .. }
            | Reason::NotInKey { .. }
            | Reason::RangeCoarse { .. }
            | Reason::ConditionInBatch { .. }
            | Reason::UpdateInBatch { .. }
            | Reason::NotContiguous { .. } => 2,
            Reason::Gap { .. }
            | Reason::RangeNotNext { .. }
            | Reason::RangeUseless { .. }
            | Reason::OpenPeriod { .. }
            | Reason::UnknownTable { .. }
            | Reason::OpenTables { .. }
            | Reason::MissingSort { .. } => 3,
            Reason::MissingPartition { .. } => 4,
            Reason::KeyChanges { .. } => 5,
            Reason::NotInIndex { .. } => 6,
            Reason::NotInTable { .. } | Reason::Embedded { .. } => 12,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Embedded { entity } => write!(f, "{entity} is embedded in other items"),
            Reason::NotInTable { entity } => write!(f, "{entity} is not in this table"),
            Reason::NotInIndex { entity } => write!(f, "{entity} is not in this index"),
            Reason::MissingPartition { entity, attribute } => {
                write!(f, "the partition key of {entity} needs {attribute}")
            }
            Reason::MissingSort { entity, attribute } => {
                write!(f, "the sort key of {entity} needs {attribute}")
            }
            Reason::OpenPeriod { entity, attribute } => {
                write!(
                    f,
                    "the partition key of {entity} holds a period of {attribute}, and the range is \
                     open"
                )
            }
            Reason::UnknownTable { entity, attribute } => {
                write!(f, "the table of {entity} is named by {attribute}, which is not known")
            }
            Reason::OpenTables { entity, attribute } => {
                write!(
                    f,
                    "the tables of {entity} are named by {attribute}, and an open range of it has \
                     no last table"
                )
            }
            Reason::Gap { entity, attribute, missing } => {
                write!(
                    f,
                    "in the sort key of {entity}, {missing} comes before {attribute} and is not \
                     known"
                )
            }
            Reason::RangeNotNext { entity, attribute, next: Some(next) } => {
                write!(f, "in the sort key of {entity}, {next} comes next and not {attribute}")
            }
            Reason::RangeNotNext { entity, attribute, next: None } => {
                write!(f, "{attribute} does not follow what is known in the sort key of {entity}")
            }
            Reason::RangeUseless { entity, attribute, fault: RangeFault::Unordered } => {
                write!(f, "{attribute} does not sort by value in the sort key of {entity}")
            }
            Reason::RangeUseless { entity, attribute, fault: RangeFault::NoBeginning } => {
                write!(
                    f,
                    "the beginning of {attribute} is not the beginning of its part of the sort key \
                     of {entity}"
                )
            }
            Reason::RangeCoarse { entity, attribute } => {
                write!(f, "the sort key of {entity} holds only the period of {attribute}")
            }
            Reason::NotContiguous { entity } => {
                write!(f, "no one condition returns the others and of {entity} only what is wanted")
            }
            Reason::NotInKey { entity, attribute } => {
                write!(f, "{attribute} is not in the key of {entity}")
            }
            Reason::FilterOnKey { attribute } => {
                write!(f, "a filter cannot name {attribute}, which is part of the key")
            }
            Reason::FilterNotProjected { attribute } => {
                write!(f, "the index does not hold {attribute}, which the filter names")
            }
            Reason::ConsistentOnGlobalIndex => {
                f.write_str("a global index cannot be read consistently")
            }
            Reason::Sparse { entity, when } => {
                write!(f, "the index holds only items of {entity} with {when}")
            }
            Reason::Unsorted { entity, attribute } => {
                write!(f, "the index is sorted by {attribute} and holds only {entity} with it")
            }
            Reason::KeyChanges { attribute } => {
                write!(f, "{attribute} is part of the item's key, which cannot change")
            }
            Reason::ConditionInBatch { entity } => {
                write!(f, "a batch takes no condition, and {entity} has one")
            }
            Reason::UpdateInBatch { entity } => {
                write!(f, "a batch puts and deletes whole items, and {entity} is changed")
            }
        }
    }
}

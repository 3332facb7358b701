//! The members that calls on streams share.

use super::constraint::{Violations, length_violation, value_violation};
use super::enums::Member;

/// A text and the lengths that it may have.
pub(crate) struct Text {
    path: &'static str,
    length_min: usize,
    length_max: usize,
}

pub(crate) const STREAM_ARN: Text = Text { path: "streamArn", length_min: 37, length_max: 1024 };
pub(crate) const EXCLUSIVE_START_STREAM_ARN: Text =
    Text { path: "exclusiveStartStreamArn", length_min: 37, length_max: 1024 };
pub(crate) const SHARD_ID: Text = Text { path: "shardId", length_min: 28, length_max: 65 };
pub(crate) const EXCLUSIVE_START_SHARD_ID: Text =
    Text { path: "exclusiveStartShardId", length_min: 28, length_max: 65 };
pub(crate) const FILTER_SHARD_ID: Text =
    Text { path: "shardFilter.shardId", length_min: 28, length_max: 65 };
pub(crate) const SHARD_ITERATOR: Text =
    Text { path: "shardIterator", length_min: 1, length_max: 2048 };
pub(crate) const SEQUENCE_NUMBER: Text =
    Text { path: "sequenceNumber", length_min: 21, length_max: 40 };

impl Text {
    /// Notes what is wrong with the text, if it is there.
    pub(crate) fn check(&self, violations: &mut Violations, text: &Option<String>) {
        let violation =
            |text: &String| length_violation(text, self.path, self.length_min, self.length_max);
        violations.extend(text.as_ref().and_then(violation));
    }

    /// The text, which must be there; notes what is wrong with it.
    pub(crate) fn require<'a>(
        &self,
        violations: &mut Violations,
        text: &'a Option<String>,
    ) -> &'a str {
        violations.require(text, self.path);
        self.check(violations, text);
        text.as_deref().unwrap_or_default()
    }
}

/// The limit of a page, or the most that it can have; notes what is wrong with it.
pub(crate) fn limit(violations: &mut Violations, limit: Option<i32>, max: usize) -> usize {
    let violation = |limit| value_violation(i64::from(limit), "limit", 1, max as i64);
    violations.extend(limit.and_then(violation));
    limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(max)
}

/// Where in a shard a new iterator stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IteratorType {
    TrimHorizon,
    Latest,
    AtSequenceNumber,
    AfterSequenceNumber,
    AtTimestamp,
}

pub(crate) const SHARD_ITERATOR_TYPE: Member<Option<IteratorType>> = Member {
    path: "shardIteratorType",
    default: None,
    values: &[
        ("AFTER_SEQUENCE_NUMBER", Some(IteratorType::AfterSequenceNumber)),
        ("LATEST", Some(IteratorType::Latest)),
        ("AT_SEQUENCE_NUMBER", Some(IteratorType::AtSequenceNumber)),
        ("TRIM_HORIZON", Some(IteratorType::TrimHorizon)),
        ("AT_TIMESTAMP", Some(IteratorType::AtTimestamp)),
    ],
};

/// Which shards of a stream are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FilterType {
    ChildShards,
}

pub(crate) const SHARD_FILTER_TYPE: Member<Option<FilterType>> = Member {
    path: "shardFilter.type",
    default: None,
    values: &[("CHILD_SHARDS", Some(FilterType::ChildShards))],
};

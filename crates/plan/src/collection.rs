//! What lies in the partition that a query asks, entity by entity.

use super::interval::{Interval, Share};

/// The entities whose items may lie in the partition, in the order of their sort keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Collection {
    /// The entities.
    pub members: Vec<Member>,
    /// Whether the order of some of them depends on values.
    pub interleaved: bool,
}

/// An entity in a collection.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The entity.
    pub entity: String,
    /// Where all its items lie.
    pub interval: Interval,
    /// What the query does with it.
    pub role: Role,
}

/// What a query does with an entity of the collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is wanted and returned.
    Wanted,
    /// It is returned and not wanted: its items are read, paid for and thrown away.
    Leaks(Share),
    /// It is neither wanted nor returned.
    Outside,
}

impl Collection {
    /// The entities that are returned and not wanted.
    pub fn leaks(&self) -> impl Iterator<Item = &str> {
        let leaking = |member: &&Member| matches!(member.role, Role::Leaks(_));
        self.members.iter().filter(leaking).map(|member| member.entity.as_str())
    }

    /// Returns whether all items of one member lie before all of another; not if that depends on
    /// values.
    pub fn lies_before(first: &Member, second: &Member) -> bool {
        ends_before(&first.interval, &second.interval)
    }

    /// Puts members into the order of their keys, as far as it is decided. Where it is not, the
    /// order of the file is kept.
    pub(super) fn of_members(members: Vec<Member>) -> Collection {
        let mut collection = Collection::default();
        for member in members {
            let lies_before = |other: &Member| ends_before(&member.interval, &other.interval);
            let lies_after = |other: &Member| ends_before(&other.interval, &member.interval);
            let undecided = |other: &Member| !lies_before(other) && !lies_after(other);
            collection.interleaved |= collection.members.iter().any(undecided);
            let first = collection.members.iter().position(lies_before);
            let place = first.unwrap_or(collection.members.len());
            collection.members.insert(place, member);
        }
        collection
    }
}

/// Returns whether all of one interval lies before all of another.
fn ends_before(a: &Interval, b: &Interval) -> bool {
    let after = Interval { lower: b.lower.clone(), upper: None };
    let before = Interval { lower: None, upper: a.upper.clone() };
    a.upper.is_some() && b.lower.is_some() && before.share_in(&after) == Share::None
}

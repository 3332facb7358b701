//! What is known of a stream.

use std::ops::RangeInclusive;

use crate::attached_policy::AttachedPolicy;
use crate::home::Home;
use crate::schema::{KeySchema, StreamView, TableId};

/// The number of a stream within its table. It is never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(pub u32);

/// The number of a shard within its stream. It is never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShardId(pub u32);

/// What a writer must know of its table's stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenStream {
    /// The stream.
    pub id: StreamId,
    /// What its records hold.
    pub view: StreamView,
    /// The open shard of each lane.
    pub shards: Vec<ShardId>,
}

impl OpenStream {
    /// How many lanes there are.
    pub(crate) fn lanes(&self) -> u32 {
        self.shards.len() as u32
    }

    /// The lane for the records of a partition with this hash: the lanes are equal ranges of
    /// hashes.
    pub(crate) fn lane_of(&self, partition_hash: u64) -> u32 {
        ((u128::from(partition_hash) * self.shards.len() as u128) >> 64) as u32
    }
}

/// A stream with all its shards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamSchema {
    /// The table it belongs to, or belonged to.
    pub table: TableId,
    /// Its number.
    pub id: StreamId,
    /// Whose the table is, and where.
    pub home: Home,
    /// The table's name.
    pub table_name: String,
    /// The table's key.
    pub key: KeySchema,
    /// What its records hold.
    pub view: StreamView,
    /// When it was enabled, in milliseconds since 1970.
    pub created_millis: u64,
    /// When it was disabled.
    pub disabled_millis: Option<u64>,
    /// The number of the next shard.
    pub next_shard: u32,
    /// Its shards, oldest first.
    pub shards: Vec<ShardSchema>,
    /// Who may read it.
    pub policy: AttachedPolicy,
}

/// A shard of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardSchema {
    /// Its number.
    pub id: ShardId,
    /// Which part of the hash space it holds.
    pub lane: u32,
    /// The shard before it, of its lane or of the lane that its lane is a half of.
    pub parent: Option<ShardId>,
    /// When it was opened, in milliseconds since 1970.
    pub opened_millis: u64,
    /// No record of it has a smaller position.
    pub first_position: u64,
    /// Its records up to this position have been removed; one less than the first if none has.
    pub trimmed_position: u64,
    /// The position of its last record, once it is closed; one less than the first if it has none.
    pub last_position: Option<u64>,
    /// When it was closed.
    pub closed_millis: Option<u64>,
    /// How far its sequence numbers are ahead of the positions: a child's are greater than its
    /// parent's, though it may stand in another log.
    pub sequence_offset: u64,
}

impl StreamSchema {
    /// The shard with this number.
    pub fn shard(&self, id: ShardId) -> Option<&ShardSchema> {
        self.shards.iter().find(|shard| shard.id == id)
    }

    /// Notes that the records of a shard up to a position are being removed.
    pub(crate) fn note_trimmed(&mut self, id: ShardId, position: u64) {
        if let Some(shard) = self.shards.iter_mut().find(|shard| shard.id == id) {
            shard.trimmed_position = shard.trimmed_position.max(position);
        }
    }

    /// Closes the open shards, given where each lane ends.
    pub(crate) fn close_shards(&mut self, now_millis: u64, ends: &[u64]) {
        for shard in self.shards.iter_mut().filter(|shard| shard.closed_millis.is_none()) {
            let end = ends.get(shard.lane as usize).copied().unwrap_or(0);
            shard.closed_millis = Some(now_millis);
            // A lane that was trimmed ends earlier, or has nothing.
            shard.last_position = Some(end.max(shard.trimmed_position));
        }
    }

    /// Opens a shard in each of this many lanes, children of the shards that were closed last.
    /// There are as many of those, or the lanes are equal parts of theirs.
    pub(crate) fn open_shards(&mut self, lanes: u32, now_millis: u64) -> OpenStream {
        let former = self.shards.last().map_or(0, |last| last.lane + 1);
        let parents = self.shards.len().saturating_sub(former as usize);
        let mut open = OpenStream { id: self.id, view: self.view, shards: Vec::new() };
        for lane in 0..lanes {
            let parent =
                parents + (u64::from(lane) * u64::from(former) / u64::from(lanes)) as usize;
            let parent = self.shards.get(parent).filter(|_| former > 0);
            let before = self.shards.iter().rev().find(|shard| shard.lane == lane);
            let trimmed_position = before.and_then(|before| before.last_position).unwrap_or(0);
            let shard = ShardSchema {
                id: ShardId(self.next_shard),
                lane,
                parent: parent.map(|parent| parent.id),
                opened_millis: now_millis,
                first_position: trimmed_position + 1,
                trimmed_position,
                last_position: None,
                closed_millis: None,
                sequence_offset: parent
                    .map_or(0, |parent| (parent.end() + 1).saturating_sub(trimmed_position)),
            };
            self.next_shard += 1;
            open.shards.push(shard.id);
            self.shards.push(shard);
        }
        open
    }
}

impl ShardSchema {
    /// The sequence number of a position.
    pub fn sequence_number(&self, position: u64) -> u64 {
        position.saturating_add(self.sequence_offset)
    }

    /// The position of a sequence number; 0 if all of the shard's are greater.
    pub fn position(&self, sequence_number: u64) -> u64 {
        sequence_number.saturating_sub(self.sequence_offset)
    }

    /// The sequence number at which the shard begins. Those of its records are greater, and it is
    /// itself greater than those of the parent's.
    pub fn start(&self) -> u64 {
        self.sequence_number(self.first_position.saturating_sub(1))
    }

    /// The sequence number at which the shard ends if it is closed: that of its last record, or of
    /// its start if it has none.
    pub fn end(&self) -> u64 {
        self.last_position.map_or(self.start(), |last| self.sequence_number(last))
    }

    /// The positions of the lane's log that belong to the shard.
    pub(crate) fn positions(&self) -> RangeInclusive<u64> {
        self.first_position..=self.last_position.unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_equal_ranges_of_hashes() {
        let shards = [10, 11, 12].map(ShardId).to_vec();
        let open = OpenStream { id: StreamId(0), view: StreamView::KeysOnly, shards };
        assert_eq!(open.lane_of(0), 0);
        assert_eq!(open.lane_of(u64::MAX / 3), 0);
        assert_eq!(open.lane_of(u64::MAX / 3 + 2), 1);
        assert_eq!(open.lane_of(u64::MAX), 2);
    }

    fn new_stream() -> StreamSchema {
        StreamSchema {
            table: TableId(1),
            id: StreamId(0),
            home: Home::default(),
            table_name: String::new(),
            key: KeySchema { partition: Vec::new(), sort: Vec::new() },
            view: StreamView::KeysOnly,
            created_millis: 0,
            disabled_millis: None,
            next_shard: 0,
            shards: Vec::new(),
            policy: AttachedPolicy::default(),
        }
    }

    #[test]
    fn a_lane_that_is_halved_has_two_children_with_greater_sequence_numbers() {
        let mut stream = new_stream();
        stream.open_shards(2, 10);
        stream.close_shards(20, &[7, 3]);
        let open = stream.open_shards(4, 20);
        assert_eq!(open.lanes(), 4);
        let parents: Vec<_> = stream.shards.iter().map(|shard| shard.parent).collect();
        let [first, second] = [Some(ShardId(0)), Some(ShardId(1))];
        assert_eq!(parents, [None, None, first, first, second, second]);
        let starts: Vec<u64> = stream.shards.iter().map(ShardSchema::start).collect();
        assert_eq!(starts, [0, 0, 8, 8, 4, 4]);
        let firsts: Vec<u64> = stream.shards.iter().map(|shard| shard.first_position).collect();
        assert_eq!(firsts, [1, 1, 8, 4, 1, 1]);
        // Whatever hash a record has, its lane is a half of the one before.
        let before = OpenStream { shards: vec![ShardId(0), ShardId(1)], ..open.clone() };
        for hash in [0, 1 << 62, (1 << 63) - 1, 1 << 63, u64::MAX] {
            assert_eq!(open.lane_of(hash) / 2, before.lane_of(hash), "{hash}");
        }
    }

    #[test]
    fn the_shards_of_a_lane_follow_each_other_without_a_gap() {
        let mut stream = new_stream();
        stream.open_shards(2, 10);
        stream.close_shards(20, &[7, 0]);
        stream.open_shards(2, 20);
        stream.note_trimmed(ShardId(2), 9);
        stream.close_shards(30, &[0, 3]);
        let ends = |shard: &ShardSchema| shard.positions().into_inner();
        let positions: Vec<_> = stream.shards.iter().map(ends).collect();
        assert_eq!(positions, [(1, 7), (1, 0), (8, 9), (1, 3)]);
        assert_eq!(stream.shards[3].parent, Some(ShardId(1)));
        let numbers = |shard: &ShardSchema| (shard.start(), shard.end());
        let numbers: Vec<_> = stream.shards.iter().map(numbers).collect();
        assert_eq!(numbers, [(0, 7), (0, 0), (8, 10), (1, 4)]);
    }
}

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
    /// The lane for the records of a partition with this hash: the lanes are equal ranges of hashes.
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
    /// The shard of the same lane before it.
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

    /// Opens a shard in each lane, children of the shards that were closed last there.
    pub(crate) fn open_shards(&mut self, lanes: u32, now_millis: u64) -> OpenStream {
        let mut open = OpenStream { id: self.id, view: self.view, shards: Vec::new() };
        for lane in 0..lanes {
            let parent = self.shards.iter().rev().find(|shard| shard.lane == lane);
            let trimmed_position = parent.and_then(|parent| parent.last_position).unwrap_or(0);
            let shard = ShardSchema {
                id: ShardId(self.next_shard),
                lane,
                parent: parent.map(|parent| parent.id),
                opened_millis: now_millis,
                first_position: trimmed_position + 1,
                trimmed_position,
                last_position: None,
                closed_millis: None,
            };
            self.next_shard += 1;
            open.shards.push(shard.id);
            self.shards.push(shard);
        }
        open
    }
}

impl ShardSchema {
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

    #[test]
    fn the_shards_of_a_lane_follow_each_other_without_a_gap() {
        let key = KeySchema { partition: Vec::new(), sort: Vec::new() };
        let mut stream = StreamSchema {
            table: TableId(1),
            id: StreamId(0),
            home: Home::default(),
            table_name: String::new(),
            key,
            view: StreamView::KeysOnly,
            created_millis: 0,
            disabled_millis: None,
            next_shard: 0,
            shards: Vec::new(),
            policy: AttachedPolicy::default(),
        };
        stream.open_shards(2, 10);
        stream.close_shards(20, &[7, 0]);
        stream.open_shards(2, 20);
        stream.note_trimmed(ShardId(2), 9);
        stream.close_shards(30, &[0, 3]);
        let ends = |shard: &ShardSchema| shard.positions().into_inner();
        let positions: Vec<_> = stream.shards.iter().map(ends).collect();
        assert_eq!(positions, [(1, 7), (1, 0), (8, 9), (1, 3)]);
        assert_eq!(stream.shards[3].parent, Some(ShardId(1)));
    }
}

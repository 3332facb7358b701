//! What calls consume, by table and index. The units themselves are those of
//! [`monotable_item::capacity`].

pub use monotable_item::capacity::{Consistency, HalfUnits, read_units, write_units};

use crate::schema::IndexId;

/// What one call consumed on a table and its indexes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Consumed {
    /// On the table itself.
    pub table: HalfUnits,
    /// On each index that was touched.
    pub indexes: Vec<(IndexId, HalfUnits)>,
    /// Bytes on each vector index that was touched, which are no units.
    pub vector_bytes: Vec<(IndexId, u64)>,
}

impl Consumed {
    /// Only units on the table itself.
    pub fn on_table(units: HalfUnits) -> Consumed {
        Consumed { table: units, ..Consumed::default() }
    }

    /// On the table and all indexes together.
    pub fn total(&self) -> HalfUnits {
        self.table + self.indexes.iter().map(|(_, units)| *units).sum()
    }

    /// Adds what another call on the same table consumed.
    pub fn absorb(&mut self, other: &Consumed) {
        self.table += other.table;
        for (index, units) in &other.indexes {
            self.add_index(*index, *units);
        }
        for (index, bytes) in &other.vector_bytes {
            self.add_vector_index(*index, *bytes);
        }
    }

    /// Adds units on an index.
    pub fn add_index(&mut self, index: IndexId, units: HalfUnits) {
        match self.indexes.iter_mut().find(|(known, _)| *known == index) {
            Some((_, sum)) => *sum += units,
            None => self.indexes.push((index, units)),
        }
    }

    /// Adds bytes on a vector index.
    pub fn add_vector_index(&mut self, index: IndexId, bytes: u64) {
        match self.vector_bytes.iter_mut().find(|(known, _)| *known == index) {
            Some((_, sum)) => *sum += bytes,
            None => self.vector_bytes.push((index, bytes)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_on_one_table_add_up_by_index() {
        let mut sum = Consumed::default();
        let call = Consumed {
            table: HalfUnits::whole(1),
            indexes: vec![(IndexId(1), HalfUnits::whole(2)), (IndexId(0), HalfUnits::whole(1))],
            vector_bytes: vec![(IndexId(2), 1024)],
        };
        sum.absorb(&call);
        sum.absorb(&call);
        assert_eq!(sum.indexes.len(), 2);
        assert_eq!(sum.vector_bytes, [(IndexId(2), 2048)]);
        assert_eq!(sum.total().units(), 8.0);
    }
}

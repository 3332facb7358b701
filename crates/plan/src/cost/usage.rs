//! Units that many requests consume: averages, and so not whole.

use std::collections::BTreeMap;

use super::request::{Consumption, Request, Units};

/// Units of a table or an index.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Load {
    /// By reading.
    pub read: f64,
    /// By writing.
    pub write: f64,
}

/// Units of a table, its indexes, its replicas and its stream.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Usage {
    /// Of the table.
    pub table: Load,
    /// Of its indexes, by name.
    pub indexes: BTreeMap<String, Load>,
    /// Write units of each replica.
    pub replicated: f64,
    /// Requests to the stream.
    pub stream_reads: f64,
}

impl Load {
    /// Adds a multiple of another.
    pub fn add(&mut self, other: Load, times: f64) {
        self.read += other.read * times;
        self.write += other.write * times;
    }
}

impl From<Units> for Load {
    fn from(units: Units) -> Load {
        Load { read: units.read.units(), write: units.write.units() }
    }
}

impl Usage {
    /// Of one request.
    pub fn of(request: &Request) -> Usage {
        let Consumption { table, indexes } = request.consumption();
        let mut usage = Usage {
            table: table.into(),
            replicated: request.replicated_units().units(),
            stream_reads: if matches!(request, Request::ReadStream) { 1.0 } else { 0.0 },
            indexes: BTreeMap::new(),
        };
        for (index, units) in indexes {
            usage.indexes.entry(index).or_default().add(units.into(), 1.0);
        }
        usage
    }

    /// Adds a multiple of another.
    pub fn add(&mut self, other: &Usage, times: f64) {
        self.table.add(other.table, times);
        for (index, load) in &other.indexes {
            self.indexes.entry(index.clone()).or_default().add(*load, times);
        }
        self.replicated += other.replicated * times;
        self.stream_reads += other.stream_reads * times;
    }

    /// On the table and all its indexes.
    pub fn total(&self) -> Load {
        let mut total = self.table;
        for load in self.indexes.values() {
            total.add(*load, 1.0);
        }
        total
    }
}

//! What is stored, and what each server knows of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::job::Job;
use crate::request::Request;

/// How many items the table has.
pub const ITEMS: usize = 2;
/// How many servers there are.
pub const SERVERS: usize = 3;

/// The number of an index; none is used twice.
pub type IndexId = u8;

/// Where an index stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// It is being filled.
    Creating,
    /// It is complete, and can be asked.
    Active,
    /// Its entries are being removed.
    Deleting,
}

/// The index of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Index {
    /// Its number.
    pub id: IndexId,
    /// Where it stands.
    pub status: Status,
}

/// The record of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableRecord {
    /// Raised by every change.
    pub version: u8,
    /// The index, if there is one.
    pub index: Option<Index>,
    /// The number of the next index.
    pub next_index: IndexId,
}

/// An entry of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry {
    /// Whose entry it is.
    pub index: IndexId,
    /// The item.
    pub item: usize,
    /// What the item was when the entry was written.
    pub value: u8,
}

/// What a job is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum JobName {
    /// Filling an index.
    Fill(IndexId),
    /// Removing one.
    Remove(IndexId),
}

/// A process: a server between a start and its end. Each gets a name that no other has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Owner {
    /// Which server.
    pub server: usize,
    /// Which of its lives.
    pub life: u8,
}

/// Who does a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LeaseRecord {
    /// The process.
    pub owner: Owner,
    /// Raised when the job is taken over.
    pub epoch: u8,
    /// Whether its time has passed, by the clock of the store.
    pub is_over: bool,
}

/// A server.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Server {
    /// Who it is among the users of the store.
    pub owner: Owner,
    /// Whether its process runs.
    pub is_up: bool,
    /// The record as it was read last.
    pub cache: TableRecord,
    /// The request whose transaction is under way.
    pub request: Option<Request>,
    /// The job that it does.
    pub job: Option<Job>,
}

/// How often things may still happen. It keeps the number of states finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Budget {
    /// Writes of clients.
    pub writes: u8,
    /// Indexes that are added.
    pub additions: u8,
    /// Indexes that are removed.
    pub removals: u8,
    /// Servers that die.
    pub crashes: u8,
    /// Sessions that end, with the answer to what was under way in them.
    pub losses: u8,
    /// Leases that run out.
    pub expiries: u8,
}

/// What must never happen, noted when it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Breaches {
    /// A write was committed that was checked against another version of the table.
    pub stale_write: bool,
    /// A job wrote something though another process had it, or nobody.
    pub stale_job: bool,
    /// A query was answered with something else than the items of the table.
    pub torn_query: bool,
}

/// All there is at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// The record of the table.
    pub record: TableRecord,
    /// What each item is.
    pub items: [u8; ITEMS],
    /// Up to which item an index is filled; nothing is noted for one that is not filled at all.
    pub notes: BTreeMap<IndexId, usize>,
    /// The entries of all indexes.
    pub entries: BTreeSet<Entry>,
    /// Who does which job.
    pub leases: BTreeMap<JobName, LeaseRecord>,
    /// The servers.
    pub servers: [Server; SERVERS],
    /// What may still happen.
    pub budget: Budget,
    /// What has happened and must not.
    pub breaches: Breaches,
}

impl State {
    /// A table without an index.
    pub fn new(budget: Budget) -> State {
        let record = TableRecord { version: 1, index: None, next_index: 1 };
        let server = |server| Server {
            owner: Owner { server, life: 0 },
            is_up: true,
            cache: record,
            request: None,
            job: None,
        };
        State {
            record,
            items: [0; ITEMS],
            notes: BTreeMap::new(),
            entries: BTreeSet::new(),
            leases: BTreeMap::new(),
            servers: std::array::from_fn(server),
            budget,
            breaches: Breaches::default(),
        }
    }

    /// Up to which item an index is filled.
    pub fn filled(&self, index: IndexId) -> usize {
        self.notes.get(&index).copied().unwrap_or(0)
    }

    /// Whether an index holds exactly the items before this one.
    pub fn holds_exactly(&self, index: IndexId, end: usize) -> bool {
        let items = self.items.iter().enumerate().take(end);
        let wanted = items.map(|(item, value)| Entry { index, item, value: *value });
        wanted.eq(self.entries.iter().filter(|entry| entry.index == index).copied())
    }

    /// Whether a job belongs to this process, in this epoch.
    pub fn stands(&self, name: JobName, owner: Owner, epoch: u8) -> bool {
        let found = self.leases.get(&name);
        found.is_some_and(|found| (found.owner, found.epoch) == (owner, epoch))
    }

    /// Writes the entry of an item, in place of the one that is there.
    pub fn put_entry(&mut self, entry: Entry) {
        self.entries.retain(|old| (old.index, old.item) != (entry.index, entry.item));
        self.entries.insert(entry);
    }

    /// The same with the servers in an order that does not depend on their numbers. Servers differ
    /// in nothing but what they do, so of all states that differ in the numbers only, one has to be
    /// looked at.
    #[must_use]
    pub fn in_order(mut self) -> State {
        let mut order: Vec<usize> = (0..SERVERS).collect();
        order.sort_by_cached_key(|number| self.servers.get(*number).map(|it| self.doings(it)));
        if order.is_sorted() {
            return self;
        }
        let place = |server: usize| order.iter().position(|old| *old == server).unwrap_or(server);
        let rename = |owner: Owner| Owner { server: place(owner.server), ..owner };
        self.servers.sort_by_key(|server| place(server.owner.server));
        self.servers.iter_mut().for_each(|server| server.owner = rename(server.owner));
        self.leases.values_mut().for_each(|lease| lease.owner = rename(lease.owner));
        self
    }

    /// All that there is to know of a server, but its number.
    fn doings(&self, server: &Server) -> (Server, Vec<(JobName, LeaseRecord)>) {
        let nameless = |owner: Owner| Owner { server: 0, ..owner };
        let own = self.leases.iter().filter(|(_, it)| it.owner.server == server.owner.server);
        let leases =
            own.map(|(name, it)| (*name, LeaseRecord { owner: nameless(it.owner), ..*it }));
        (Server { owner: nameless(server.owner), ..server.clone() }, leases.collect())
    }

    /// Changes the record.
    pub fn alter(&mut self, index: Option<Index>) {
        self.record.version += 1;
        self.record.index = index;
    }
}

impl TableRecord {
    /// The index if it stands there.
    pub fn index_that_is(&self, status: Status) -> Option<IndexId> {
        self.index.filter(|index| index.status == status).map(|index| index.id)
    }
}

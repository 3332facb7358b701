//! Tables and their indexes, as `CreateTable` knows them.

use monotable_item::key_encoding::KeyType;

use super::PeriodName;
use crate::template::{Attributes, BuildError};

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What the model calls it.
    pub name: String,
    /// What the service calls it, where that differs: see [`Table::physical_name`].
    pub stored_name: Option<String>,
    /// What the service calls the table of each period, if there is one for each. Such a table has
    /// no stored name.
    pub period_name: Option<PeriodName>,
    /// What it is for.
    pub description: Option<String>,
    /// The partition key.
    pub partition_key: KeyAttribute,
    /// The sort key, if the table has one.
    pub sort_key: Option<KeyAttribute>,
    /// The attribute that names the entity of an item.
    pub type_attribute: Option<String>,
    /// The attribute with the second in which an item expires.
    pub ttl: Option<String>,
    /// What the stream records, if there is one.
    pub stream: Option<StreamView>,
    /// How capacity is paid for.
    pub billing: Billing,
    /// How storage is paid for.
    pub class: TableClass,
    /// Further regions that hold the table.
    pub replicas: Vec<String>,
    /// How it is backed up.
    pub backup: Option<Backup>,
    /// Whether it is safe from `DeleteTable`.
    pub deletion_protection: bool,
    /// Its indexes: local ones first, each kind in the order of the file.
    pub indexes: Vec<Index>,
}

/// A secondary index.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// The name.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Local or global.
    pub kind: IndexKind,
    /// The attributes of the partition key: one to four. A local index has the table's.
    pub partition_key: Vec<KeyAttribute>,
    /// The attributes of the sort key: none to four.
    pub sort_key: Vec<KeyAttribute>,
    /// Which attributes it holds besides the keys.
    pub projection: IndexProjection,
    /// Its own capacity, where it differs from the table's.
    pub billing: Option<Billing>,
}

/// Whether an index shares the partitions of its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexKind {
    /// Another sort key in the table's own partitions; can be read consistently.
    Local,
    /// Partitions of its own; read eventually.
    Global,
}

/// An attribute of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyAttribute {
    /// The name, as it is stored.
    pub name: String,
    /// Its type.
    pub kind: KeyType,
}

/// Which attributes an index holds besides the keys of itself and the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexProjection {
    /// All.
    All,
    /// None.
    KeysOnly,
    /// These, as they are stored.
    Include(Vec<String>),
}

/// How capacity is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Billing {
    /// By request.
    OnDemand,
    /// By the second.
    Provisioned {
        /// Read units of each second.
        read_units: u64,
        /// Write units of each second.
        write_units: u64,
    },
}

/// What a stream record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamView {
    /// The keys.
    KeysOnly,
    /// The item after the change.
    NewImage,
    /// The item before the change.
    OldImage,
    /// Both.
    NewAndOldImages,
}

/// How storage is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableClass {
    /// Cheaper requests.
    Standard,
    /// Cheaper storage.
    InfrequentAccess,
}

/// How a table is backed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backup {
    /// It can be restored to any second of the last 35 days.
    PointInTime,
}

impl Table {
    /// A table of this name and partition key about which nothing else is known.
    pub fn new(name: impl Into<String>, partition_key: KeyAttribute) -> Table {
        Table {
            name: name.into(),
            stored_name: None,
            period_name: None,
            description: None,
            partition_key,
            sort_key: None,
            type_attribute: None,
            ttl: None,
            stream: None,
            billing: Billing::OnDemand,
            class: TableClass::Standard,
            replicas: Vec::new(),
            backup: None,
            deletion_protection: false,
            indexes: Vec::new(),
        }
    }

    /// What the service calls the table; of a table for each period, the template of the names.
    pub fn physical_name(&self) -> &str {
        match &self.period_name {
            Some(name) => name.text(),
            None => self.stored_name.as_deref().unwrap_or(&self.name),
        }
    }

    /// Whether the service calls the table so, or one of the tables that there are for periods.
    pub fn is_called(&self, name: &str) -> bool {
        match &self.period_name {
            Some(of_period) => of_period.period_in(name).is_some(),
            None => self.physical_name() == name,
        }
    }

    /// What the service calls the table that an item is in, by its attributes as the model calls
    /// them.
    pub fn name_of<A: Attributes + ?Sized>(&self, attributes: &A) -> Result<String, BuildError> {
        match &self.period_name {
            Some(name) => name.of(attributes),
            None => Ok(self.physical_name().to_owned()),
        }
    }

    /// This table as one that has just this name: one of the tables that there are for periods.
    pub fn called(&self, name: &str) -> Table {
        let stored_name = Some(name.to_owned()).filter(|name| *name != self.name);
        Table { stored_name, period_name: None, ..self.clone() }
    }

    /// The index of this name.
    pub fn index(&self, name: &str) -> Option<&Index> {
        self.indexes.iter().find(|index| index.name == name)
    }

    /// The attributes of the table's own key.
    pub fn key_attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        std::iter::once(&self.partition_key).chain(&self.sort_key)
    }
}

impl Index {
    /// The attributes of the index's key: partition first.
    pub fn key_attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.partition_key.iter().chain(&self.sort_key)
    }
}

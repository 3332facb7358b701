//! Version history with a pointer
//!
//! Tables, entities and access patterns of the model `version-history`, written by `monotable model
//! export --to rust`.

use monotable::Number;
use monotable::db::{Create, Get};
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", entities(Pointer, Version,))]
pub struct Data;

/// Says which version is the current one
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_document_id: pk = "{document_id}", sk = "V0")]
pub struct Pointer {
    /// The attribute `DocumentId`.
    #[attr(name = "DocumentId", max_len = 20)]
    pub document_id: String,
    /// The attribute `CurVer`.
    #[attr(name = "CurVer")]
    pub cur_ver: Number,
}

/// The entity `Version`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_document_id: pk = "{document_id}", sk = "V{version:plain}")]
pub struct Version {
    /// The attribute `DocumentId`.
    #[attr(name = "DocumentId", max_len = 20)]
    pub document_id: String,
    /// The attribute `Version`.
    #[attr(name = "Version")]
    pub version: Number,
    /// The attribute `Timestamp`.
    #[attr(name = "Timestamp", max_len = 19)]
    pub timestamp: Option<String>,
    /// The attribute `Author`.
    #[attr(name = "Author", max_len = 100)]
    pub author: Option<String>,
    /// The attribute `Body`.
    #[attr(name = "Body", max_len = 100000)]
    pub body: Option<String>,
}

/// Access pattern: get pointer.
pub fn get_pointer(db: &Db<Data>, document_id: &str) -> Get<Pointer> {
    db.get(Pointer::by_document_id(document_id))
}

/// Access pattern: get version.
pub fn get_version(db: &Db<Data>, document_id: &str, version: Number) -> Get<Version> {
    db.get(Version::by_document_id(document_id).version(version))
}

/// Access pattern: prepare next version.
pub fn prepare_next_version(db: &Db<Data>, version: &Version) -> Create<Version> {
    db.create(version)
}

/// Access pattern: make version current.
///
/// Refused if another writer was faster
pub fn make_version_current(
    db: &Db<Data>,
    document_id: &str,
    next: Number,
    expected: Number,
) -> pointer::Patch<Db<Data>> {
    db.patch(Pointer::by_document_id(document_id)).cur_ver(next).when(Pointer::CUR_VER.is(expected))
}

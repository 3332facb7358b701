//! Document parts with versions
//!
//! Tables, entities and access patterns of the model `attribute-versioning`, written by `monotable
//! model export --to rust`.

use monotable::Number;
use monotable::db::{Create, Query};
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", entities(Part,))]
pub struct Data;

/// The entity `Part`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_document_id:
    pk = "DOCUMENT#{document_id}",
    sk = "{part:enum(INTRO,MAIN_CONTENT,SUMMARY)}_V{version:plain}",
)]
pub struct Part {
    /// The attribute `DocumentId`.
    #[attr(name = "DocumentId", max_len = 20)]
    pub document_id: String,
    /// The attribute `Part`.
    #[attr(name = "Part")]
    pub part: PartPart,
    /// The attribute `Version`.
    #[attr(name = "Version")]
    pub version: Number,
    /// The attribute `Timestamp`.
    #[attr(name = "Timestamp", max_len = 19)]
    pub timestamp: Option<String>,
    /// The attribute `Author`.
    #[attr(name = "Author", max_len = 100)]
    pub author: Option<String>,
}

/// The values of `Part`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartPart {
    /// `INTRO`
    #[key_part("INTRO")]
    Intro,
    /// `MAIN_CONTENT`
    #[key_part("MAIN_CONTENT")]
    MainContent,
    /// `SUMMARY`
    #[key_part("SUMMARY")]
    Summary,
}

/// Access pattern: all parts and versions.
///
/// The reader keeps the highest version of each part
pub fn all_parts_and_versions(db: &Db<Data>, document_id: &str) -> Query<part::ByDocumentId> {
    db.query(Part::by_document_id(document_id))
}

/// Access pattern: newest version of a part.
pub fn newest_version_of_a_part(
    db: &Db<Data>,
    document_id: &str,
    part: PartPart,
) -> Query<part::ByDocumentId> {
    db.query(Part::by_document_id(document_id).part(part)).desc().limit(1)
}

/// Access pattern: add version of a part.
pub fn add_version_of_a_part(db: &Db<Data>, part: &Part) -> Create<Part> {
    db.create(part)
}

//! Documents and their editors
//!
//! Tables, entities and access patterns of the model `documents-editors`, written by `monotable
//! model export --to rust`.

use monotable::db::Transaction;
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", type_attr = "TYPE", entities(Document, Editors,))]
pub struct Data;

/// The entity `Document`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "DOCUMENT")]
#[key(by_document_id: pk = "DOCUMENT#{document_id}", sk = "DOCUMENT#{document_id}")]
pub struct Document {
    /// The attribute `DocumentId`.
    #[attr(name = "DocumentId", max_len = 20)]
    pub document_id: String,
    /// The attribute `content`.
    #[attr(max_len = 100000)]
    pub content: Option<String>,
    /// Only of documents that have editors of their own
    pub editors: Option<Vec<String>>,
}

/// The editors of all other documents
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "EDITORS")]
#[key(only: pk = "EDITORS", sk = "EDITORS")]
pub struct Editors {
    /// The attribute `editors`.
    pub editors: Vec<String>,
}

/// Access pattern: edit document with its own editors.
pub fn edit_document_with_its_own_editors(
    db: &Db<Data>,
    document_id: &str,
    content: &str,
    user: &str,
) -> document::Patch<Db<Data>> {
    db.patch(Document::by_document_id(document_id))
        .content(content)
        .when(Document::EDITORS.contains(user))
}

/// Access pattern: edit document with common editors.
///
/// The document must exist, else the update would create one
pub fn edit_document_with_common_editors(
    db: &Db<Data>,
    user: &str,
    document_id: &str,
    content: &str,
) -> Transaction<Data, ()> {
    db.transaction()
        .check(&Editors::only(), Editors::EDITORS.contains(user))
        .patch(patch(Document::by_document_id(document_id)).content(content))
}

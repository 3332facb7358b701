//! Two versions of a model: orders get a key in an index, and sessions another primary key.

use monotable_model::document::{Format, Model, read};

/// The table, as the endpoint calls it.
pub(crate) const TABLE: &str = "Live";

const TABLES: &str = r#"format = 1
name = "live"

[tables.Live]
partition_key = "PK"
sort_key = "SK"
type_attribute = "Type"

[tables.Live.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"
"#;

const OLD: &str = r##"
[entities.Order]
key = { partition = "CUSTOMER#{customer}", sort = "ORDER#{order}" }

[entities.Session]
key = { partition = "SESSION#{session}", sort = "SESSION#{session}" }
"##;

const NEW: &str = r##"
[entities.Order]
key = { partition = "CUSTOMER#{customer}", sort = "ORDER#{order}" }
indexes.GSI1 = { partition = "STATUS#{status}", sort = "{order}" }

[entities.Session]
key = { partition = "USER#{user}", sort = "SESSION#{session}" }
version = 2
"##;

const ATTRIBUTES: &str = r#"
[entities.Order.attributes]
customer = "S"
order = "S"
status = "S"
note = "S"
count = "N"

[entities.Session.attributes]
session = "S"
user = "S"
note = "S"
count = "N"
"#;

/// The model before.
pub(crate) fn old() -> Model {
    model(OLD)
}

/// The model after.
pub(crate) fn new() -> Model {
    model(NEW)
}

fn model(entities: &str) -> Model {
    let text = format!("{TABLES}{entities}{ATTRIBUTES}");
    read(&text, Format::Toml).unwrap_or_else(|problems| panic!("{problems:#?}")).model
}

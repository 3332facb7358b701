//! Properties for the CDK's constructs of the first level.
//!
//! `CfnTable` and `CfnGlobalTable` take the properties of CloudFormation with a small first letter,
//! as plain data. So the file is JSON that a stack reads:
//!
//! ```text
//! const tables = JSON.parse(fs.readFileSync("tables.json", "utf8"));
//! for (const [id, { construct, props }] of Object.entries(tables)) new dynamodb[construct](this, id, props);
//! ```

use monotable_model::document::members::Members;
use monotable_model::document::{Model, Tree};

use super::case::camel;
use super::cloudformation::{beyond_tables, logical_id, properties, resource_type};
use super::outcome::Written;

/// The tables of a model by the names of their constructs.
pub(super) fn export(model: &Model) -> Written<Tree> {
    let mut notes = Vec::new();
    let mut constructs = Members::new();
    for table in &model.tables {
        let is_global = !table.replicas.is_empty();
        let mut construct = Members::new();
        construct.text("construct", Some(if is_global { "CfnGlobalTable" } else { "CfnTable" }));
        construct.text("type", Some(resource_type(table)));
        construct.put("props", small_letters(&properties(table, &mut notes)));
        constructs.put(&logical_id(table), construct.into_tree());
    }
    notes.extend(beyond_tables(model, "constructs describe tables"));
    Written { content: constructs.into_tree(), notes }
}

fn small_letters(tree: &Tree) -> Tree {
    match tree {
        Tree::Map(members) => {
            let member = |(name, value): &(String, Tree)| (camel(name), small_letters(value));
            Tree::Map(members.iter().map(member).collect())
        }
        Tree::List(values) => Tree::List(values.iter().map(small_letters).collect()),
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) => tree.clone(),
    }
}

//! Reads documents, strictly: what has no meaning is refused, with its place and what to do.

mod canonical;
mod condition;
mod node;
mod path;
mod statement;

use std::collections::BTreeSet;

use crate::document::PolicyKind;
use crate::error::{PolicyError, Problem};
use crate::statement::Statement;
use crate::template::Variables;
pub(crate) use canonical::canonical;
use node::{Node, Object};
use path::Path;

/// A document whose parts were all understood.
pub(crate) struct Document {
    /// Whether the document says `2012-10-17`.
    pub(crate) variables: Variables,
    pub(crate) statements: Vec<Statement>,
}

const MEMBERS: &[&str] = &["Version", "Id", "Statement"];

/// Reads a document.
pub(crate) fn document(kind: PolicyKind, json: &str) -> Result<Document, PolicyError> {
    let root: Node = serde_json::from_str(json)
        .map_err(|error| PolicyError::NotJson { reason: error.to_string() })?;
    let path = Path::root();
    let object = Object::of(&root, &path, MEMBERS)?;
    let variables = match object.get("Version") {
        None => Variables::Literal,
        Some(version) => version_variables(version, &path.member("Version"))?,
    };
    if let Some(id) = object.get("Id") {
        id.text(&path.member("Id"))?;
    }
    let place = path.member("Statement");
    let nodes = object.required("Statement", &path)?;
    let nodes = nodes.one_or_many();
    if nodes.is_empty() {
        return Err(place.error(Problem::NoStatements));
    }
    let mut statements: Vec<Statement> = Vec::with_capacity(nodes.len());
    let mut sids = BTreeSet::new();
    for (index, node) in nodes.iter().enumerate() {
        let path = place.index(index);
        let statement = statement::statement(kind, variables, node, &path)?;
        if let Some(sid) = statement.sid.clone().filter(|sid| !sids.insert(sid.clone())) {
            return Err(path.member("Sid").error(Problem::SidTwice { sid: sid.into() }));
        }
        statements.push(statement);
    }
    Ok(Document { variables, statements })
}

fn version_variables(node: &Node, path: &Path<'_>) -> Result<Variables, PolicyError> {
    match node.text(path)? {
        "2012-10-17" => Ok(Variables::Active),
        "2008-10-17" => Ok(Variables::Literal),
        other => Err(path.error(Problem::UnknownVersion { version: other.to_owned() })),
    }
}

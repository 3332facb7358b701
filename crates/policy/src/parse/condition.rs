//! Reads the conditions of a statement.

use super::node::{Node, Object};
use super::path::Path;
use crate::condition::{Condition, Operator, Test};
use crate::error::{PolicyError, Problem};
use crate::template::Variables;

/// Reads an object of operators, each an object of keys.
pub(super) fn conditions(
    node: &Node,
    variables: Variables,
    path: &Path<'_>,
) -> Result<Vec<Condition>, PolicyError> {
    let mut conditions = Vec::new();
    for (name, node) in Object::of_any(node, path)?.iter() {
        let path = path.member(name);
        let operator = Operator::parse(name).map_err(|problem| path.error(problem))?;
        for (key, node) in Object::of_any(node, &path)?.iter() {
            let path = path.member(key);
            conditions.push(condition(&operator, key, node, variables, &path)?);
        }
    }
    Ok(conditions)
}

fn condition(
    operator: &Operator,
    key: &str,
    node: &Node,
    variables: Variables,
    path: &Path<'_>,
) -> Result<Condition, PolicyError> {
    let is_key = key.split_once(':').is_some_and(|(service, name)| {
        !service.is_empty() && !name.is_empty() && key.chars().all(|c| !c.is_control())
    });
    if !is_key {
        return Err(path.error(Problem::MalformedKey { key: key.to_owned() }));
    }
    let mut sources = Vec::new();
    let mut test = Test::new(operator.kind);
    for (index, member) in node.one_or_many().iter().enumerate() {
        let path = if matches!(node, Node::List(_)) { path.index(index) } else { *path };
        let text = value(member).ok_or_else(|| path.error(member.is_not("a value")))?;
        test.push(&text, operator.kind, variables).map_err(|problem| path.error(problem))?;
        sources.push(text.into());
    }
    Ok(Condition {
        operator: operator.clone(),
        key: key.to_ascii_lowercase().into(),
        spelled_key: key.into(),
        sources,
        test,
    })
}

/// A value is a string; numbers and booleans may stand without quotation marks.
fn value(node: &Node) -> Option<String> {
    match node {
        Node::Text(text) | Node::Number(text) => Some(text.clone()),
        Node::Bool(value) => Some(value.to_string()),
        Node::Null | Node::List(_) | Node::Object(_) => None,
    }
}

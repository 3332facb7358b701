//! What the schema says about members, for completion and hover.

use std::sync::LazyLock;

use monotable_model::document::SCHEMA;
use serde_json::Value;

static ROOT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(SCHEMA).expect("the schema is JSON"));

/// A member that can stand somewhere.
pub(super) struct SchemaMember {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
}

/// The members that a table at a path can have.
pub(super) fn members(path: &[String]) -> Vec<SchemaMember> {
    let mut members = Vec::new();
    for shape in shapes_at(path) {
        for (name, member) in shape["properties"].as_object().into_iter().flatten() {
            members.push(SchemaMember { name, description: description(member) });
        }
    }
    members
}

/// The words that can stand at a path.
pub(super) fn words(path: &[String]) -> Vec<&'static str> {
    let mut words = Vec::new();
    for shape in shapes_at(path) {
        let listed = shape["enum"].as_array().into_iter().flatten();
        words.extend(listed.chain([&shape["const"]]).filter_map(Value::as_str));
    }
    words
}

/// What a member is for.
pub(super) fn meaning(path: &[String]) -> Option<&'static str> {
    let (name, outer) = path.split_last()?;
    let shapes = shapes_at(outer);
    let member = shapes.iter().find_map(|shape| shape["properties"].get(name));
    member.map(description).filter(|text| !text.is_empty())
}

fn description(member: &'static Value) -> &'static str {
    member["description"].as_str().unwrap_or_default()
}

fn shapes_at(path: &[String]) -> Vec<&'static Value> {
    let mut shapes = expanded(&ROOT);
    for name in path {
        let inner = |shape: &&'static Value| -> Option<&'static Value> {
            let own = shape["properties"].get(name);
            own.or_else(|| Some(&shape["additionalProperties"]).filter(|any| any.is_object()))
        };
        shapes = shapes.iter().filter_map(inner).flat_map(expanded).collect();
    }
    shapes
}

/// A shape with its references followed and its alternatives side by side. The elements of a list
/// stand for the list: paths leave out their numbers.
fn expanded(shape: &'static Value) -> Vec<&'static Value> {
    let mut all = Vec::new();
    let mut waiting = vec![shape];
    while let Some(shape) = waiting.pop() {
        if let Some(reference) = shape["$ref"].as_str() {
            waiting.extend(ROOT.pointer(reference.trim_start_matches('#')));
        }
        waiting.extend(shape["oneOf"].as_array().into_iter().flatten());
        if shape["items"].is_object() {
            waiting.push(&shape["items"]);
        }
        all.push(shape);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<String> {
        text.split('/').map(str::to_owned).collect()
    }

    #[test]
    fn members_and_words_are_those_of_the_path() {
        let names = |at: &str| -> Vec<&str> {
            members(&path(at)).into_iter().map(|member| member.name).collect()
        };
        assert!(names("patterns/any").contains(&"operation"));
        assert!(names("entities/Order/key").contains(&"partition"));
        assert!(names("relationships").contains(&"through"));
        assert!(names("patterns/any/actions").contains(&"put"));
        assert!(words(&path("patterns/any/operation")).contains(&"transact-write"));
        assert!(meaning(&path("patterns/any/rate")).unwrap().contains("per second"));
        assert_eq!(meaning(&path("patterns/any/colour")), None);
    }
}

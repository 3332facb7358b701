//! What a model has no place for: kept under `extensions`, and put back when the model is exported.
//!
//! Under the name of the format lies a tree that has the shape of the foreign file, with one
//! difference: a list of things that have names is a table by those names, so that what was kept
//! still belongs to the same thing after the model was edited.
//!
//! ```text
//! the file        DataModel: [{ TableName: Shop, DataAccess: { MySql: {} }, … }]
//! the extension   workbench.DataModel.Shop.DataAccess.MySql = {}
//! ```

use monotable_model::document::{Model, Tree};

/// Members that give an element of a list its name.
const NAMES: [&str; 6] =
    ["TableName", "FacetName", "IndexName", "AttributeName", "name", "pattern_id"];

/// What is kept so far: a table by names.
#[derive(Debug, Default)]
pub(super) struct Kept(Vec<(String, Tree)>);

impl Kept {
    /// Keeps members.
    pub(super) fn members(&mut self, members: Vec<(String, Tree)>) {
        self.0.extend(members);
    }

    /// Keeps what is in another under a name, if there is anything.
    pub(super) fn under(&mut self, name: &str, kept: Kept) {
        if !kept.0.is_empty() {
            self.0.push((name.to_owned(), Tree::Map(kept.0)));
        }
    }

    /// Puts what was kept into a model, under the name of the format.
    pub(super) fn into_model(self, model: &mut Model, format: &str) {
        if !self.0.is_empty() {
            model.extensions = Some(Tree::Map(vec![(format.to_owned(), Tree::Map(self.0))]));
        }
    }
}

/// The member of a table.
pub(super) fn child<'t>(tree: &'t Tree, name: &str) -> Option<&'t Tree> {
    let Tree::Map(members) = tree else { return None };
    member(members, name)
}

/// What a model keeps for a format.
pub(super) fn kept_for<'m>(model: &'m Model, format: &str) -> Option<&'m Tree> {
    child(model.extensions.as_ref()?, format)
}

/// Puts what was kept back into a tree. What the model says itself is not overwritten, but for
/// functions of a template such as `Fn::Sub`, whose text is all that the model has.
pub(super) fn restore(tree: &mut Tree, kept: &Tree) {
    match (tree, kept) {
        (Tree::Map(members), Tree::Map(kept)) => {
            for (name, value) in kept {
                restore_member(members, name, value);
            }
        }
        (Tree::List(elements), Tree::Map(kept)) => restore_elements(elements, kept),
        (tree, kept) if is_function(kept) => *tree = kept.clone(),
        (_, _) => {}
    }
}

/// Gives elements what was kept of them, and brings back those that were kept as a whole, names
/// included.
fn restore_elements(elements: &mut Vec<Tree>, kept: &[(String, Tree)]) {
    for (name, own) in kept {
        let found = elements.iter_mut().find(|element| name_of(element) == Some(name));
        match found {
            Some(element) => restore(element, own),
            None if name_of(own) == Some(name) => elements.push(own.clone()),
            None => {}
        }
    }
}

fn restore_member(members: &mut Vec<(String, Tree)>, name: &str, kept: &Tree) {
    match members.iter_mut().find(|(member, _)| member == name) {
        Some((_, tree)) => restore(tree, kept),
        None => members.push((name.to_owned(), kept.clone())),
    }
}

/// The name of an element of a list.
pub(super) fn name_of(element: &Tree) -> Option<&str> {
    let Tree::Map(members) = element else { return None };
    if let Some(Tree::Map(config)) = member(members, "table_config") {
        return member(config, "table_name").and_then(text);
    }
    NAMES.iter().find_map(|name| member(members, name)).and_then(text)
}

fn member<'t>(members: &'t [(String, Tree)], name: &str) -> Option<&'t Tree> {
    members.iter().find(|(member, _)| member == name).map(|(_, tree)| tree)
}

fn text(tree: &Tree) -> Option<&str> {
    match tree {
        Tree::String(text) => Some(text),
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) | Tree::Map(_) => None,
    }
}

/// Whether a value is a function of a CloudFormation template.
pub(super) fn is_function(tree: &Tree) -> bool {
    let Tree::Map(members) = tree else { return false };
    matches!(members.as_slice(), [(name, _)] if name == "Ref" || name.starts_with("Fn::"))
}

#[cfg(test)]
mod tests {
    use monotable_model::document::inline_tree;

    use super::*;

    fn tree(json: &str) -> Tree {
        monotable_model::document::read_json(json).unwrap()
    }

    #[track_caller]
    fn check(written: &str, kept: &str, restored: &str) {
        let mut written = tree(written);
        restore(&mut written, &tree(kept));
        assert_eq!(inline_tree(&written), inline_tree(&tree(restored)));
    }

    #[test]
    fn members_come_back_beside_what_the_model_says() {
        check(r#"{"a":1}"#, r#"{"a":2,"b":{"c":3}}"#, r#"{"a":1,"b":{"c":3}}"#);
    }

    #[test]
    fn elements_are_found_by_their_names() {
        let list = r#"[{"TableName":"A"},{"TableName":"B"}]"#;
        check(list, r#"{"B":{"x":1}}"#, r#"[{"TableName":"A"},{"TableName":"B","x":1}]"#);
    }

    #[test]
    fn functions_replace_their_texts() {
        check(r#"{"n":"A"}"#, r#"{"n":{"Fn::Sub":"${E}-A"}}"#, r#"{"n":{"Fn::Sub":"${E}-A"}}"#);
    }
}

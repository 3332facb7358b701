//! What expressions of a configuration come to, as far as the file says it.

use std::cell::RefCell;

use monotable_model::document::Tree;

use super::repetition::Instance;

/// How often a local may lead to another.
const STEPS_MAX: usize = 8;

/// The locals and variables of a configuration.
#[derive(Default)]
pub(super) struct References<'t> {
    locals: Vec<(&'t str, &'t Tree)>,
    /// Variables with their defaults.
    variables: Vec<(&'t str, &'t Tree)>,
    /// The variables that were asked for.
    used: RefCell<Vec<String>>,
}

impl<'t> References<'t> {
    /// Those that the root of a configuration declares.
    pub(super) fn of(root: &'t Tree) -> References<'t> {
        let bodies = |name| root.member(name).into_iter().flat_map(one_or_more);
        let locals = bodies("locals").flat_map(Tree::members);
        let variables = root.member("variable").map(Tree::members).unwrap_or_default();
        let default = |(name, body): &'t (String, Tree)| {
            let default = one_or_more(body).find_map(|body| body.member("default"));
            Some((name.as_str(), default.filter(|default| **default != Tree::Null)?))
        };
        References {
            locals: locals.map(|(name, value)| (name.as_str(), value)).collect(),
            variables: variables.iter().filter_map(default).collect(),
            used: RefCell::default(),
        }
    }

    /// The variables whose defaults were taken, each once.
    pub(super) fn used(&self) -> Vec<(String, &'t Tree)> {
        let mut used = self.used.take();
        used.sort();
        used.dedup();
        let value = |name: String| {
            let (_, value) = self.variables.iter().find(|(known, _)| *known == name)?;
            Some((name, *value))
        };
        used.into_iter().filter_map(value).collect()
    }

    /// A tree with the values of all expressions that are known; the others stay.
    pub(super) fn resolve(&self, tree: &Tree) -> Tree {
        self.resolve_in(tree, &Instance::default())
    }

    /// The same, for one of the tables that a resource makes.
    pub(super) fn resolve_in(&self, tree: &Tree, instance: &Instance) -> Tree {
        let resolve = |tree: &Tree| self.resolve_in(tree, instance);
        match tree {
            Tree::String(text) => {
                self.value(text, instance, STEPS_MAX).unwrap_or_else(|| tree.clone())
            }
            Tree::List(values) => Tree::List(values.iter().map(resolve).collect()),
            Tree::Map(members) => {
                let member = |(name, value): &(String, Tree)| (name.clone(), resolve(value));
                Tree::Map(members.iter().map(member).collect())
            }
            Tree::Null | Tree::Bool(_) | Tree::Number(_) => tree.clone(),
        }
    }

    /// The value of a text, if all expressions in it are known.
    fn value(&self, text: &str, instance: &Instance, steps: usize) -> Option<Tree> {
        let pieces = pieces(text);
        if let [Piece::Code(code)] = pieces.as_slice() {
            return self.of_code(code, instance, steps);
        }
        let mut whole = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => whole.push_str(text),
                Piece::Code(code) => match self.of_code(code, instance, steps)? {
                    Tree::String(text) | Tree::Number(text) => whole.push_str(&text),
                    Tree::Bool(flag) => whole.push_str(if flag { "true" } else { "false" }),
                    Tree::Null | Tree::List(_) | Tree::Map(_) => return None,
                },
            }
        }
        Some(Tree::String(whole))
    }

    fn of_code(&self, code: &str, instance: &Instance, steps: usize) -> Option<Tree> {
        if let Some(value) = instance.value(code.trim()) {
            return Some(value);
        }
        let steps = steps.checked_sub(1)?;
        let (kind, name) = code.trim().split_once('.')?;
        let known = match kind {
            "local" => &self.locals,
            "var" => &self.variables,
            _ => return None,
        };
        let (name, value) = known.iter().find(|(known, _)| *known == name)?;
        if kind == "var" {
            self.used.borrow_mut().push((*name).to_owned());
        }
        match value {
            Tree::String(text) => self.value(text, instance, steps),
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) | Tree::Map(_) => {
                Some((*value).clone())
            }
        }
    }
}

/// A value that may stand alone where a list is meant.
pub(super) fn one_or_more(tree: &Tree) -> impl Iterator<Item = &Tree> {
    let elements = tree.elements();
    let alone = if elements.is_empty() { std::slice::from_ref(tree) } else { elements };
    alone.iter()
}

/// The expressions of a text that are still in it, such as `var.stage`.
pub(super) fn unknown(text: &str) -> Vec<&str> {
    let pieces = pieces(text).into_iter();
    let code = |piece| match piece {
        Piece::Code(code) => Some(code),
        Piece::Text(_) => None,
    };
    pieces.filter_map(code).collect()
}

enum Piece<'t> {
    Text(&'t str),
    Code(&'t str),
}

/// The parts of a text, of which those in `${…}` are expressions and `$${` is none.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut from = 0;
    while let Some(position) = text.get(from..).and_then(|rest| rest.find("${")) {
        let open = from + position;
        from = open + 2;
        let is_escaped = text.get(..open).is_some_and(|before| before.ends_with('$'));
        let end = closing(text.get(from..).unwrap_or_default());
        let Some(end) = end.filter(|_| !is_escaped) else { continue };
        pieces.extend(text.get(start..open).filter(|text| !text.is_empty()).map(Piece::Text));
        pieces.extend(text.get(from..from + end).map(str::trim).map(Piece::Code));
        from += end + 1;
        start = from;
    }
    pieces.extend(text.get(start..).filter(|text| !text.is_empty()).map(Piece::Text));
    pieces
}

/// Where the brace is that closes the one before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (position, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(position),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use monotable_model::document::{inline_tree, read_json};

    use super::*;

    const ROOT: &str = r#"{
        "locals": [{ "name": "${var.stage}-orders", "loop": "${local.loop}", "keys": ["a"] }],
        "variable": {
            "stage": { "default": "dev" }, "region": { "type": "string" },
            "units": { "default": 7 }, "nothing": { "default": null }
        }
    }"#;

    #[test]
    fn locals_and_defaults_are_known_and_the_rest_stays() {
        let root = read_json(ROOT).unwrap();
        let references = References::of(&root);
        for (text, value) in [
            ("plain", r#""plain""#),
            ("${local.name}", r#""dev-orders""#),
            ("a-${ var.stage }-${var.units}", r#""a-dev-7""#),
            ("${var.units}", "7"),
            ("${local.keys}", r#"["a"]"#),
            ("${var.region}-x", r#""${var.region}-x""#),
            ("${var.nothing}", r#""${var.nothing}""#),
            ("${local.loop}", r#""${local.loop}""#),
            ("$${var.stage}", r#""$${var.stage}""#),
            ("${", r#""${""#),
        ] {
            let resolved = references.resolve(&Tree::String(text.to_owned()));
            assert_eq!(inline_tree(&resolved), value, "{text}");
        }
        let used: Vec<String> = references.used().into_iter().map(|(name, _)| name).collect();
        assert_eq!(used, ["stage", "units"]);
    }

    #[test]
    fn what_is_unknown_has_a_name() {
        assert_eq!(unknown("${var.a}-${f({ b = 1 })}-$${c}"), ["var.a", "f({ b = 1 })"]);
        assert!(unknown("plain").is_empty());
    }
}

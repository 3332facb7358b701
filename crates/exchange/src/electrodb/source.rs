//! TypeScript, line by line.

use monotable_model::document::{Tree, inline_tree};

/// Lines so far.
#[derive(Default)]
pub(super) struct Source {
    text: String,
    depth: usize,
}

impl Source {
    /// Adds a line.
    pub(super) fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.push_str(&"  ".repeat(self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Adds a comment.
    pub(super) fn comment(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.line(&format!("// {text}"));
    }

    /// Adds a line, after which everything is indented.
    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// Ends what was opened.
    pub(super) fn close(&mut self, line: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    /// The whole text.
    pub(super) fn into_text(self) -> String {
        self.text.trim_end().to_owned() + "\n"
    }
}

/// A text in quotes.
pub(super) fn literal(text: &str) -> String {
    inline_tree(&Tree::String(text.to_owned()))
}

/// The name of a property, in quotes where it needs them.
pub(super) fn property(name: &str) -> String {
    let mut bytes = name.bytes();
    let begins = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let is_plain = begins && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_plain { name.to_owned() } else { literal(name) }
}

/// A member of an object: `item.name`, or `item["na me"]`.
pub(super) fn access(object: &str, name: &str) -> String {
    let member = property(name);
    if member == name { format!("{object}.{name}") } else { format!("{object}[{member}]") }
}

/// A plain value, with the names of members as they are.
pub(super) fn value(tree: &Tree) -> String {
    match tree {
        Tree::List(values) => {
            let values: Vec<String> = values.iter().map(value).collect();
            format!("[{}]", values.join(", "))
        }
        Tree::Map(members) if !members.is_empty() => {
            let member =
                |(name, own): &(String, Tree)| format!("{}: {}", property(name), value(own));
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{ {} }}", members.join(", "))
        }
        Tree::Map(_) | Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) => {
            inline_tree(tree)
        }
    }
}

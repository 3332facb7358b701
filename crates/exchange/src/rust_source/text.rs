//! Expressions of a model in the names of the code.

use monotable_model::document::{Entity, TokenKind, tokenize};

use super::identifier::field_name;

/// An expression with the fields of an entity in place of its attributes.
pub(super) fn with_fields(text: &str, entity: &Entity) -> String {
    let Ok(tokens) = tokenize(text) else { return text.to_owned() };
    let mut renamed = String::new();
    let mut copied = 0;
    let mut is_member = false;
    for token in tokens {
        let range = token.range();
        let is_name = matches!(token.kind, TokenKind::Word | TokenKind::Name);
        let attribute = entity.attribute(token.inner()).filter(|_| is_name && !is_member);
        if let Some(attribute) = attribute {
            renamed.push_str(text.get(copied..range.start).unwrap_or_default());
            renamed.push_str(&field_name(&attribute.name));
            copied = range.end;
        }
        is_member = token.is_symbol(".");
    }
    renamed.push_str(text.get(copied..).unwrap_or_default());
    renamed
}

/// A text that stays within its comment.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Comment lines of a text, not wider than 100 columns.
pub(super) fn comment(mark: &str, indent: &str, text: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let width = indent.len() + mark.len() + 2 + line.chars().count() + word.chars().count();
        if !line.is_empty() && width > 100 {
            lines.push_str(&format!("{indent}{mark} {line}\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines + &format!("{indent}{mark} {line}\n")
}

//! The operators and functions of expressions, each with an example: for editors and for the
//! reference in the guide.

use super::ExpressionKind;

/// Something that can be written in an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpressionWord {
    /// How it is written, with `a` for an attribute and `v` for a value.
    pub usage: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// An expression that has it, over the attributes `name`, `stock`, `tags`, `places` and
    /// `follower#`.
    pub example: &'static str,
    /// The kind of expression that the example is.
    pub kind: ExpressionKind,
}

use ExpressionKind::{Condition, Filter, Projection, Update, When};

/// All of them, conditions first.
pub const EXPRESSIONS: &[ExpressionWord] = &[
    word("a = v, <>, <, <=, >, >=", "Compares two values of one type.", "stock >= 5", Condition),
    word("a BETWEEN v AND v", "Both ends are included.", "stock BETWEEN :low AND :high", Filter),
    word("a IN (v, v)", "It is one of these.", "name IN ('a', 'b')", When),
    word(
        "… AND …, … OR …, NOT …",
        "Joined and turned round; parentheses group.",
        "NOT (stock = 0 OR name = 'x')",
        Condition,
    ),
    word("attribute_exists(a)", "The item has the attribute.", "attribute_exists(name)", Condition),
    word(
        "attribute_not_exists(a)",
        "The item lacks the attribute.",
        "attribute_not_exists(name)",
        Condition,
    ),
    word(
        "attribute_type(a, v)",
        "The attribute has the type of these letters.",
        "attribute_type(stock, 'N')",
        Condition,
    ),
    word("begins_with(a, v)", "The text begins so.", "begins_with(name, :start)", Filter),
    word(
        "contains(a, v)",
        "The text has this part, or the set or list this member.",
        "contains(tags, 'new')",
        Filter,
    ),
    word("size(a)", "How long, how many bytes or how many members.", "size(tags) < 10", Condition),
    word(
        "SET a = v",
        "Writes a value; `+`, `-`, `list_append` and `if_not_exists` make it from others.",
        "SET stock = if_not_exists(stock, 0) + :more",
        Update,
    ),
    word("REMOVE a", "Takes attributes away.", "REMOVE name, places.{label}", Update),
    word("ADD a v", "Adds to a number or a set.", "ADD stock :more", Update),
    word("DELETE a v", "Takes members out of a set.", "DELETE tags :gone", Update),
    word("a, a", "The attributes that are returned.", "name, places.home", Projection),
    word(
        "'text', 5, true, null",
        "A value; a quote inside a text is doubled.",
        "name = 'O''Hara'",
        Condition,
    ),
    word(":name", "A parameter of the pattern.", "stock > :least", Condition),
    word(
        "a.{name}, a[{n}]",
        "The map member or the list element that a parameter names.",
        "attribute_exists(places.{label})",
        Condition,
    ),
    word(
        "#name",
        "An attribute in any case, for one that is called like a keyword.",
        "#name = :name",
        Condition,
    ),
    word(
        "`name`",
        "An attribute or a member of any name, for one that has other characters than letters, \
         digits and underscores. A name that holds a backtick cannot be written.",
        "`follower#` = :name AND places.`first home` <> 'x'",
        Condition,
    ),
];

const fn word(
    usage: &'static str,
    meaning: &'static str,
    example: &'static str,
    kind: ExpressionKind,
) -> ExpressionWord {
    ExpressionWord { usage, meaning, example, kind }
}

#[cfg(test)]
mod tests {
    use super::super::{Expression, Scope};
    use super::*;

    #[test]
    fn every_example_is_an_expression_of_its_kind() {
        let mut scope = Scope::new();
        for name in ["name", "stock", "tags", "places", "follower#"] {
            scope.add(name, name);
        }
        for word in EXPRESSIONS {
            let parsed = Expression::parse(word.kind, word.example, &scope);
            assert!(parsed.is_ok(), "{}: {parsed:?}", word.example);
        }
    }
}

//! Reports for programs: the linter's own JSON, and SARIF for code scanning.

mod json;
mod sarif;

pub use json::render_report_json;
pub use sarif::render_sarif;

use monotable_model::document::Tree;

fn object<const N: usize>(members: [(&str, Tree); N]) -> Tree {
    Tree::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn text(text: impl Into<String>) -> Tree {
    Tree::String(text.into())
}

fn number(number: usize) -> Tree {
    Tree::Number(number.to_string())
}

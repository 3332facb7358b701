//! From a plain tree to text: always the same text for the same tree.
//!
//! Each format's writer makes [`Line`]s, which know what member they are about; comments of the
//! file that the model came from are put back beside the members that they were written for, and
//! the lines are joined.

mod comment;
mod json;
mod toml;
mod yaml;

pub use comment::Comments;

use super::encode::encode;
use super::reader::Format;
use super::{Model, Tree};
use crate::diagnostic::Place;

/// The width that lines are broken at, where the format allows it.
const LINE_WIDTH: usize = 110;

/// A line of the text, or several that are not to be parted.
struct Line {
    /// The member that it is about.
    place: Option<Place>,
    /// The text without the line break.
    text: String,
}

/// Writes a model: the same text for the same model, always.
pub fn write(model: &Model, format: Format) -> String {
    write_with_comments(model, format, &Comments::default())
}

/// Writes a model with the comments of the file that it was read from. JSON has no comments.
pub fn write_with_comments(model: &Model, format: Format, comments: &Comments) -> String {
    let tree = encode(model);
    match format {
        Format::Json => write_tree(&tree),
        Format::Toml => join(comments.merge(toml::lines(&tree))),
        Format::Yaml => join(comments.merge(yaml::lines(&tree))),
    }
}

/// Writes a plain tree as JSON.
pub fn write_tree(tree: &Tree) -> String {
    json::text(tree)
}

/// Writes a plain tree as YAML.
pub fn write_yaml(tree: &Tree) -> String {
    join(yaml::lines(tree))
}

/// Writes a plain tree as JSON on one line.
pub fn inline_tree(tree: &Tree) -> String {
    json::inline(tree)
}

fn join(lines: Vec<Line>) -> String {
    lines.into_iter().map(|line| line.text + "\n").collect()
}

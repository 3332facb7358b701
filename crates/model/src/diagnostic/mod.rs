//! What is said about a model: one type for the reader's errors and the linter's findings.
//!
//! A [`Diagnostic`] says how bad it is, what it is called, what is wrong, where, and what to write
//! instead. *Where* is a [`Place`], the path of a member such as `entities.Order.key.sort`: whoever
//! finds something names the place, and [`Places`](crate::document::Places) knows which bytes of
//! the file that is. So a rule needs the model alone, and a model that was built in memory can be
//! judged as well as one from a file.
//!
//! Rendering is apart from finding: [`render_text`] underlines the source for people, and
//! [`render_json`] is stable for programs.

mod finding;
#[cfg(feature = "files")]
mod json;
mod place;
mod reference;
mod source;
mod suggestion;
#[cfg(feature = "files")]
mod text;

pub use finding::{Diagnostic, Fix, Note, Severity};
#[cfg(feature = "files")]
pub use json::render_json;
pub use place::Place;
pub use source::{LineColumn, SourceFile, Span};
pub use suggestion::nearest;
#[cfg(feature = "files")]
pub use text::{Colour, render_text};

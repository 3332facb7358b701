//! Estimates to read: as text with bars, as JSON, and as a page with charts.

mod bar;
mod columns;
mod compared;
mod html;
mod json;
mod svg;
mod text;
mod wording;

pub use compared::render_comparison;
pub use html::cost_sections;
pub use html::render_html;
pub use json::{render_comparison_json, render_json};
pub use text::render_text;
pub use wording::{money, number, operation as operation_word};

//! Charts: a model drawn, for people.
//!
//! [`Chart::of`] gathers what there is to see, and knows no output format:
//!
//! - [`EntityChart`]: for the table and each index, the entities in it with their key templates and
//!   the condition under which their items are there;
//! - [`PatternRow`]: for each access pattern, the requests that serve it, by the planner, and their
//!   units, by the cost;
//! - [`CollectionTable`]: the sample items as the table and each index hold them, partition by
//!   partition in the byte order of the sort key, and which items an index lacks;
//! - [`Diagram`]: the entities and what relates them.
//!
//! Renderers turn a chart into something to look at: [`render_text`] for terminals,
//! [`render_markdown`], [`render_html`] for one page that needs nothing else, [`render_svg`] and
//! [`render_mermaid`] for the diagram, [`render_collections_svg`] for the items, and
//! [`render_json`] for programs. What comes from the model is text to all of them: names and values
//! are escaped in one place for each format, and cannot become markup.
//!
//! ```text
//! model ─► sheet, the whole chart, of which part and view choose what to draw
//!            entity_chart                 who is in a table or index, under which keys
//!            pattern_table, request_row   what serves each pattern, and at what price
//!            collection                   the sample items, partition by partition
//!            er                           entities and relationships
//!       ─► text, with display_width                         a terminal
//!          html, markdown, on markup                        pages
//!          er and collection_svg, on svg_style and markup   pictures
//!          json                                             programs
//! all of them write values as value_text does, and colour entities as palette says
//! ```

mod collection;
mod collection_svg;
mod display_width;
mod entity_chart;
mod er;
mod html;
mod json;
mod markdown;
mod markup;
mod palette;
mod part;
mod pattern_table;
mod request_row;
mod sheet;
mod svg_style;
mod text;
mod value_text;
mod view;

pub use collection::{Absence, AbsentItem, Cell, CollectionItem, CollectionTable, Partition};
pub use collection_svg::render_collections_svg;
pub use display_width::{char_width, display_width, printable};
pub use entity_chart::{EntityChart, EntityRow};
pub use er::{
    BoxAttribute, Diagram, End, EntityBox, Layout, Line, Link, Rect, lay_out, render_mermaid,
    render_svg,
};
pub use html::render_html;
pub use json::render_json;
pub use markdown::render_markdown;
pub use part::{Part, Selection};
pub use pattern_table::PatternRow;
pub use request_row::RequestRow;
pub use sheet::{Chart, LegendEntry};
pub use text::{TextStyle, render_text};
pub use view::{View, ViewKind};

//! The diagram of entities and relationships.
//!
//! [`Diagram::of`] takes from the model what there is to draw: a box for each entity, and a link
//! for each relationship and for everything else that ties entities together (embedding, variants,
//! uniqueness, copies). [`lay_out`] gives every box a place and every link a path. It is a layered
//! layout in the manner of Sugiyama: links lead from left to right, each box in the column after
//! the last of those that lead to it.
//!
//! 1. `rank`: cycles are broken and columns are assigned.
//! 2. `column`: links that pass columns get a slot in each of them; the order in each column is
//!    improved until fewer links cross.
//! 3. `placement`: boxes move as near to their neighbours as the order and the gaps allow, which is
//!    a least-squares problem with an exact answer.
//! 4. `packing`: clusters of boxes that nothing connects are put beside and under one another.
//!
//! Two boxes never overlap: each column is wide enough for its boxes, and in it each begins after
//! the one before ends.

mod cluster;
mod column;
mod diagram;
mod layout;
mod link;
mod mermaid;
mod metrics;
mod packing;
mod placement;
mod rank;
mod svg;
mod tip;

pub use diagram::{BoxAttribute, Diagram, End, EntityBox, Line, Link};
pub use layout::{Layout, Rect, lay_out};
pub use mermaid::render_mermaid;
pub use svg::render_svg;

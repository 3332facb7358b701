//! Expressions whose placeholders are replaced, and what they do to items.

mod attribute_change;
mod condition;
mod located;
mod lookup;
mod projection;
mod set;
mod update;
mod update_size;

pub use attribute_change::AttributeChange;
pub(crate) use condition::order;
pub use condition::{Condition, Operand};
#[cfg(feature = "partiql")]
pub(crate) use lookup::lookup;
pub use projection::Projection;
pub use update::Update;
pub(crate) use update::{Action, Change, Source, SourceOperand};

//! Which entity is this item?
//!
//! Every part of the product that meets stored items asks this: a run of an access pattern, the
//! linter, migrations. They get one answer, a [`Recognition`], from a [`Recognizer`] that is made
//! once for a table:
//!
//! 1. **What it can be.** The type attribute, if the item has it, must be the entity's; the key
//!    must have the form of the entity's templates. Both are looked up: by the type, or by the
//!    texts that keys begin with. Only the templates of entities that are left are matched.
//! 2. **What fits best**, where several are left. [`best`] prefers, in this order: a key that the
//!    item's attributes build, or do not contradict; fewer values that an attribute may not have;
//!    fewer required attributes that are missing; fewer attributes that the entity does not know.
//!    Variants of one entity are distinguished by how much they ask for, and whoever is left by the
//!    keys in indexes that the attributes build.
//! 3. What is still equal is **undecided**, and the caller sees all of it.

mod fit;
mod form;
mod prefix_tree;
mod recognizer;

pub use fit::{Fit, best};
pub use form::{Form, View, model_attributes};
pub use recognizer::{Recognition, Recognizer};

//! Seeds: sample data that belongs together, as much as is wanted.
//!
//! [`generate`] makes items of every entity. How many follows from the model's counts and
//! relationships (`population`); which belongs to which from the attributes that keys share
//! (`family`); values from types, formats and the templates that have to write them
//! (`attribute_value`). Keys are built as the application builds them. All randomness comes from
//! one number ([`SeedSettings::seed`]), so the same model and number give the same items, on every
//! machine.
//!
//! ```text
//! model ─► population  how many items of each entity    ┐
//!          family      which of them belong together    ├─► generator ─► items
//!          attribute_value, by wording and calendar     ┘
//! random decides wherever there is a choice
//! ```

mod attribute_value;
mod calendar;
mod family;
mod generator;
mod population;
mod random;
mod wording;

pub use family::{Link, Parent, parents_of};
pub use generator::{
    SeedError, SeedItem, SeedSettings, generate, generate_each, generate_with, items_of_samples,
    sample_items,
};
pub use population::{ITEMS_DEFAULT, population};

//! Kinds of streams
//!
//! Tables, entities and access patterns of the model `stream-view-types`, written by `monotable
//! model export --to rust`.

use monotable::prelude::*;

/// The table `Travellers_OLD_IMAGE`.
#[derive(Table)]
#[table(name = "Travellers_OLD_IMAGE", pk = "Name", entities(Traveller,))]
pub struct TravellersOldImage;

/// The entity `Traveller`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = TravellersOldImage)]
#[key(by_name: pk = "{name}")]
pub struct Traveller {
    /// The attribute `Name`.
    #[attr(name = "Name", max_len = 60)]
    pub name: String,
    /// The attribute `Destination`.
    #[attr(name = "Destination", max_len = 60)]
    pub destination: Option<String>,
}

/// Access pattern: change destination.
pub fn change_destination(
    db: &Db<TravellersOldImage>,
    name: &str,
    destination: &str,
) -> traveller::Patch<Db<TravellersOldImage>> {
    db.patch(Traveller::by_name(name)).destination(destination).or_create()
}

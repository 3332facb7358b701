//! When items expire, and who looks at it.

use monotable_model::document::{Attribute, Entity, Model};

/// The attribute with the second in which an item of an entity expires: what the entity says, or
/// what its table does and the entity has.
pub(super) fn expiry<'m>(model: &'m Model, entity: &'m Entity) -> Option<&'m Attribute> {
    let own = entity.ttl.as_deref().and_then(|name| entity.attribute(name));
    let of_table = || {
        let names: Vec<&str> =
            model.tables_of(entity).filter_map(|table| table.ttl.as_deref()).collect();
        entity.attributes.iter().find(|attribute| names.contains(&attribute.item_name()))
    };
    own.or_else(of_table)
}

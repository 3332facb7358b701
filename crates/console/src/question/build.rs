//! `build`: an item with the keys that its attributes mean.

use monotable_item::Item;
use monotable_model::document::{Entity, ItemSource, Model, Table, Tree, build_item};
use monotable_model::item_json::tree_of_item;
use monotable_model::recognition::Recognizer;

use super::member::{self, object};
use super::recognise::templates;
use super::{Complaint, model_of};

/// The item with all keys of its entity. What attributes do not say is taken from the keys of
/// `stored`, the item as it was before it was edited.
pub(super) fn answer(question: &Tree) -> Result<Tree, Complaint> {
    let model = model_of(question)?;
    let table = member::table(&model, member::text(question, "table")?)?;
    let name = member::text(question, "entity")?;
    let unknown = || Complaint::Unknown { what: "entity", name: name.to_owned() };
    let entity = model.entity(name).ok_or_else(unknown)?;
    let item = member::item(question.member("item").unwrap_or(&Tree::Null))?;
    let stored = question.member("stored").map(member::item).transpose()?;
    let attributes = attributes(&model, table, entity, &item, stored.as_ref());
    let source = ItemSource { table, entity, attributes: &attributes, without: &[], shard: None };
    let built =
        build_item(&source).map_err(|error| Complaint::Unfit { reasons: error.to_string() })?;
    Ok(object([("item", tree_of_item(&merged(table, entity, item, built)))]))
}

/// The attributes of the entity by their names in the model.
fn attributes(
    model: &Model,
    table: &Table,
    entity: &Entity,
    item: &Item,
    stored: Option<&Item>,
) -> Item {
    let recognizer = Recognizer::new(model, table);
    let views = stored.map(|stored| recognizer.candidates(stored)).unwrap_or_default();
    let view = views.iter().find(|view| view.form().entity.name == entity.name);
    let of_key = |name: &str| view.and_then(|view| view.get(name)).cloned();
    let value = |name: &str, stored_name: &str| {
        let was_stored = stored.is_some_and(|stored| stored.contains_key(stored_name));
        // An attribute that was removed by hand does not come back.
        item.get(stored_name).cloned().or_else(|| if was_stored { None } else { of_key(name) })
    };
    let named = entity.attributes.iter().filter_map(|attribute| {
        Some((attribute.name.clone(), value(&attribute.name, attribute.item_name())?))
    });
    named.collect()
}

/// What was given, with the keys that were built in the place of those that were there.
fn merged(table: &Table, entity: &Entity, mut item: Item, built: Item) -> Item {
    for (name, _) in templates(table, entity) {
        item.remove(name);
    }
    item.extend(built);
    item
}

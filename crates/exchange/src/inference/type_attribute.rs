//! The attribute that names the entity of an item.

use std::collections::BTreeSet;

use monotable_item::Item;
use monotable_model::document::Table;
use monotable_model::document::plain_text;

/// Names under which libraries and people store it, in small letters and without `_`.
const NAMES: [&str; 8] =
    ["type", "entitytype", "entity", "edbe", "typename", "et", "t", "itemtype"];

/// The table's own, or else one that is called like one and that every item has.
pub(super) fn find(table: &Table, items: &[Item]) -> Option<String> {
    if table.type_attribute.is_some() {
        return table.type_attribute.clone();
    }
    let is_key = |name: &str| {
        let of_indexes = table.indexes.iter().flat_map(|index| index.key_attributes());
        table.key_attributes().chain(of_indexes).any(|key| key.name == name)
    };
    let first = items.first()?;
    first
        .keys()
        .find(|name| is_called_like_one(name) && !is_key(name) && tells(items, name))
        .cloned()
}

fn is_called_like_one(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect();
    NAMES.contains(&plain.as_str())
}

/// Whether every item has it, with far fewer values than there are items.
fn tells(items: &[Item], name: &str) -> bool {
    let values: Option<Vec<String>> =
        items.iter().map(|item| item.get(name).and_then(plain_text)).collect();
    let Some(values) = values else { return false };
    let distinct: BTreeSet<&String> = values.iter().collect();
    distinct.len() <= 50 && (distinct.len() * 2 <= values.len() + 1 || distinct.len() <= 12)
}

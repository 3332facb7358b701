//! Changing some attributes of a stored item and copying the others as they are.

use super::encode::{push_bytes, push_head, push_value};
use super::{CorruptItem, ItemView};
use crate::{Item, Value, item_size_bytes};

/// The stored form of `item` with its attributes `before` replaced by those of `after`.
///
/// `before` must be attributes as the item has them, and `after` must have no other attribute of the
/// item. What is in neither is copied without being looked into. Metadata is not copied: the item that comes
/// out of it is another write.
pub fn splice(item: ItemView<'_>, before: &Item, after: &Item) -> Result<Vec<u8>, CorruptItem> {
    let attributes = item.attributes();
    let after_bytes = item_size_bytes(after);
    let count = changed(attributes.count_left(), before.len(), after.len())?;
    let size_bytes = changed(item.size_bytes(), item_size_bytes(before), after_bytes)?;
    let mut out = Vec::with_capacity(attributes.rest().len() + after_bytes + 16);
    push_head(size_bytes, count, &mut out);
    push_merged(item, before, after, &mut out)?;
    Ok(out)
}

/// What a whole comes to when a part of it is replaced. A head that is damaged may name less than its part.
fn changed(whole: usize, before: usize, after: usize) -> Result<usize, CorruptItem> {
    let rest = whole.checked_sub(before).ok_or(CorruptItem("less than its parts"))?;
    Ok(rest + after)
}

/// All lists of attributes are in byte order of the names, and so is what they come to. They are walked side
/// by side: an update may name as many attributes as an item has.
fn push_merged(
    item: ItemView<'_>,
    before: &Item,
    after: &Item,
    out: &mut Vec<u8>,
) -> Result<(), CorruptItem> {
    let mut attributes = item.attributes();
    let mut replaced = before.keys().peekable();
    let mut changed = after.iter().peekable();
    loop {
        let whole = attributes.rest();
        let Some(name) = attributes.next_name()? else { break };
        attributes.skip_value()?;
        while let Some((name, value)) = changed.next_if(|(next, _)| next.as_bytes() <= name) {
            push_attribute(name, value, out);
        }
        while replaced.next_if(|next| next.as_bytes() < name).is_some() {}
        if replaced.next_if(|next| next.as_bytes() == name).is_none() {
            let length = whole.len() - attributes.rest().len();
            out.extend_from_slice(whole.get(..length).unwrap_or_default());
        }
    }
    changed.for_each(|(name, value)| push_attribute(name, value, out));
    Ok(())
}

fn push_attribute(name: &str, value: &Value, out: &mut Vec<u8>) {
    push_bytes(name.as_bytes(), out);
    push_value(value, out);
}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_map;
    use proptest::prelude::*;

    use super::*;
    use crate::stored::{decode_attributes, encode};

    fn some_value() -> impl Strategy<Value = Value> {
        prop_oneof![
            "[a-c]{0,3}".prop_map(Value::String),
            (0..1000_i64).prop_map(Value::from),
            Just(Value::Null),
            prop::collection::vec("[a-c]".prop_map(Value::String), 0..3).prop_map(Value::List),
        ]
    }

    fn some_item() -> impl Strategy<Value = Item> {
        btree_map("[a-h]{1,2}", some_value(), 0..8)
    }

    proptest! {
        #[test]
        fn splicing_is_decoding_changing_and_encoding(item in some_item(), values in some_item(), roots in btree_map("[a-h]{1,2}", any::<bool>(), 0..8)) {
            let stored = encode(&item);
            let is_root = |name: &[u8]| roots.keys().any(|root| root.as_bytes() == name);
            let before = decode_attributes(&stored, is_root).unwrap();
            let after: Item = values.into_iter().filter(|(name, _)| roots.contains_key(name)).collect();
            let mut expected = item;
            expected.retain(|name, _| !roots.contains_key(name));
            expected.extend(after.clone());
            let spliced = splice(ItemView::new(&stored).unwrap(), &before, &after).unwrap();
            prop_assert_eq!(spliced, encode(&expected));
        }
    }
}

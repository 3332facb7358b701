//! Expressions from their text to their effect on an item. Evaluating begins with placeholders
//! being replaced by names and values, because that is done for every request as well.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use monotable_expr::Resolver;
use monotable_item::limits::ITEM_BYTES_MAX;
use monotable_item::stored::{self, ItemView};
use monotable_item::{Item, Value};

use crate::order::Order;
use crate::repeat;

const ORDER: Order = Order { store: 1, number: 2, revision: 3 };

const CONDITION: &str = "attribute_exists(pk) AND amount >= :least AND NOT begins_with(#state, \
                         :gone) AND (address.city = :city OR size(note) BETWEEN :short AND :long)";
const UPDATE: &str = "SET revision = revision + :one, #state = :state, address.city = :city, \
                      first_seen = if_not_exists(first_seen, :state) REMOVE paid";

/// From text to a parsed condition.
pub(crate) fn parse_condition(iterations: u64) -> Result<()> {
    repeat::calls(iterations, |_| Ok(monotable_expr::parse_condition(CONDITION)?))
}

/// From text to a parsed update.
pub(crate) fn parse_update(iterations: u64) -> Result<()> {
    repeat::calls(iterations, |_| Ok(monotable_expr::parse_update(UPDATE)?))
}

/// From a parsed condition to its answer for an item, which is yes only after every part was looked
/// at.
pub(crate) fn evaluate_condition(iterations: u64) -> Result<()> {
    let parsed = monotable_expr::parse_condition(CONDITION)?;
    let (item, names, values) = (ORDER.item()?, names(), condition_values());
    repeat::calls(iterations, |_| {
        let condition = Resolver::new(&names, &values).condition(&parsed)?;
        ensure!(condition.matches(&item), "the condition does not hold");
        Ok(())
    })
}

/// From a parsed update to the item that it makes, in its stored form.
pub(crate) fn evaluate_update(iterations: u64) -> Result<()> {
    let parsed = monotable_expr::parse_update(UPDATE)?;
    let (item, names, values) = (stored::encode(&ORDER.item()?), names(), update_values());
    repeat::calls(iterations, |_| {
        let update = Resolver::new(&names, &values).update(&parsed)?;
        let edits = update.edits(ItemView::new(&item)?)?;
        Ok(edits.write(edits.size_bytes(ITEM_BYTES_MAX)?)?)
    })
}

fn names() -> BTreeMap<String, String> {
    BTreeMap::from([("#state".to_owned(), "state".to_owned())])
}

fn condition_values() -> Item {
    Item::from([
        (":least".to_owned(), Value::from(1000)),
        (":gone".to_owned(), Value::from("CANCELLED")),
        (":city".to_owned(), Value::from("Rotterdam")),
        (":short".to_owned(), Value::from(1)),
        (":long".to_owned(), Value::from(4096)),
    ])
}

fn update_values() -> Item {
    Item::from([
        (":one".to_owned(), Value::from(1)),
        (":state".to_owned(), Value::from("DELIVERED")),
        (":city".to_owned(), Value::from("Rotterdam")),
    ])
}

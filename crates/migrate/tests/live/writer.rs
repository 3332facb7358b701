//! A part of the application: it owns some items, changes, creates and deletes them, and remembers
//! every change that was acknowledged.

use std::collections::BTreeMap;
use std::sync::Arc;

use monotable_item::{Item, Value};
use monotable_model::document::ItemSource;
use monotable_model::document::{Model, key_of};
use monotable_remote::{Endpoint, encode_item, encode_value};
use serde_json::{Value as Json, json};

use crate::models::TABLE;

/// A writer and what it knows.
pub(crate) struct Writer {
    endpoint: Arc<Endpoint>,
    old: Arc<Model>,
    new: Arc<Model>,
    name: String,
    random: Random,
    created: usize,
    /// The items that are there, to pick one at once.
    ids: Vec<(Kind, String)>,
    /// The attributes of every item that is there, by entity and id.
    pub(crate) items: BTreeMap<(Kind, String), Item>,
    /// How many changes were acknowledged.
    pub(crate) acknowledged: u64,
}

/// The entity of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Decorated by the migration.
    Order,
    /// Moved by the migration.
    Session,
}

impl Kind {
    /// The name of the entity.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Order => "Order",
            Kind::Session => "Session",
        }
    }
}

impl Writer {
    /// A writer with no items.
    pub(crate) fn new(
        endpoint: &Arc<Endpoint>,
        models: (&Arc<Model>, &Arc<Model>),
        number: usize,
    ) -> Writer {
        Writer {
            endpoint: Arc::clone(endpoint),
            old: Arc::clone(models.0),
            new: Arc::clone(models.1),
            name: format!("w{number:02}"),
            random: Random(u64::try_from(number).unwrap() + 1),
            created: 0,
            ids: Vec::new(),
            items: BTreeMap::new(),
            acknowledged: 0,
        }
    }

    /// The items that are there before the migration, in the old form, ready to be loaded.
    pub(crate) fn first_items(&mut self, count: usize) -> Vec<Item> {
        let mut first = Vec::new();
        for _ in 0..count {
            let (kind, attributes) = self.next_item();
            first.push(item_of(&self.old, kind, &attributes));
            self.remember(kind, attributes);
        }
        first
    }

    /// Makes one change.
    pub(crate) async fn act(&mut self) {
        let place = usize::try_from(self.random.below(self.ids.len().max(1) as u64)).unwrap();
        match (self.ids.get(place).cloned(), self.random.below(10)) {
            (None, _) | (_, 0) => self.create().await,
            (Some((kind, id)), 1) => self.delete(place, kind, id).await,
            (Some((Kind::Order, id)), 2..=5) => self.change_status(&id).await,
            (Some((kind, id)), _) => self.touch(kind, &id).await,
        }
        self.acknowledged += 1;
    }

    fn remember(&mut self, kind: Kind, attributes: Item) {
        let id = (kind, self.id(self.created));
        self.ids.push(id.clone());
        self.items.insert(id, attributes);
    }

    fn id(&self, number: usize) -> String {
        format!("{}-{number:06}", self.name)
    }

    fn next_item(&mut self) -> (Kind, Item) {
        self.created += 1;
        let id = self.id(self.created);
        let text = |text: &str| Value::from(text);
        let common = [("note".to_owned(), text("first")), ("count".to_owned(), Value::from(0))];
        let (kind, own) = match self.random.below(3) {
            0 => (
                Kind::Session,
                [("session", id), ("user", format!("u{}", self.random.below(50)))].to_vec(),
            ),
            _ => {
                let customer = format!("c{}", self.random.below(50));
                let order = [("order", id), ("customer", customer), ("status", "OPEN".to_owned())];
                (Kind::Order, order.to_vec())
            }
        };
        let own = own.into_iter().map(|(name, value)| (name.to_owned(), Value::String(value)));
        (kind, own.chain(common).collect())
    }

    /// Creates an item in the new form, as the new program does.
    async fn create(&mut self) {
        let (kind, attributes) = self.next_item();
        let body = json!({
            "TableName": TABLE,
            "Item": encode_item(&item_of(&self.new, kind, &attributes)),
            "ConditionExpression": "attribute_not_exists(PK)",
        });
        self.endpoint.call_patiently("PutItem", &body).await.unwrap();
        self.remember(kind, attributes);
    }

    async fn delete(&mut self, place: usize, kind: Kind, id: String) {
        self.ids.swap_remove(place);
        let attributes = self.items.remove(&(kind, id)).unwrap();
        self.either_key("DeleteItem", kind, &attributes, &json!({})).await;
    }

    /// Counts and leaves a note. No key is made from these, so that old and new programs do it
    /// alike.
    async fn touch(&mut self, kind: Kind, id: &str) {
        let note = Value::String(format!("note {}", self.random.next()));
        let attributes = self.items.get_mut(&(kind, id.to_owned())).unwrap();
        let Some(Value::Number(count)) = attributes.get("count").cloned() else { panic!() };
        attributes.insert("count".to_owned(), Value::from(count.to_i64().unwrap() + 1));
        attributes.insert("note".to_owned(), note.clone());
        let attributes = attributes.clone();
        let change = json!({
            "UpdateExpression": "SET note = :note ADD #count :one",
            "ExpressionAttributeNames": { "#count": "count" },
            "ExpressionAttributeValues": { ":note": encode_value(&note), ":one": { "N": "1" } },
        });
        self.either_key("UpdateItem", kind, &attributes, &change).await;
    }

    /// Changes what an index key is made from, and the key with it.
    async fn change_status(&mut self, id: &str) {
        let status = ["OPEN", "PAID", "SENT"][usize::try_from(self.random.below(3)).unwrap()];
        let attributes = self.items.get_mut(&(Kind::Order, id.to_owned())).unwrap();
        attributes.insert("status".to_owned(), Value::from(status));
        let attributes = attributes.clone();
        let after = item_of(&self.new, Kind::Order, &attributes);
        let change = json!({
            "UpdateExpression": "SET #status = :status, GSI1PK = :pk, GSI1SK = :sk",
            "ExpressionAttributeNames": { "#status": "status" },
            "ExpressionAttributeValues": {
                ":status": { "S": status },
                ":pk": encode_value(&after["GSI1PK"]),
                ":sk": encode_value(&after["GSI1SK"]),
            },
        });
        self.either_key("UpdateItem", Kind::Order, &attributes, &change).await;
    }

    /// Writes an item under its old key or its new one, whichever it has: a program that knows both
    /// forms.
    async fn either_key(&self, operation: &str, kind: Kind, attributes: &Item, more: &Json) {
        for model in [&self.old, &self.new].into_iter().cycle() {
            let mut body = json!({
                "TableName": TABLE,
                "Key": encode_item(&primary_key(model, kind, attributes)),
                "ConditionExpression": "attribute_exists(PK)",
            });
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            match self.endpoint.call_patiently(operation, &body).await {
                Ok(_) => return,
                Err(error) if error.is_refusal("ConditionalCheckFailedException") => {}
                Err(error) if error.is_refusal("TransactionConflictException") => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// The item that a model builds.
pub(crate) fn item_of(model: &Model, kind: Kind, attributes: &Item) -> Item {
    model.item_of(model.entity(kind.name()).unwrap(), attributes).unwrap()
}

fn primary_key(model: &Model, kind: Kind, attributes: &Item) -> Item {
    let source = ItemSource {
        table: &model.tables[0],
        entity: model.entity(kind.name()).unwrap(),
        attributes,
        without: &[],
        shard: None,
    };
    key_of(&source).unwrap()
}

/// Numbers that are always the same for a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

//! What conditions of policies ask about a wish.

use std::borrow::Cow;
use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use monotable_database::schema::{KeyAttribute, KeySchema, TableSchema};
use monotable_expr::partiql::KeyPlan;
use monotable_expr::{KeyComparison, KeyCondition};
use monotable_identity::Source;
use monotable_item::Value;
use monotable_item::stored::{ItemView, decode_attributes};
use monotable_policy::{Facts, Values, keys};

use super::wish::{Leading, Named, Wish};
use crate::render::stream_label::stream_label;

/// A wish, and what else is known when it is stated.
pub(crate) struct WishFacts<'a, 'r> {
    pub(crate) wish: &'a Wish<'r>,
    /// The table that it is about, if there is one.
    pub(crate) schema: Option<&'a TableSchema>,
    pub(crate) source: Option<&'a Source>,
    pub(crate) region: &'a str,
    pub(crate) now_millis: u64,
}

impl Facts for WishFacts<'_, '_> {
    fn values(&self, key: &str) -> Option<Values<'_>> {
        let wish = self.wish;
        match key {
            keys::LEADING_KEYS => self.partition_values(0),
            keys::FIRST_PARTITION_KEY_VALUES => self.partition_values(0),
            keys::SECOND_PARTITION_KEY_VALUES => self.partition_values(1),
            keys::THIRD_PARTITION_KEY_VALUES => self.partition_values(2),
            keys::FOURTH_PARTITION_KEY_VALUES => self.partition_values(3),
            keys::ATTRIBUTES => Some(self.attributes()),
            keys::FULL_TABLE_SCAN => self.is_full_scan(),
            keys::SELECT => wish.select.map(one),
            keys::RETURN_VALUES => wish.return_values.map(one),
            keys::RETURN_CONSUMED_CAPACITY => wish.return_consumed_capacity.map(one),
            keys::ENCLOSING_OPERATION => wish.enclosing_operation.map(one),
            keys::SOURCE_IP => Some(vec![Cow::Owned(self.source?.address.to_string())]),
            keys::SECURE_TRANSPORT => {
                Some(one(if self.source?.is_encrypted { "true" } else { "false" }))
            }
            keys::USER_AGENT => self.source?.user_agent.as_deref().map(one),
            keys::REQUESTED_REGION => Some(one(self.region)),
            keys::CURRENT_TIME => {
                Some(vec![Cow::Owned(format!("{}Z", stream_label(self.now_millis)))])
            }
            keys::EPOCH_TIME => Some(vec![Cow::Owned((self.now_millis / 1000).to_string())]),
            keys::TAG_KEYS => Some(wish.tags.iter().map(|(name, _)| Cow::from(*name)).collect()),
            other => self.request_tag(other),
        }
    }
}

fn one(value: &str) -> Values<'_> {
    vec![Cow::Borrowed(value)]
}

impl WishFacts<'_, '_> {
    fn request_tag(&self, key: &str) -> Option<Values<'_>> {
        let wanted = key.strip_prefix(keys::REQUEST_TAG_PREFIX)?;
        let tag = self.wish.tags.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        tag.map(|(_, value)| one(value))
    }

    /// The key of what is read: of the index, if it has one of this name, or of the table.
    fn key(&self) -> Option<&KeySchema> {
        let schema = self.schema?;
        match self.wish.index {
            Some(name) => schema.index(name).map(|index| &index.key),
            None => Some(&schema.key),
        }
    }

    /// The values of one partition key attribute. What a policy cannot be told about is left out
    /// only where the request itself is refused for it: a key without that attribute.
    fn partition_values(&self, position: usize) -> Option<Values<'_>> {
        let attribute = self.key()?.partition.get(position)?;
        let values: Values<'_> = match &self.wish.leading {
            Leading::Nothing => return None,
            Leading::Items(items) => {
                items.iter().filter_map(|item| stored_text(item, attribute)).collect()
            }
            Leading::Condition(condition) => equal_text(condition, attribute).into_iter().collect(),
            Leading::Statement(_) => {
                let plan = self.plan().filter(|_| position == 0)?;
                plan.values().0.into_iter().filter_map(text).collect()
            }
        };
        Some(values)
    }

    /// The keys that a PartiQL statement asks for; none if it asks for no certain ones.
    fn plan(&self) -> Option<KeyPlan> {
        let Leading::Statement(condition) = &self.wish.leading else { return None };
        let key = self.key()?;
        let sort = key.sort.first().map(|part| part.name.as_str());
        KeyPlan::new((*condition)?, &key.partition.first()?.name, sort).ok()?
    }

    /// Whether a PartiQL statement reads a whole table or index.
    fn is_full_scan(&self) -> Option<Values<'_>> {
        let Leading::Statement(_) = &self.wish.leading else { return None };
        Some(one(if self.plan().is_none() { "true" } else { "false" }))
    }

    /// The names of all top-level attributes that the request names, each once.
    fn attributes(&self) -> Values<'_> {
        let mut names: BTreeSet<Cow<'_, str>> = BTreeSet::new();
        for named in &self.wish.named {
            match named {
                Named::Item(item) => names.extend(stored_names(item)),
                Named::Projection(it) => names.extend(it.roots().into_iter().map(Cow::from)),
                Named::Condition(it) => names.extend(it.roots().into_iter().map(Cow::from)),
                Named::Update(it) => names.extend(it.roots().into_iter().map(Cow::from)),
                Named::KeyCondition(it) => {
                    names.extend(it.comparisons().iter().map(|(name, _)| Cow::from(name)));
                }
            }
        }
        names.into_iter().collect()
    }
}

fn stored_names(item: &Bytes) -> Vec<Cow<'_, str>> {
    let Ok(view) = ItemView::new(item) else { return Vec::new() };
    view.attributes().names().flatten().map(String::from_utf8_lossy).collect()
}

fn stored_text(item: &Bytes, attribute: &KeyAttribute) -> Option<Cow<'static, str>> {
    let is_wanted = |name: &[u8]| name == attribute.name.as_bytes();
    let found = decode_attributes(item, is_wanted).ok()?;
    text(found.get(&attribute.name)?)
}

fn equal_text(condition: &KeyCondition, attribute: &KeyAttribute) -> Option<Cow<'static, str>> {
    match condition.comparison(&attribute.name)? {
        KeyComparison::Equal(value) => text(value),
        _ => None,
    }
}

/// A key value as policies write it: binary values in base64.
fn text(value: &Value) -> Option<Cow<'static, str>> {
    match value {
        Value::String(text) => Some(Cow::Owned(text.to_string())),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        Value::Binary(bytes) => Some(Cow::Owned(STANDARD.encode(bytes))),
        _ => None,
    }
}

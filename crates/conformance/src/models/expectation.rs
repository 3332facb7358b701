//! What a step can expect of its result:
//!
//! | member | what must hold |
//! |---|---|
//! | `ok` | the request succeeds and leaves nothing unprocessed |
//! | `error`, `reasons` | it fails with this error, and with these cancellation reasons |
//! | `keys` | the items have these keys, in this order, or in any if `unordered` |
//! | `count`, `scannedCount` | the response counts so many |
//! | `lastEvaluatedKey` | the page ends with this key; null: there is no next page |
//! | `item`, `absent` | the item has at least these attributes, and none of those; null: there is none |
//! | `attributes` | these attributes are returned, and no others unless `exact` is false |
//! | `attributeNames` | every item has just these attributes |
//! | `records` | the stream has these records: event name and key, in this order, or in any if `unordered` |
//! | `images` | the records have just these images |
//! | `table` | the table description has at least these members, at any depth |
//! | `sum` | a number attribute adds up to a total over all items |

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::plain::{Plain, PlainItem, plain, plain_item, plain_key};
use crate::client::ServiceError;
use crate::decimal::Decimal;

/// What a step got.
#[derive(Clone, Debug)]
pub(super) enum StepResult {
    /// The response, and the items in it with the names of their tables.
    Success { response: Value, items: Vec<(String, Value)> },
    /// The error.
    Failure(ServiceError),
}

impl StepResult {
    pub(super) fn items(&self) -> &[(String, Value)] {
        match self {
            Self::Success { items, .. } => items,
            Self::Failure(_) => &[],
        }
    }

    /// Fails unless the request succeeded.
    pub(super) fn success(&self, operation: &str) -> Result<()> {
        match self {
            Self::Success { .. } => Ok(()),
            Self::Failure(error) => bail!("{operation} failed: {}", error.body),
        }
    }
}

impl fmt::Display for StepResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Success { response, .. } => write!(f, "{response}"),
            Self::Failure(error) => write!(f, "{}", error.body),
        }
    }
}

/// Says what differs between an expectation and a result, if anything does. `table_keys` names the
/// key attributes of each table.
pub(super) fn difference(
    expect: &Value,
    result: &StepResult,
    table_keys: &BTreeMap<String, Vec<String>>,
) -> Result<Option<String>> {
    let (response, items) = match result {
        StepResult::Failure(error) => return Ok(error_difference(expect, error)),
        StepResult::Success { response, items } => (response, items),
    };
    if let Some(error) = expect.get("error") {
        return Ok(Some(format!("not {error}")));
    }
    let found = Found::read(response, items, table_keys)?;
    let mut wrong = Vec::new();
    for (field, wanted) in expect.as_object().context("the expectation is no object")? {
        if !found.agrees(field, wanted, expect)? {
            wrong.push(field.as_str());
        }
    }
    Ok((!wrong.is_empty()).then(|| format!("{} differ", wrong.join(", "))))
}

fn error_difference(expect: &Value, error: &ServiceError) -> Option<String> {
    let wanted = expect.get("error").and_then(Value::as_str);
    if wanted != Some(error.code.as_str()) {
        return Some(format!("not {}", wanted.unwrap_or("success")));
    }
    let reasons = expect.get("reasons").and_then(Value::as_array)?;
    let reasons: Vec<&str> = reasons.iter().filter_map(Value::as_str).collect();
    (reasons != error.reasons()).then(|| "reasons differ".to_owned())
}

/// A response in comparable form.
struct Found<'a> {
    response: &'a Value,
    items: Vec<PlainItem>,
    keys: Vec<Vec<Plain>>,
}

impl<'a> Found<'a> {
    fn read(
        response: &'a Value,
        items: &[(String, Value)],
        table_keys: &BTreeMap<String, Vec<String>>,
    ) -> Result<Self> {
        let keys = items.iter().map(|(table, item)| {
            let names = table_keys.get(table).into_iter().flatten();
            // A projection may have left the key out; what is missing equals no expected key.
            names.filter_map(|name| item.get(name)).map(plain).collect()
        });
        let keys = keys.collect::<Result<_>>()?;
        let items = items.iter().map(|(_, item)| plain_item(item)).collect::<Result<_>>()?;
        Ok(Self { response, items, keys })
    }

    fn agrees(&self, field: &str, wanted: &Value, expect: &Value) -> Result<bool> {
        Ok(match field {
            "ok" => self.response.get("UnprocessedItems").is_none_or(is_empty),
            "keys" => self.keys_agree(wanted, expect.get("unordered").is_some())?,
            "count" => self.count() == wanted.as_u64(),
            "scannedCount" => self.response.get("ScannedCount") == Some(wanted),
            "lastEvaluatedKey" => {
                let found = self.response.get("LastEvaluatedKey").unwrap_or(&Value::Null);
                plain_item(found)? == plain_item(wanted)?
            }
            "item" => self.item_agrees(wanted)?,
            "absent" => {
                !strings(wanted).any(|name| self.items.iter().any(|item| item.contains_key(name)))
            }
            "attributes" => {
                self.attributes_agree(wanted, expect.get("exact") != Some(&Value::Bool(false)))?
            }
            "attributeNames" => {
                let names: BTreeSet<&str> = strings(wanted).collect();
                self.items
                    .iter()
                    .all(|item| item.keys().map(String::as_str).collect::<BTreeSet<_>>() == names)
            }
            "records" => self.records_agree(wanted, expect.get("unordered").is_some())?,
            "images" => self.images_agree(wanted)?,
            "table" => json_covers(self.response.get("Table").unwrap_or(&Value::Null), wanted),
            "sum" => self.sum_agrees(wanted)?,
            "unordered" | "exact" => true,
            unknown => bail!("{unknown} cannot be expected"),
        })
    }

    fn keys_agree(&self, wanted: &Value, unordered: bool) -> Result<bool> {
        let wanted = wanted.as_array().context("keys is no list")?;
        let mut wanted = wanted.iter().map(plain_key).collect::<Result<Vec<_>>>()?;
        let mut found = self.keys.clone();
        if unordered {
            wanted.sort();
            found.sort();
        }
        Ok(found == wanted)
    }

    fn count(&self) -> Option<u64> {
        let counted = || u64::try_from(self.items.len()).ok();
        self.response.get("Count").map_or_else(counted, Value::as_u64)
    }

    fn item_agrees(&self, wanted: &Value) -> Result<bool> {
        let wanted_item = plain_item(wanted)?;
        let as_many = self.items.is_empty() == wanted.is_null();
        Ok(as_many && self.items.iter().all(|item| covers(item, &wanted_item)))
    }

    fn attributes_agree(&self, wanted: &Value, exact: bool) -> Result<bool> {
        let found = plain_item(self.response.get("Attributes").unwrap_or(&Value::Null))?;
        let wanted = plain_item(wanted)?;
        Ok(if exact { found == wanted } else { covers(&found, &wanted) })
    }

    fn records_agree(&self, wanted: &Value, unordered: bool) -> Result<bool> {
        let wanted = wanted.as_array().context("records is no list")?;
        let mut wanted = wanted.iter().map(event_and_key).collect::<Result<Vec<_>>>()?;
        let events = self.records().map(|record| record.get("eventName").and_then(Value::as_str));
        let events = events.map(|event| event.unwrap_or_default().to_owned());
        let mut found: Vec<_> = events.zip(self.keys.iter().cloned()).collect();
        if unordered {
            wanted.sort();
            found.sort();
        }
        Ok(found == wanted)
    }

    fn images_agree(&self, wanted: &Value) -> Result<bool> {
        let wanted = wanted.as_array().context("images is no list")?;
        let wanted = wanted.iter().map(images).collect::<Result<Vec<_>>>()?;
        let changes = self.records().filter_map(|record| record.get("dynamodb"));
        Ok(changes.map(images).collect::<Result<Vec<_>>>()? == wanted)
    }

    fn records(&self) -> impl Iterator<Item = &Value> {
        self.response.get("Records").and_then(Value::as_array).into_iter().flatten()
    }

    fn sum_agrees(&self, wanted: &Value) -> Result<bool> {
        let attribute = wanted.get(0).and_then(Value::as_str).context("sum names no attribute")?;
        let total: Decimal = wanted.get(1).context("sum has no total")?.to_string().parse()?;
        let mut sum = Decimal::from(0);
        for item in &self.items {
            let Some(Plain::Number(number)) = item.get(attribute) else { return Ok(false) };
            sum = sum.checked_add(*number).context("the sum has too many digits")?;
        }
        Ok(sum == total)
    }
}

/// An expected record: the event name, then the values of the key.
fn event_and_key(record: &Value) -> Result<(String, Vec<Plain>)> {
    let parts = record.as_array().and_then(|parts| parts.split_first());
    let (event, key) = parts.context("a record names no event")?;
    let event = event.as_str().context("an event is no string")?.to_owned();
    Ok((event, plain_key(&Value::Array(key.to_vec()))?))
}

/// The images of a change by the names of their members.
fn images(change: &Value) -> Result<BTreeMap<&str, PlainItem>> {
    let members = change.as_object().into_iter().flatten();
    let images = members.filter(|(name, _)| name.ends_with("Image"));
    images.map(|(name, image)| Ok((name.as_str(), plain_item(image)?))).collect()
}

/// True if an item has all these attributes, with these values.
fn covers(item: &PlainItem, wanted: &PlainItem) -> bool {
    wanted.iter().all(|(name, value)| item.get(name) == Some(value))
}

/// True if a document has every member of another, at any depth.
fn json_covers(actual: &Value, wanted: &Value) -> bool {
    match (actual, wanted) {
        (Value::Object(actual), Value::Object(wanted)) => wanted
            .iter()
            .all(|(name, value)| actual.get(name).is_some_and(|found| json_covers(found, value))),
        _ => actual == wanted,
    }
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn is_empty(value: &Value) -> bool {
    value.as_object().is_none_or(serde_json::Map::is_empty)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(expect: &Value, response: Value) -> Option<String> {
        let items = response.get("Items").and_then(Value::as_array).cloned().unwrap_or_default();
        let items = items.into_iter().map(|item| ("t".to_owned(), item)).collect();
        let keys = BTreeMap::from([("t".to_owned(), vec!["pk".to_owned()])]);
        difference(expect, &StepResult::Success { response, items }, &keys).unwrap()
    }

    #[test]
    fn keys_are_compared_in_order_unless_the_step_says_otherwise() {
        let response = json!({ "Items": [{ "pk": { "S": "b" } }, { "pk": { "S": "a" } }] });
        assert_eq!(check(&json!({ "keys": [["b"], ["a"]] }), response.clone()), None);
        assert!(check(&json!({ "keys": [["a"], ["b"]] }), response.clone()).is_some());
        assert_eq!(check(&json!({ "keys": [["a"], ["b"]], "unordered": true }), response), None);
    }

    #[test]
    fn a_page_that_goes_on_is_not_the_last() {
        let last = json!({ "lastEvaluatedKey": null });
        assert_eq!(check(&last, json!({})), None);
        assert!(check(&last, json!({ "LastEvaluatedKey": { "pk": { "S": "a" } } })).is_some());
    }

    #[test]
    fn returned_attributes_are_exact_unless_the_step_says_otherwise() {
        let response = json!({ "Attributes": { "a": { "N": "1" }, "b": { "N": "2" } } });
        let wanted = json!({ "a": { "N": "1.0" } });
        assert!(check(&json!({ "attributes": wanted.clone() }), response.clone()).is_some());
        assert_eq!(check(&json!({ "attributes": wanted, "exact": false }), response), None);
    }

    #[test]
    fn records_are_compared_with_their_keys_and_images() {
        let change = json!({ "Keys": { "pk": { "S": "a" } }, "NewImage": { "n": { "N": "1" } } });
        let response = json!({ "Records": [{ "eventName": "INSERT", "dynamodb": change }] });
        let items = vec![("t".to_owned(), json!({ "pk": { "S": "a" } }))];
        let keys = BTreeMap::from([("t".to_owned(), vec!["pk".to_owned()])]);
        let result = StepResult::Success { response, items };
        let differs = |expect: Value| difference(&expect, &result, &keys).unwrap().is_some();
        assert!(!differs(json!({ "records": [["INSERT", "a"]] })));
        assert!(differs(json!({ "records": [["MODIFY", "a"]] })));
        assert!(differs(json!({ "records": [["INSERT", "b"]] })));
        assert!(!differs(json!({ "images": [{ "NewImage": { "n": { "N": "1.0" } } }] })));
        assert!(differs(json!({ "images": [{}] })));
    }

    #[test]
    fn an_expected_error_must_come_with_its_reasons() {
        let body = json!({ "CancellationReasons": [{ "Code": "None" },
            { "Code": "ConditionalCheckFailed" }] });
        let error = ServiceError { code: "TransactionCanceledException".to_owned(), body };
        let expect =
            |reasons: Value| json!({ "error": "TransactionCanceledException", "reasons": reasons });
        assert_eq!(
            error_difference(&expect(json!(["None", "ConditionalCheckFailed"])), &error),
            None
        );
        assert!(error_difference(&expect(json!(["None", "None"])), &error).is_some());
        assert!(error_difference(&json!({ "ok": true }), &error).is_some());
    }
}

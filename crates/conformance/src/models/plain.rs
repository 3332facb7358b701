//! A comparable form of attribute values: exact numbers, and sets without order.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::decimal::Decimal;

/// An attribute value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Plain {
    String(String),
    Number(Decimal),
    /// Base64, as it was sent.
    Binary(String),
    Bool(bool),
    Null,
    StringSet(BTreeSet<String>),
    NumberSet(BTreeSet<Decimal>),
    BinarySet(BTreeSet<String>),
    List(Vec<Plain>),
    Map(PlainItem),
}

/// The attributes of an item by name.
pub(super) type PlainItem = BTreeMap<String, Plain>;

/// Reads a value such as `{"N": "1"}`.
pub(super) fn plain(value: &Value) -> Result<Plain> {
    let only_member = value.as_object().filter(|members| members.len() == 1);
    let member = only_member.and_then(|members| members.iter().next());
    let (kind, content) = member.with_context(|| format!("{value} is not an attribute value"))?;
    Ok(match kind.as_str() {
        "S" => Plain::String(text(content)?),
        "N" => Plain::Number(text(content)?.parse()?),
        "B" => Plain::Binary(text(content)?),
        "BOOL" => Plain::Bool(content.as_bool().context("BOOL is not true or false")?),
        "NULL" => Plain::Null,
        "SS" => Plain::StringSet(elements(content)?.map(text).collect::<Result<_>>()?),
        "NS" => {
            Plain::NumberSet(elements(content)?.map(|n| text(n)?.parse()).collect::<Result<_>>()?)
        }
        "BS" => Plain::BinarySet(elements(content)?.map(text).collect::<Result<_>>()?),
        "L" => Plain::List(elements(content)?.map(plain).collect::<Result<_>>()?),
        "M" => Plain::Map(plain_item(content)?),
        _ => bail!("{kind} is not a type"),
    })
}

/// Reads an item; null is an item without attributes.
pub(super) fn plain_item(item: &Value) -> Result<PlainItem> {
    let members = item.as_object().into_iter().flatten();
    members.map(|(name, value)| Ok((name.clone(), plain(value)?))).collect()
}

/// Reads the key values of an expectation, which are plain strings and numbers.
pub(super) fn plain_key(values: &Value) -> Result<Vec<Plain>> {
    elements(values)?.map(|value| plain(&typed(value)?)).collect()
}

/// The attribute value for a plain string or number.
pub(super) fn typed(value: &Value) -> Result<Value> {
    match value {
        Value::String(_) => Ok(serde_json::json!({ "S": value })),
        Value::Number(number) => Ok(serde_json::json!({ "N": number.to_string() })),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            bail!("{value} cannot be a key")
        }
    }
}

fn text(value: &Value) -> Result<String> {
    Ok(value.as_str().with_context(|| format!("{value} is not a string"))?.to_owned())
}

fn elements(value: &Value) -> Result<impl Iterator<Item = &Value>> {
    Ok(value.as_array().with_context(|| format!("{value} is not a list"))?.iter())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_compare_by_value_and_sets_without_order() {
        let one =
            plain(&json!({ "M": { "n": { "N": "1.0" }, "s": { "SS": ["a", "b"] } } })).unwrap();
        let other =
            plain(&json!({ "M": { "n": { "N": "1" }, "s": { "SS": ["b", "a"] } } })).unwrap();
        assert_eq!(one, other);
    }

    #[test]
    fn a_list_keeps_its_order() {
        let list = |a: &str, b: &str| plain(&json!({ "L": [{ "S": a }, { "S": b }] })).unwrap();
        assert_ne!(list("a", "b"), list("b", "a"));
    }
}

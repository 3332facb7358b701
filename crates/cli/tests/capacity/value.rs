//! Items in the API's JSON, as items whose sizes can be counted.

use monotable_item::{Item, Value, item_size_bytes};
use serde_json::Value as Json;

pub(crate) fn item(json: &Json) -> Item {
    let members = json.as_object().unwrap().iter();
    members.map(|(name, json)| (name.clone(), value(json))).collect()
}

pub(crate) fn size_bytes(json: &Json) -> u64 {
    item_size_bytes(&item(json)) as u64
}

fn value(json: &Json) -> Value {
    let (kind, json) = json.as_object().unwrap().iter().next().unwrap();
    let texts = || json.as_array().unwrap().iter().map(|text| text.as_str().unwrap());
    let text = || json.as_str().unwrap();
    match kind.as_str() {
        "S" => Value::from(text()),
        "N" => Value::Number(text().parse().unwrap()),
        "B" => Value::Binary(binary(text())),
        "BOOL" => Value::Bool(json.as_bool().unwrap()),
        "NULL" => Value::Null,
        "L" => Value::List(json.as_array().unwrap().iter().map(value).collect()),
        "M" => Value::Map(item(json)),
        "SS" => Value::string_set(texts().map(str::to_owned).collect()),
        "NS" => Value::number_set(texts().map(|text| text.parse().unwrap()).collect()),
        "BS" => Value::binary_set(texts().map(binary).collect()),
        other => panic!("{other} is no type"),
    }
}

/// As many bytes as the base64 text stands for; which ones does not matter to a size.
fn binary(base64: &str) -> Vec<u8> {
    let padding = base64.bytes().rev().take_while(|byte| *byte == b'=').count();
    vec![0; base64.len() / 4 * 3 - padding]
}

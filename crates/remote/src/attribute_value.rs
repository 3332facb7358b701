//! Items as JSON: `{"id": {"N": "7"}}`.
//!
//! The wire's own reader and writer do the work, so an item means here what it means to the server.

use monotable_item::{Item, Value};
use monotable_protocol::{Decode, Encode, WireItem, WireValue, decode_request, encode_json};
use serde_json::Value as Json;

use crate::error::Error;

/// An item as it stands in requests.
pub fn encode_item(item: &Item) -> Json {
    encode(item)
}

/// A value as it stands in requests.
pub fn encode_value(value: &Value) -> Json {
    encode(value)
}

/// Reads an item of an answer, or of a file.
pub fn decode_item(json: &Json) -> Result<Item, Error> {
    decode::<WireItem>(json)?.0.map_err(|error| Error::invalid_item(&error))
}

/// Reads a value such as `{"S": "text"}`.
pub fn decode_value(json: &Json) -> Result<Value, Error> {
    decode::<WireValue>(json)?.0.map_err(|error| Error::invalid_item(&error))
}

fn encode(value: &impl Encode) -> Json {
    let bytes = encode_json(value).expect("only stored items can be corrupt");
    serde_json::from_slice(&bytes).expect("the wire is JSON")
}

fn decode<T: Decode>(json: &Json) -> Result<T, Error> {
    decode_request(json.to_string().as_bytes()).map_err(|error| Error::invalid_item(&error))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_type_goes_to_json_and_back() {
        let json = json!({
            "string": { "S": "a \"b\" ä" },
            "number": { "N": "-12.5" },
            "binary": { "B": "AAEC" },
            "true": { "BOOL": true },
            "null": { "NULL": true },
            "list": { "L": [{ "S": "" }, { "M": { "n": { "N": "0" } } }] },
            "strings": { "SS": ["a", "b"] },
            "numbers": { "NS": ["1", "2"] },
            "binaries": { "BS": ["AA==", "AQ=="] },
        });
        let item = decode_item(&json).unwrap();
        assert_eq!(item["number"], Value::Number("-12.5".parse().unwrap()));
        assert_eq!(encode_item(&item), json);
        assert_eq!(encode_value(&item["list"]), json["list"]);
        assert_eq!(decode_value(&json["list"]).unwrap(), item["list"]);
    }

    #[test]
    fn what_is_no_item_is_refused_with_the_reason() {
        for json in [json!([]), json!({ "a": "text" }), json!({ "a": { "N": "seven" } })] {
            let error = decode_item(&json).unwrap_err().to_string();
            assert!(error.starts_with("not an item: "), "{error}");
        }
    }
}

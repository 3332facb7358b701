//! Items as plain JSON: without the names of types, numbers with all their digits, sets as lists,
//! and bytes in Base64.

use serde_json::{Map, Value};

/// An item as a line.
pub(super) fn item_text(item: &Map<String, Value>) -> String {
    let mut text = String::new();
    write_members(item, &mut text);
    text
}

/// A value such as `{"N": "7"}` as `7`.
pub(super) fn value_text(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    let typed = value.as_object().and_then(|members| members.iter().next());
    let Some((kind, value)) = typed else { return text.push_str(&value.to_string()) };
    match (kind.as_str(), value) {
        ("N", Value::String(digits)) => write_number(digits, text),
        ("NULL", _) => text.push_str("null"),
        ("NS", Value::Array(numbers)) => write_list(numbers, text, |number, text| {
            write_number(number.as_str().unwrap_or_default(), text);
        }),
        ("L", Value::Array(elements)) => write_list(elements, text, write),
        ("M", Value::Object(members)) => write_members(members, text),
        (_, other) => text.push_str(&other.to_string()),
    }
}

/// The digits as they are: no number of 38 digits would survive as a float.
fn write_number(digits: &str, text: &mut String) {
    if serde_json::from_str::<f64>(digits).is_ok() {
        text.push_str(digits);
    } else {
        text.push_str(&Value::from(digits).to_string());
    }
}

fn write_list(elements: &[Value], text: &mut String, write: impl Fn(&Value, &mut String)) {
    text.push('[');
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write(element, text);
    }
    text.push(']');
}

fn write_members(members: &Map<String, Value>, text: &mut String) {
    text.push('{');
    for (index, (name, value)) in members.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&Value::from(name.as_str()).to_string());
        text.push(':');
        write(value, text);
    }
    text.push('}');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_type_has_a_plain_form() {
        let item = json!({
            "s": { "S": "a \"b\"" }, "n": { "N": "12345678901234567890123456789012345678" },
            "b": { "B": "AAE=" }, "t": { "BOOL": true }, "z": { "NULL": true },
            "l": { "L": [{ "N": "-1.5" }, { "M": { "x y": { "S": "" } } }] },
            "ss": { "SS": ["a", "b"] }, "ns": { "NS": ["1", "2"] }, "bs": { "BS": ["AA=="] },
        });
        assert_eq!(
            item_text(item.as_object().unwrap()),
            r#"{"b":"AAE=","bs":["AA=="],"l":[-1.5,{"x y":""}],"#.to_owned()
                + r#""n":12345678901234567890123456789012345678,"ns":[1,2],"s":"a \"b\"","#
                + r#""ss":["a","b"],"t":true,"z":null}"#
        );
    }

    #[test]
    fn what_is_no_number_of_json_stays_text() {
        assert_eq!(value_text(&json!({ "N": "+5" })), "\"+5\"");
        assert_eq!(value_text(&json!({ "N": "1E+2" })), "1E+2");
    }
}

//! Moves the times of a model, so that its clock shows the present.

use serde_json::Value;

/// Numbers from here on are times, in a model that has a clock.
const FIRST_TIME_SECS: i64 = 1_000_000_000;

/// Adds seconds to every time in a document: the numbers under `N` that are large enough.
pub(super) fn shift_times(document: &mut Value, by_secs: i64) {
    match document {
        Value::Object(members) => {
            for (name, member) in members {
                if name == "N" {
                    shift_number(member, by_secs);
                } else {
                    shift_times(member, by_secs);
                }
            }
        }
        Value::Array(elements) => {
            elements.iter_mut().for_each(|element| shift_times(element, by_secs));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn shift_number(number: &mut Value, by_secs: i64) {
    let time = number.as_str().and_then(|text| text.parse::<i64>().ok());
    if let Some(time) = time.filter(|time| *time >= FIRST_TIME_SECS) {
        *number = Value::String((time + by_secs).to_string());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_large_numbers_are_times() {
        let mut document = json!({ "Item": { "ttl": { "N": "1709460000" }, "n": { "N": "7" } } });
        shift_times(&mut document, 5);
        assert_eq!(
            document,
            json!({ "Item": { "ttl": { "N": "1709460005" }, "n": { "N": "7" } } })
        );
    }
}

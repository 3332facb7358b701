//! A change of an item as a line for people.
//!
//! ```text
//! 2026-01-01T00:00:00Z INSERT id="a" | likes=1 tags={"new"}
//! 2026-01-01T00:00:01Z MODIFY id="a" | likes: 1 → 2, note: (none) → "hot"
//! 2026-01-01T00:00:02Z REMOVE id="a" | expired
//! ```

use std::time::{Duration, UNIX_EPOCH};

use monotable_trigger::LambdaRecord;
use serde_json::{Map, Value};

use crate::output::{Style, paint};

type Attributes = Map<String, Value>;

/// The line of a change, without its end.
pub(crate) fn render(record: &LambdaRecord, coloured: bool) -> String {
    let event = record.event_name();
    let name = paint(style_of(event), &format!("{event:6}"), coloured);
    let keys = record.keys().map(render_attributes).unwrap_or_default();
    let mut line = format!("{} {name} {keys}", time_of(record));
    let details = details(record, coloured);
    if !details.is_empty() {
        line.push_str(" | ");
        line.push_str(&details);
    }
    line
}

fn style_of(event: &str) -> Style {
    match event {
        "INSERT" => Style::Added,
        "MODIFY" => Style::Changed,
        _ => Style::Removed,
    }
}

fn time_of(record: &LambdaRecord) -> String {
    let created = Duration::from_millis(record.created_millis().unwrap_or_default());
    humantime::format_rfc3339_seconds(UNIX_EPOCH + created).to_string()
}

fn details(record: &LambdaRecord, coloured: bool) -> String {
    if record.event().pointer("/userIdentity/type").is_some_and(|by| by == "Service") {
        return "expired".to_owned();
    }
    let keys = record.keys();
    let is_key = |name: &str| keys.is_some_and(|keys| keys.contains_key(name));
    match (record.old_image(), record.new_image()) {
        (Some(old), Some(new)) => render_changes(old, new, coloured),
        (None, Some(item)) | (Some(item), None) => {
            let others = item.iter().filter(|(name, _)| !is_key(name));
            join(others.map(|(name, value)| format!("{name}={}", render_value(value))), " ")
        }
        (None, None) => String::new(),
    }
}

/// Only what differs, old before new.
fn render_changes(old: &Attributes, new: &Attributes, coloured: bool) -> String {
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let changed = names.into_iter().filter(|name| old.get(*name) != new.get(*name));
    let side = |value: Option<&Value>| value.map_or_else(|| "(none)".to_owned(), render_value);
    let render = |name: &String| {
        let before = paint(Style::Removed, &side(old.get(name)), coloured);
        let after = paint(Style::Added, &side(new.get(name)), coloured);
        format!("{name}: {before} → {after}")
    };
    join(changed.map(render), ", ")
}

fn render_attributes(attributes: &Attributes) -> String {
    let render = |(name, value): (&String, &Value)| format!("{name}={}", render_value(value));
    join(attributes.iter().map(render), " ")
}

/// A value without the name of its type.
pub(crate) fn render_value(value: &Value) -> String {
    let typed = value.as_object().and_then(|members| members.iter().next());
    let Some((kind, value)) = typed else { return value.to_string() };
    match (kind.as_str(), value) {
        ("N", Value::String(digits)) => digits.clone(),
        ("NULL", _) => "null".to_owned(),
        ("B", Value::String(base64)) => format!("base64:{base64}"),
        ("SS", Value::Array(texts)) => {
            format!("{{{}}}", join(texts.iter().map(Value::to_string), ", "))
        }
        ("NS" | "BS", Value::Array(texts)) => {
            let plain = texts.iter().map(|text| text.as_str().unwrap_or_default().to_owned());
            format!("{{{}}}", join(plain, ", "))
        }
        ("L", Value::Array(elements)) => {
            format!("[{}]", join(elements.iter().map(render_value), ", "))
        }
        ("M", Value::Object(members)) => {
            let render =
                |(name, value): (&String, &Value)| format!("{name}: {}", render_value(value));
            format!("{{{}}}", join(members.iter().map(render), ", "))
        }
        (_, other) => other.to_string(),
    }
}

fn join(parts: impl Iterator<Item = String>, separator: &str) -> String {
    parts.collect::<Vec<_>>().join(separator)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record(event: &str, images: &Value, by_service: bool) -> LambdaRecord {
        let mut change = json!({
            "SequenceNumber": "1", "ApproximateCreationDateTime": 1_767_225_600,
            "Keys": { "id": { "S": "a" } },
        });
        change.as_object_mut().unwrap().extend(images.as_object().unwrap().clone());
        let mut record = json!({ "eventName": event, "dynamodb": change });
        if by_service {
            record["userIdentity"] = json!({ "Type": "Service" });
        }
        LambdaRecord::from_stream(record, &monotable_trigger::StreamArn::from("arn".to_owned()))
            .unwrap()
    }

    #[test]
    fn an_insert_shows_the_item_once() {
        let item = json!({
            "id": { "S": "a" }, "n": { "N": "1.50" }, "tags": { "SS": ["x", "y"] },
            "b": { "B": "AAE=" },
            "m": { "M": { "l": { "L": [{ "BOOL": true }, { "NULL": true }] } } },
            "ns": { "NS": ["1", "2"] }
        });
        let line = render(&record("INSERT", &json!({ "NewImage": item }), false), false);
        let expected = "2026-01-01T00:00:00Z INSERT id=\"a\" | \
            b=base64:AAE= m={l: [true, null]} n=1.50 ns={1, 2} tags={\"x\", \"y\"}";
        assert_eq!(line, expected);
    }

    #[test]
    fn a_modify_shows_only_what_changed_old_before_new() {
        let images = json!({
            "OldImage": { "id": { "S": "a" }, "n": { "N": "1" }, "gone": { "S": "x" },
                "same": { "N": "7" } },
            "NewImage": { "id": { "S": "a" }, "n": { "N": "2" }, "came": { "S": "y" },
                "same": { "N": "7" } },
        });
        let plain = render(&record("MODIFY", &images, false), false);
        assert_eq!(
            plain,
            "2026-01-01T00:00:00Z MODIFY id=\"a\" | came: (none) → \"y\", gone: \"x\" → (none), n: \
             1 → 2"
        );
        let coloured = render(&record("MODIFY", &images, false), true);
        assert!(coloured.contains("\x1b[33mMODIFY\x1b[0m"), "{coloured}");
        assert!(coloured.contains("n: \x1b[31m1\x1b[0m → \x1b[32m2\x1b[0m"), "{coloured}");
    }

    #[test]
    fn an_expiry_is_told_from_a_delete() {
        let expired = render(&record("REMOVE", &json!({}), true), false);
        assert_eq!(expired, "2026-01-01T00:00:00Z REMOVE id=\"a\" | expired");
        let deleted = render(&record("REMOVE", &json!({}), false), false);
        assert_eq!(deleted, "2026-01-01T00:00:00Z REMOVE id=\"a\"");
    }
}

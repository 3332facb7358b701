//! Rows as comma-separated values, as RFC 4180 has them.

use serde_json::Value;

use super::cursor::Row;
use super::plain_json::value_text;

/// The first line: the names of the columns.
pub(super) fn header(columns: &[String]) -> String {
    line(columns.iter().map(|name| field(name)))
}

/// A row. What it does not have is empty.
pub(super) fn row(columns: &[String], row: &Row) -> String {
    line(
        columns
            .iter()
            .map(|name| row.get(name).map(|value| field(&text(value))).unwrap_or_default()),
    )
}

fn line(fields: impl Iterator<Item = String>) -> String {
    fields.collect::<Vec<_>>().join(",") + "\r\n"
}

/// Texts and bytes as they are, numbers with all their digits, everything else as JSON.
fn text(value: &Value) -> String {
    let plain = ["S", "B"].iter().find_map(|kind| value.get(kind)).and_then(Value::as_str);
    plain.map_or_else(|| value_text(value), str::to_owned)
}

fn field(text: &str) -> String {
    if text.contains([',', '"', '\r', '\n']) || text.starts_with(' ') || text.ends_with(' ') {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let columns = ["a", "b,c", "d", "e", "f", "g"].map(str::to_owned);
        let item = json!({
            "a": { "S": "say \"hi\"\n" }, "d": { "N": "0.10" }, "e": { "SS": ["x", "y"] },
            "f": { "M": { "k": { "BOOL": true } } }, "g": { "B": "AAE=" },
        });
        assert_eq!(header(&columns), "a,\"b,c\",d,e,f,g\r\n");
        assert_eq!(
            row(&columns, item.as_object().unwrap()),
            "\"say \"\"hi\"\"\n\",,0.10,\"[\"\"x\"\",\"\"y\"\"]\",\"{\"\"k\"\":true}\",AAE=\r\n"
        );
    }
}

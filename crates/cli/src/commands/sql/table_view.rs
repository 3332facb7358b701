//! Tables as `\d` shows them.

use super::quantity::{bytes, count};
use super::table_description::{Keys, Size, TableDescription};

/// A table with all that is known of it.
pub(super) fn render(table: &TableDescription) -> String {
    let size = render_size(table.size);
    let mut lines = vec![format!("{}: {}, {}, {size}", table.name, table.status, table.capacity)];
    let mut say = |label: &str, text: String| lines.push(format!("  {label:8} {text}"));
    say("key", render_keys(&table.keys));
    for index in &table.indexes {
        let kind = if index.is_global { "global" } else { "local" };
        let status = index.status.as_ref().map(|status| format!(", {status}")).unwrap_or_default();
        let (keys, size) = (render_keys(&index.keys), render_size(index.size));
        let projection = &index.projection;
        say("index", format!("{}: {keys}; {kind}, {projection}, {size}{status}", index.name));
    }
    say("stream", table.stream_view.clone().unwrap_or_else(|| "off".to_owned()));
    let expiry = table.expires_by.as_ref().map(|attribute| format!("by {attribute}"));
    say("expiry", expiry.unwrap_or_else(|| "off".to_owned()));
    lines.join("\n")
}

/// A table on one line of a list, whose names have so many characters.
pub(super) fn render_line(table: &TableDescription, name_width: usize) -> String {
    let (size, keys) = (render_size(table.size), render_keys(&table.keys));
    let indexes = match u64::try_from(table.indexes.len()) {
        Ok(0) | Err(_) => String::new(),
        Ok(number) => format!(", {}", indexes_text(number)),
    };
    format!("{:name_width$}  {}, {size}; {keys}{indexes}", table.name, table.status)
}

fn indexes_text(number: u64) -> String {
    if number == 1 { "1 index".to_owned() } else { format!("{number} indexes") }
}

fn render_size(size: Size) -> String {
    format!("{}, {}", count(size.items, "item"), bytes(size.bytes))
}

fn render_keys(keys: &Keys) -> String {
    let partition = keys.partition.iter().map(|key| format!("{} ({})", key.name, key.kind));
    let sort = keys.sort.iter().map(|key| format!("{} ({}, sorts)", key.name, key.kind));
    partition.chain(sort).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::table_description::samples::orders;
    use super::*;

    #[test]
    fn a_table_has_its_keys_indexes_stream_and_expiry() {
        let table = TableDescription { expires_by: Some("until".to_owned()), ..orders() };
        expect![[r#"
            orders: ACTIVE, on demand, 20,000 items, 40.9 MB
              key      customer (S), number (N, sorts)
              index    by_state: state (S), day (S, sorts); global, KEYS_ONLY, 20,000 items, 2.0 MB, ACTIVE
              stream   NEW_IMAGE
              expiry   by until"#]]
        .assert_eq(&render(&table));
        assert_eq!(
            render_line(&table, 8),
            "orders    ACTIVE, 20,000 items, 40.9 MB; customer (S), number (N, sorts), 1 index"
        );
    }
}

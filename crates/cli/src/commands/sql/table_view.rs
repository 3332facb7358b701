//! Tables as `\d` shows them.

use super::quantity::{bytes, count};
use super::table_description::{
    KeyAttribute, Keys, Size, TableDescription, VectorIndexDescription,
};

/// A table with all that is known of it.
pub(super) fn render(table: &TableDescription) -> String {
    let size = render_size(table.size);
    let mut lines = vec![format!("{}: {}, {}, {size}", table.name, table.status, table.capacity)];
    let mut say = |label: &str, text: String| lines.push(format!("  {label:8} {text}"));
    say("key", render_keys(&table.keys));
    for index in &table.indexes {
        let kind = if index.is_global { "global" } else { "local" };
        let status = render_status(index.status.as_deref());
        let (keys, size) = (render_keys(&index.keys), render_size(index.size));
        let projection = &index.projection;
        say("index", format!("{}: {keys}; {kind}, {projection}, {size}{status}", index.name));
    }
    for index in &table.vector_indexes {
        say("index", render_vector_index(index));
    }
    say("stream", table.stream_view.clone().unwrap_or_else(|| "off".to_owned()));
    let expiry = table.expires_by.as_ref().map(|attribute| format!("by {attribute}"));
    say("expiry", expiry.unwrap_or_else(|| "off".to_owned()));
    lines.join("\n")
}

/// A table on one line of a list, whose names have so many characters.
pub(super) fn render_line(table: &TableDescription, name_width: usize) -> String {
    let (size, keys) = (render_size(table.size), render_keys(&table.keys));
    let indexes = match u64::try_from(table.indexes.len() + table.vector_indexes.len()) {
        Ok(0) | Err(_) => String::new(),
        Ok(number) => format!(", {}", indexes_text(number)),
    };
    format!("{:name_width$}  {}, {size}; {keys}{indexes}", table.name, table.status)
}

/// Statements do not read it, so it says what does.
fn render_vector_index(index: &VectorIndexDescription) -> String {
    let VectorIndexDescription { name, attribute, dimensions, distance, projection, .. } = index;
    let partition = index.partition.as_ref().map(|key| format!(" by {}", render_key(key)));
    let filters: Vec<String> = index.filters.iter().map(render_key).collect();
    let filters = match filters.as_slice() {
        [] => String::new(),
        filters => format!(", filtered by {}", filters.join(", ")),
    };
    let partition = partition.unwrap_or_default();
    let (size, status) = (render_size(index.size), render_status(index.status.as_deref()));
    format!(
        "{name}: {attribute} ({dimensions} numbers, {distance}){partition}{filters}; \
         vector, for SearchVectors only, {projection}, {size}{status}"
    )
}

fn render_status(status: Option<&str>) -> String {
    status.map(|status| format!(", {status}")).unwrap_or_default()
}

fn indexes_text(number: u64) -> String {
    if number == 1 { "1 index".to_owned() } else { format!("{number} indexes") }
}

fn render_size(size: Size) -> String {
    format!("{}, {}", count(size.items, "item"), bytes(size.bytes))
}

fn render_keys(keys: &Keys) -> String {
    let partition = keys.partition.iter().map(render_key);
    let sort = keys.sort.iter().map(|key| format!("{} ({}, sorts)", key.name, key.kind));
    partition.chain(sort).collect::<Vec<_>>().join(", ")
}

fn render_key(key: &KeyAttribute) -> String {
    format!("{} ({})", key.name, key.kind)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::table_description::samples::{orders, texts};
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

    #[test]
    fn a_vector_index_says_what_reads_it() {
        expect![[r#"
            texts: ACTIVE, on demand, 3 items, 600 bytes
              key      id (S)
              index    by_meaning: embedding (768 numbers, COSINE) by language (S), filtered by year (N); vector, for SearchVectors only, KEYS_ONLY, 2 items, 6.2 kB, ACTIVE
              stream   off
              expiry   off"#]]
        .assert_eq(&render(&texts()));
        let line = render_line(&texts(), 5);
        assert_eq!(line, "texts  ACTIVE, 3 items, 600 bytes; id (S), 1 index");
    }
}

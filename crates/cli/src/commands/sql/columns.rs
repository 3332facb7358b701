//! Which columns rows have, and in what order.

use std::collections::BTreeSet;

use super::cursor::Row;

/// The columns of rows: those that a statement names, as it names them; or else the keys, and then
/// all others in the order of their names.
pub(super) fn columns(named: &[String], keys: &[String], rows: &[Row]) -> Vec<String> {
    if !named.is_empty() {
        return named.to_vec();
    }
    let present: BTreeSet<&String> = rows.iter().flat_map(Row::keys).collect();
    let mut columns: Vec<String> = Vec::new();
    let leading = keys.iter().filter(|key| present.contains(key));
    for name in leading.chain(present.iter().copied()) {
        if !columns.contains(name) {
            columns.push(name.clone());
        }
    }
    columns
}

/// The first attribute of a row that has no column.
pub(super) fn without_column<'r>(columns: &[String], row: &'r Row) -> Option<&'r str> {
    row.keys().find(|name| !columns.contains(name)).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn keys_come_first_and_names_in_the_order_of_the_statement() {
        let rows = [json!({ "a": 1, "z": 1 }), json!({ "b": 1, "k": 1, "z": 1 })]
            .map(|row| row.as_object().unwrap().clone());
        let keys = names(&["z", "k", "gone"]);
        assert_eq!(columns(&[], &keys, &rows), names(&["z", "k", "a", "b"]));
        assert_eq!(columns(&names(&["b", "a"]), &keys, &rows), names(&["b", "a"]));
        assert_eq!(without_column(&names(&["a", "z"]), &rows[1]), Some("b"));
        assert_eq!(without_column(&names(&["a", "z"]), &rows[0]), None);
    }
}

//! What commands of `monotable model` show people fits their terminal.

use std::fs;

use crate::terminal::Terminal;
use tempfile::TempDir;

const MODEL: &str = r#"
format = 1
name = "deliveries"

[tables.Deliveries]
partition_key = "PK"
sort_key = "SK"

[entities.Delivery]
key = { partition = "CUSTOMER#{customer_number}", sort = "DELIVERY#{delivery_number}" }
[entities.Delivery.attributes]
customer_number = { type = "S", required = true }
delivery_number = { type = "S", required = true }
delivery_address = { type = "S", required = true }
delivered_by_company = { type = "S", required = true }
delivered_at_warehouse = { type = "S", required = true }

[patterns."announce a delivery"]
operation = "put"
entity = "Delivery"

[patterns."deliveries of a company to one of the addresses of a warehouse"]
operation = "query"
returns = ["Delivery"]
by = ["delivery_address"]
"#;

/// The lines that a command shows on a terminal of so many columns.
fn shown(command: &str, columns: usize) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("deliveries.toml");
    fs::write(&path, MODEL).unwrap();
    let (binary, model) = (env!("CARGO_BIN_EXE_monotable"), path.display());
    let typed =
        format!("stty cols {columns} rows 30; {binary} model {command} {model}; echo ended $?");
    let mut terminal = Terminal::run(&typed, folder.path());
    let printed = terminal.expect("ended");
    terminal.end();
    printed.lines().map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn what_patterns_take_and_what_is_suggested_keep_to_the_width() {
    for command in ["run", "suggest"] {
        for columns in [60, 80, 120] {
            let lines = shown(command, columns);
            let prose = lines.iter().take_while(|line| !line.starts_with("[tables"));
            let too_long: Vec<&String> =
                prose.clone().filter(|line| line.chars().count() > columns).collect();
            assert!(too_long.is_empty(), "{command} at {columns}: {lines:#?}");
            assert!(prose.count() > 3, "{command} at {columns}: {lines:#?}");
        }
    }
}

//! The commands that stand beside operations, on the same items under the same keys.

use anyhow::{Result, bail, ensure};
use serde_json::json;

use crate::data::{Field, ITEM_BYTES};
use crate::table::Table;
use crate::template::marker;
use crate::workload::Workload;

/// Asks whether the server is there.
pub const PING: &[u8] = b"*1\r\n$4\r\nPING\r\n";

/// The bytes of the command beside a workload, with markers where the digits of an item belong.
///
/// A value is the text that `GetItem` answers, so that both move as many bytes.
pub fn request(workload: Workload, table: &Table) -> Result<Vec<u8>> {
    let digits = |field| marker(field, 0);
    let key = format!("STORE#{}ORDER#{}", digits(Field::Store), digits(Field::Order));
    match workload {
        Workload::GetItem => Ok(frame(&["GET", &key])),
        Workload::PutItem => {
            let value = json!({ "Item": table.item(digits) }).to_string();
            Ok(frame(&["SET", &key, &value]))
        }
        other => bail!("there is no command beside {}", other.title()),
    }
}

fn frame(parts: &[&str]) -> Vec<u8> {
    let mut text = format!("*{}\r\n", parts.len());
    for part in parts {
        text += &format!("${}\r\n{part}\r\n", part.len());
    }
    text.into_bytes()
}

/// Checks the reply to the command beside a workload.
pub fn check_reply(workload: Workload, body: &[u8]) -> Result<()> {
    if workload == Workload::GetItem {
        ensure!(body.len() > ITEM_BYTES, "a value is missing or not whole");
    } else {
        ensure!(body == b"OK", "the reply is not OK");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dataset;
    use crate::template::Template;

    #[test]
    fn a_command_says_the_length_of_each_part() {
        assert_eq!(frame(&["GET", "a"]), b"*2\r\n$3\r\nGET\r\n$1\r\na\r\n");
        assert_eq!(frame(&["PING"]), PING);
    }

    #[test]
    fn the_value_of_an_item_is_what_get_item_answers() {
        let (table, dataset) = (Table::plain(), Dataset::new(100));
        let request = request(Workload::PutItem, &table).unwrap();
        let mut template = Template::new(request, 1);
        let revision = crate::data::FIRST_REVISION;
        let text = String::from_utf8(template.fill(&dataset, 30, revision).to_vec()).unwrap();
        let answer = json!({ "Item": dataset.loaded_item(30) }).to_string();
        assert!(text.contains("\r\nSTORE#00000001ORDER#00000005\r\n"), "{text}");
        assert!(text.contains(&format!("\r\n${}\r\n{answer}\r\n", answer.len())), "{text}");
    }

    #[test]
    fn only_reads_and_writes_of_one_item_have_a_command() {
        assert!(request(Workload::GetItem, &Table::plain()).is_ok());
        assert!(request(Workload::Query, &Table::plain()).is_err());
    }
}

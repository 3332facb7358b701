//! Faults from a file and from the command line.
//!
//! A file is TOML. The names of the settings are those of the command line:
//!
//! ```toml
//! seed = 7
//!
//! [[fault]]
//! kind = "throttle"
//! rate = 0.1
//! table = "Orders"
//! operation = ["PutItem", "UpdateItem"]
//! ```

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use monotable_faults::document;
use serde_json::{Value, json};

/// The faults of a file and of lines, as a document that a server takes. A seed that is given comes
/// before that of the file.
pub(crate) fn document(file: Option<&Path>, lines: &[String], seed: Option<u64>) -> Result<Value> {
    let (mut faults, mut file_seed) = (Vec::new(), 0);
    if let Some(path) = file {
        (faults, file_seed) = read(path)?;
    }
    for line in lines {
        let fault = Value::from(line.as_str());
        document::fault(&fault).with_context(|| format!("fault {line:?}"))?;
        faults.push(fault);
    }
    Ok(json!({ "seed": seed.unwrap_or(file_seed), "faults": faults }))
}

/// The faults of a file, and its seed.
fn read(path: &Path) -> Result<(Vec<Value>, u64)> {
    let text =
        fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    parse(&text).with_context(|| format!("{} is not a file of faults", path.display()))
}

fn parse(text: &str) -> Result<(Vec<Value>, u64)> {
    let table: toml::Table = toml::from_str(text)?;
    let Value::Object(mut members) = serde_json::to_value(table)? else {
        bail!("it is empty");
    };
    let seed = members.remove("seed").unwrap_or(Value::from(0));
    let seed = seed.as_u64().context("seed must be a whole number from 0")?;
    let faults = members.remove("fault").unwrap_or(Value::Array(Vec::new()));
    if let Some(name) = members.keys().next() {
        bail!("{name:?} is not known; a file has a seed and entries [[fault]]");
    }
    let Value::Array(faults) = faults else { bail!("faults are entries [[fault]]") };
    for (fault, number) in faults.iter().zip(1..) {
        document::fault(fault).with_context(|| format!("fault {number}"))?;
    }
    Ok((faults, seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_seed_and_faults() {
        let text = "seed = 7\n[[fault]]\nkind = \"throttle\"\nrate = 0.1\noperation = \
                    [\"PutItem\", \"Query\"]\n[[fault]]\nkind = \"delay\"\ntime = \"5ms\"\n";
        let (faults, seed) = parse(text).unwrap();
        assert_eq!(seed, 7);
        let lines: Vec<String> =
            faults.iter().map(|fault| document::fault(fault).unwrap().to_string()).collect();
        assert_eq!(lines, ["throttle rate=0.1 operation=PutItem,Query", "delay time=5ms"]);
    }

    #[test]
    fn mistakes_in_a_file_are_named() {
        for (text, reason) in [
            ("seed = -1", "seed must be a whole number"),
            ("sed = 1", "\"sed\" is not known"),
            ("fault = 1", "entries [[fault]]"),
            ("[[fault]]\nkind = \"error\"\n[[fault]]\nkind = \"slow\"", "fault 2"),
            ("[[fault]]\nkind = \"error\"\nrate = 2", "expected a number from 0 to 1"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn lines_come_after_the_file_and_a_seed_before_that_of_the_file() {
        let lines = ["error first=1".to_owned()];
        let document = document(None, &lines, Some(3)).unwrap();
        assert_eq!(document, json!({"seed": 3, "faults": ["error first=1"]}));
        assert!(super::document(None, &["slow".to_owned()], None).is_err());
    }
}

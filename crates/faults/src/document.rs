//! Plans as JSON, and what files of other formats are turned into.
//!
//! ```json
//! {"seed": 7, "faults": [{"kind": "throttle", "rate": 0.1, "table": "Orders"}, "error first=2"]}
//! ```
//! A fault is an object, whose members have the names of the settings, or a line as on the command
//! line.

use serde_json::{Map, Value, json};

use crate::error::FaultError;
use crate::fault::Fault;
use crate::plan::FaultPlan;
use crate::setting;

/// Reads a plan.
pub fn read(document: &Value) -> Result<FaultPlan, FaultError> {
    let members = document.as_object().ok_or_else(|| wrong_shape("the document is no object"))?;
    if let Some(name) = members.keys().find(|name| !["seed", "faults"].contains(&name.as_str())) {
        return Err(wrong_shape(&format!("{name:?} is not one of its members")));
    }
    let seed = match members.get("seed") {
        None => 0,
        Some(seed) => seed.as_u64().ok_or_else(|| wrong_shape("seed is no whole number from 0"))?,
    };
    let faults = match members.get("faults") {
        Some(Value::Array(faults)) => faults.iter().map(fault).collect::<Result<_, _>>()?,
        Some(_) | None => return Err(wrong_shape("faults is no list")),
    };
    FaultPlan::new(seed, faults)
}

/// Writes a plan, with what became of each fault.
pub fn report(plan: &FaultPlan) -> Value {
    let faults = plan.reports().map(|report| {
        let (matched, hit) = (report.matched, report.hit);
        json!({ "fault": report.fault.to_string(), "matched": matched, "hit": hit })
    });
    json!({ "seed": plan.seed(), "faults": faults.collect::<Vec<_>>() })
}

/// Reads one fault.
pub fn fault(value: &Value) -> Result<Fault, FaultError> {
    match value {
        Value::String(line) => line.parse(),
        Value::Object(members) => of_object(members),
        _ => Err(wrong_shape("a fault is neither an object nor a line")),
    }
}

fn of_object(members: &Map<String, Value>) -> Result<Fault, FaultError> {
    let kind = members.get("kind").and_then(Value::as_str);
    let kind = kind.ok_or_else(|| FaultError::Empty { kinds: setting::kinds() })?;
    let settings = members.iter().filter(|(name, _)| *name != "kind");
    let settings = settings.map(|(name, value)| Ok((name.clone(), text(name, value)?)));
    setting::fault(kind, settings.collect::<Result<_, FaultError>>()?)
}

/// A value as it stands on the command line.
fn text(name: &str, value: &Value) -> Result<String, FaultError> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Array(values) => {
            let texts: Result<Vec<String>, FaultError> =
                values.iter().map(|value| text(name, value)).collect();
            Ok(texts?.join(","))
        }
        Value::Null | Value::Bool(_) | Value::Object(_) => {
            Err(wrong_shape(&format!("{name} is neither a text nor a number")))
        }
    }
}

fn wrong_shape(problem: &str) -> FaultError {
    FaultError::Document(format!(
        "{problem}; faults look like {{\"seed\": 7, \"faults\": [{{\"kind\": \"throttle\", \
         \"rate\": 0.1}}]}}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_means_what_its_line_means() {
        let document = json!({"seed": 7, "faults": [
            {"kind": "throttle", "rate": 0.1, "table": "Orders", "operation": ["PutItem", "Query"]},
            {"kind": "delay", "min": "10ms", "max": "20ms", "first": 3},
            "error when=after",
        ]});
        let plan = read(&document).unwrap();
        assert_eq!(plan.seed(), 7);
        let lines: Vec<String> = plan.reports().map(|report| report.fault.to_string()).collect();
        assert_eq!(
            lines,
            [
                "throttle rate=0.1 table=Orders operation=PutItem,Query",
                "delay min=10ms max=20ms first=3",
                "error when=after",
            ]
        );
    }

    #[test]
    fn documents_of_another_shape_are_refused_with_an_example() {
        for document in [
            json!([]),
            json!({}),
            json!({"faults": "error"}),
            json!({"faults": [7]}),
            json!({"faults": [], "seed": -1}),
            json!({"faults": [], "sed": 1}),
            json!({"faults": [{"kind": "error", "rate": true}]}),
        ] {
            let error = read(&document).unwrap_err().to_string();
            assert!(error.contains("faults look like"), "{document}: {error}");
        }
        assert!(read(&json!({"faults": [{"rate": 1}]})).is_err());
        let many = vec![json!("error"); 101];
        assert!(read(&json!({ "faults": many })).is_err());
    }

    #[test]
    fn a_report_has_the_lines_and_their_counts() {
        let plan = read(&json!({"faults": ["drop first=1"]})).unwrap();
        let expected =
            json!({"seed": 0, "faults": [{"fault": "drop first=1", "matched": 0, "hit": 0}]});
        assert_eq!(report(&plan), expected);
    }
}

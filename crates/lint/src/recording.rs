//! Recordings: the requests that an application made, one a line.
//!
//! ```text
//! {"operation": "GetItem", "request": {"TableName": …}, "response": {"Item": …}, "connection": "7",
//!  "at": "2026-01-01T00:00:00.000Z"}
//! ```
//!
//! The answer, the connection and the time may be missing, and members that are not known are
//! passed over, so that whoever records may add more. The operation may have the prefix that it has
//! in `X-Amz-Target`.

use monotable_model::document::{Tree, read_json};
use thiserror::Error;

use super::evidence::RecordedRequest;

/// The operations on items, which are those that rules are about.
const OPERATIONS: [&str; 10] = [
    "BatchGetItem",
    "BatchWriteItem",
    "DeleteItem",
    "GetItem",
    "PutItem",
    "Query",
    "Scan",
    "TransactGetItems",
    "TransactWriteItems",
    "UpdateItem",
];

/// Why a line of a recording cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct RecordingError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: RecordingFault,
}

/// What is wrong with a line of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordingFault {
    /// It is not JSON.
    #[error("{message}")]
    Syntax {
        /// What the reader says.
        message: String,
    },
    /// A member is missing, or is of another type.
    #[error("a recorded request needs {member}: {expected}")]
    Member {
        /// The member.
        member: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// No operation has this name, and one has a name much like it.
    #[error("there is no operation {name}; did you mean {meant}?")]
    UnknownOperation {
        /// The name as written.
        name: String,
        /// The operation that was probably meant.
        meant: &'static str,
    },
}

/// Reads a recording: a request a line, with empty lines passed over.
///
/// Operations that are not about items, such as `CreateTable`, are read as well; rules have nothing
/// to say of them.
pub fn read_recording(text: &str) -> Result<Vec<RecordedRequest>, RecordingError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let numbered = lines.map(|(position, line)| (position + 1, line));
    numbered
        .map(|(line, text)| recorded(line, text).map_err(|fault| RecordingError { line, fault }))
        .collect()
}

fn recorded(line: usize, text: &str) -> Result<RecordedRequest, RecordingFault> {
    let whole = read_json(text).map_err(|message| RecordingFault::Syntax { message })?;
    let expected = "the name of an operation, such as \"Query\"";
    let name = whole.member("operation").and_then(Tree::text);
    let name = name.ok_or(RecordingFault::Member { member: "operation", expected })?;
    let operation = name.rsplit_once('.').map_or(name, |(_, name)| name).to_owned();
    if let Some(meant) = misspelt(&operation) {
        return Err(RecordingFault::UnknownOperation { name: operation, meant });
    }
    let is_map = |tree: &&Tree| matches!(tree, Tree::Map(_));
    let expected = "the request as it was sent, as an object";
    let body = whole.member("request").filter(is_map).cloned();
    let body = body.ok_or(RecordingFault::Member { member: "request", expected })?;
    let response = whole.member("response").filter(is_map).cloned();
    let connection = whole.member("connection").and_then(text_or_number);
    let at = whole.member("at").and_then(text_or_number);
    Ok(RecordedRequest { line, operation, body, response, connection, at })
}

/// The operation on items that this is but for its number or its case. What is further from all of
/// them may well be another operation.
fn misspelt(operation: &str) -> Option<&'static str> {
    if OPERATIONS.contains(&operation) {
        return None;
    }
    let singular = |name: &str| name.trim_end_matches('s').to_ascii_lowercase();
    OPERATIONS.into_iter().find(|known| singular(known) == singular(operation))
}

/// Connections and times are given as a text or as a number.
fn text_or_number(tree: &Tree) -> Option<String> {
    match tree {
        Tree::String(text) | Tree::Number(text) => Some(text.clone()),
        Tree::Null | Tree::Bool(_) | Tree::List(_) | Tree::Map(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_request_and_keeps_its_number() {
        let text = concat!(
            "{\"operation\": \"DynamoDB_20120810.GetItem\", \"request\": {\"TableName\": \"T\"}}\n",
            "\n",
            "{\"operation\": \"Query\", \"request\": {}, \"response\": {}, \"connection\": 7, \
             \"at\": 1}\n",
        );
        let requests = read_recording(text).unwrap();
        let facts: Vec<_> = requests
            .iter()
            .map(|one| {
                (
                    one.line,
                    one.operation.as_str(),
                    one.response.is_some(),
                    one.connection.as_deref(),
                    one.at.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            facts,
            [(1, "GetItem", false, None, None), (3, "Query", true, Some("7"), Some("1"))]
        );
    }

    #[test]
    fn what_cannot_be_read_is_said_with_its_line() {
        let error = |text: &str| read_recording(text).unwrap_err().to_string();
        assert_eq!(
            error("\n{\"request\": {}}"),
            "line 2: a recorded request needs operation: the name of an operation, such as \
             \"Query\""
        );
        assert_eq!(
            error("{\"operation\": \"Query\", \"request\": 1}"),
            "line 1: a recorded request needs request: the request as it was sent, as an object"
        );
        assert_eq!(
            error("{\"operation\": \"TransactWriteItem\", \"request\": {}}"),
            "line 1: there is no operation TransactWriteItem; did you mean TransactWriteItems?"
        );
        assert!(error("{").starts_with("line 1: expected"));
    }
}

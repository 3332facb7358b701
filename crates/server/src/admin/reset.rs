//! `/_monotable/reset`: a database without items, or without tables, for those who test
//! applications.

use monotable_database::{Rewind, RewindError};
use serde_json::{Value, json};

use super::{Refusal, members};
use crate::handler::Handler;

/// Does what `{"tables":"keep"}` or `{"tables":"delete"}` says. There is no default: what is lost
/// is to be named.
pub(super) async fn run<H: Handler>(handler: &H, body: &[u8]) -> Result<Value, Refusal> {
    let members = members(body)?;
    let (to, tables) = match members.get("tables").and_then(Value::as_str) {
        Some("keep") => (Rewind::Empty, "kept"),
        Some("delete") => (Rewind::Delete, "deleted"),
        Some(_) | None => {
            let form =
                r#"say what becomes of the tables: {"tables":"keep"} or {"tables":"delete"}"#;
            return Err(Refusal::invalid(form));
        }
    };
    handler.rewind(to).await.map_err(|error| refusal(&error))?;
    tracing::warn!("all items were removed, and the tables {tables}, as an administrator asked");
    Ok(json!({ "tables": tables }))
}

/// Why the tables stay as they are.
pub(super) fn refusal(error: &RewindError) -> Refusal {
    match error {
        RewindError::NotSaved => Refusal::not_found("there is no snapshot of that name"),
        RewindError::Shared => Refusal::conflict(
            "snapshots are kept in the memory of one server, and this store is shared by several; \
             a store on disk or in memory has them",
        ),
        RewindError::TooLarge { bytes_max } => Refusal::conflict(format!(
            "all snapshots together may have {} MB, since they are kept in memory; this one would \
             take more",
            bytes_max >> 20
        )),
        RewindError::TooMany { count_max } => Refusal::conflict(format!(
            "there are {count_max} snapshots, as many as there may be; delete one of them first"
        )),
        RewindError::Protected { .. } | RewindError::Busy => Refusal::conflict(error.to_string()),
        other => {
            tracing::error!(error = %other, "the tables could not be taken back");
            Refusal::failed("the store failed; the log of the server says how")
        }
    }
}

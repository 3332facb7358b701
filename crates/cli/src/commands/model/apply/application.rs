//! Asks an endpoint about its tables, and changes them.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use monotable_exchange::read_description;
use monotable_migration::deployment::{Change, changes};
use monotable_model::document::{Table, Tree, inline_tree, read_members};
use monotable_remote::{Backoff, Endpoint};
use serde_json::{Value, json};

use crate::endpoint::explain_call;
use crate::progress_line::ProgressLine;

/// How long to wait before looking again whether a table is ready.
const POLL_FIRST: Duration = Duration::from_millis(20);
const POLL_LONGEST: Duration = Duration::from_secs(2);

/// The tables of a model on an endpoint.
pub(in crate::commands::model) struct Application<'a> {
    pub(in crate::commands::model) endpoint: &'a Endpoint,
    /// Whether to wait until the last index is filled.
    pub(in crate::commands::model) wait: bool,
}

impl Application<'_> {
    /// The changes that make tables what a model says.
    pub(in crate::commands::model) async fn plan(&self, tables: &[Table]) -> Result<Vec<Change>> {
        let mut all = Vec::new();
        for table in tables {
            let found = self.find(table).await?;
            match changes(table, found.as_ref()) {
                Ok(changes) => all.extend(changes),
                Err(obstacles) => {
                    let reasons: Vec<String> = obstacles.iter().map(ToString::to_string).collect();
                    bail!("{}", reasons.join("\n       "));
                }
            }
        }
        Ok(all)
    }

    /// Makes one change after the other.
    pub(in crate::commands::model) async fn apply(&self, changes: &[Change]) -> Result<()> {
        let progress = ProgressLine::new();
        for (position, change) in changes.iter().enumerate() {
            let what = format!("{} {}", change.table, change.subject);
            progress.count(position, changes.len(), &what);
            self.send(change).await?;
            let is_last = position + 1 == changes.len();
            let ready = if is_last && !self.wait { Ready::Table } else { Ready::TableAndIndexes };
            self.wait_until(ready, &change.table, &progress).await?;
        }
        Ok(())
    }

    async fn send(&self, change: &Change) -> Result<()> {
        let sent = self.endpoint.call_patiently(change.operation, &body(change)?).await;
        let Err(error) = sent else { return Ok(()) };
        let is_expiry = change.operation == "UpdateTimeToLive";
        let advice = if is_expiry && error.is_refusal("ValidationException") {
            "; it changes once an hour at most: apply the model again later"
        } else {
            ""
        };
        let what = format!("{} of {} was not changed{advice}", change.subject, change.table);
        Err(explain_call(error).context(what))
    }

    /// The table as it is, if it is there.
    pub(in crate::commands::model) async fn find(&self, table: &Table) -> Result<Option<Table>> {
        let name = table.physical_name();
        let Some(mut description) = self.describe(name).await? else { return Ok(None) };
        leave_out_what_goes(&mut description);
        let answer = tree(&json!({ "Table": description }))?;
        let found = read_description(&answer).map_err(|error| {
            anyhow!("the description of {name} has {}: {}", error.place, error.message)
        })?;
        let request = json!({ "TableName": name });
        let answer = self.endpoint.call_patiently("DescribeTimeToLive", &request).await;
        let ttl = ttl_attribute(&answer.map_err(explain_call)?);
        Ok(Some(Table { ttl, ..found.table }))
    }

    async fn describe(&self, name: &str) -> Result<Option<Value>> {
        let request = json!({ "TableName": name });
        match self.endpoint.call_patiently("DescribeTable", &request).await {
            Ok(mut answer) => Ok(answer.get_mut("Table").map(Value::take)),
            Err(error) if error.is_refusal("ResourceNotFoundException") => Ok(None),
            Err(error) => Err(explain_call(error)),
        }
    }

    async fn wait_until(&self, ready: Ready, name: &str, progress: &ProgressLine) -> Result<()> {
        let mut backoff = Backoff::new(POLL_FIRST, POLL_LONGEST);
        loop {
            let description = self.describe(name).await?;
            let description = description.ok_or_else(|| anyhow!("table {name} has gone"))?;
            let Some(busy) = ready.busy(&description) else { return Ok(()) };
            progress.say(&format!("{name}: {busy}"));
            self.endpoint.clock().sleep(backoff.pause()).await;
        }
    }
}

/// What has to be ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ready {
    Table,
    TableAndIndexes,
}

impl Ready {
    /// What is not ready yet, in words.
    fn busy(self, description: &Value) -> Option<String> {
        let status = |part: &Value, member: &str| {
            let text = part.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
            (text != "ACTIVE").then_some(text)
        };
        if let Some(status) = status(description, "TableStatus") {
            return Some(format!("the table is {status}"));
        }
        if self == Ready::Table {
            return None;
        }
        let indexes = description.get("GlobalSecondaryIndexes").and_then(Value::as_array);
        indexes.into_iter().flatten().find_map(|index| {
            let name = index.get("IndexName").and_then(Value::as_str).unwrap_or_default();
            status(index, "IndexStatus").map(|status| format!("index {name} is {status}"))
        })
    }
}

/// An index that is being deleted is not there any more, though it is still described.
fn leave_out_what_goes(description: &mut Value) {
    let indexes = description.get_mut("GlobalSecondaryIndexes").and_then(Value::as_array_mut);
    if let Some(indexes) = indexes {
        indexes.retain(|index| index.get("IndexStatus") != Some(&json!("DELETING")));
    }
}

/// The attribute by which items expire.
fn ttl_attribute(answer: &Value) -> Option<String> {
    let text = |member| answer.pointer(member).and_then(Value::as_str);
    match text("/TimeToLiveDescription/TimeToLiveStatus")? {
        "ENABLED" | "ENABLING" => text("/TimeToLiveDescription/AttributeName").map(str::to_owned),
        _ => None,
    }
}

fn body(change: &Change) -> Result<Value> {
    let text = inline_tree(&change.body);
    serde_json::from_str(&text).context("a change is JSON")
}

fn tree(json: &Value) -> Result<Tree> {
    let members = read_members(&json.to_string());
    members.map(Tree::Map).map_err(|reason| anyhow!("the answer cannot be read: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_that_goes_and_an_expiry_that_ended_are_not_there() {
        let index = |name: &str, status: &str| json!({ "IndexName": name, "IndexStatus": status });
        let indexes = json!([index("GSI1", "ACTIVE"), index("GSI2", "DELETING")]);
        let mut description = json!({ "GlobalSecondaryIndexes": indexes });
        leave_out_what_goes(&mut description);
        assert_eq!(description["GlobalSecondaryIndexes"], json!([index("GSI1", "ACTIVE")]));
        let ttl = |status: &str| {
            let description = json!({ "TimeToLiveStatus": status, "AttributeName": "expires" });
            ttl_attribute(&json!({ "TimeToLiveDescription": description }))
        };
        assert_eq!(ttl("ENABLING").as_deref(), Some("expires"));
        assert_eq!(ttl("DISABLED"), None);
    }

    #[test]
    fn a_table_can_be_ready_before_its_indexes() {
        let index = json!({ "IndexName": "GSI1", "IndexStatus": "CREATING" });
        let description = json!({ "TableStatus": "ACTIVE", "GlobalSecondaryIndexes": [index] });
        assert_eq!(Ready::Table.busy(&description), None);
        assert_eq!(
            Ready::TableAndIndexes.busy(&description).as_deref(),
            Some("index GSI1 is CREATING")
        );
        let updating = json!({ "TableStatus": "UPDATING" });
        assert_eq!(Ready::Table.busy(&updating).as_deref(), Some("the table is UPDATING"));
    }
}

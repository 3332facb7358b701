//! `monotable faults`: lets calls to a server fail, for those who test applications.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use hyper::Method;
use serde_json::Value;

use super::clock::call;
use crate::endpoint::EndpointArguments;
use crate::fault_file;
use crate::output;

const HELP: &str = "Kinds of faults, with the settings that are theirs:
  throttle     ProvisionedThroughputExceededException, ThrottlingException or
               RequestLimitExceeded.
               limit=provisioned, key-range, max-on-demand or account; what the table would meet
               otherwise. Members of a batch are left unprocessed
  conflict     TransactionConflictException, or a cancelled transaction
  in-progress  TransactionInProgressException of TransactWriteItems
  unprocessed  members of a batch are left unprocessed: share=0.5 or count=2
  delay        time=50ms, min=10ms max=90ms, or mean=50ms (exponential)
  error        InternalServerError; with when=after the call is carried out before
  drop         the connection is closed; with when=after the call is carried out before
  stale        age=2s: reads that may be stale see what was there two seconds ago
  index-lag    age=2s: the same for reads of global indexes only

Settings of every kind:
  rate=0.1            how likely a call is hit; every call otherwise
  table=Orders        calls on a table        index=ByDate      reads of an index
  operation=PutItem,UpdateItem                key=user#1        items with this partition key
  key-prefix=user#    keys that begin so      first=3           the first three calls
  every=10            every tenth call

Examples:
  Every tenth write to a table is throttled; the same ones with the same seed:
      monotable faults set 'throttle rate=0.1 table=Orders operation=PutItem' --seed 7

  The first two calls fail, and all are slow:
      monotable faults set 'error first=2' 'delay mean=50ms'

  Which calls were hit? And an end to it:
      monotable faults list
      monotable faults clear

The same over HTTP: GET, PUT and DELETE /_monotable/faults:
      curl -X PUT --json '{\"faults\":[{\"kind\":\"error\",\"first\":2}]}' \\
          http://127.0.0.1:8000/_monotable/faults";

/// Make calls fail on purpose, to test how an application copes
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct FaultsCommand {
    #[command(subcommand)]
    action: Option<Action>,

    #[command(flatten)]
    endpoint: EndpointArguments,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show the faults, and how many calls they matched and hit (the default)
    List,
    /// Replace all faults with these, and reset their counts
    Set {
        /// The faults, each as one argument, such as 'error first=2'
        #[arg(value_name = "FAULT", required_unless_present = "file")]
        faults: Vec<String>,

        /// A TOML file of faults
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,

        /// What random decisions are drawn from
        #[arg(long, value_name = "NUMBER")]
        seed: Option<u64>,
    },
    /// Remove all faults
    Clear,
}

/// Shows the faults of the server after what was asked for.
pub(crate) fn run(arguments: FaultsCommand) -> Result<()> {
    let (method, body) = match arguments.action.unwrap_or(Action::List) {
        Action::List => (Method::GET, Value::Null),
        Action::Set { faults, file, seed } => {
            (Method::PUT, fault_file::document(file.as_deref(), &faults, seed)?)
        }
        Action::Clear => (Method::DELETE, Value::Null),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let address = arguments.endpoint.address();
    let report = runtime.block_on(call(method, &format!("{address}/_monotable/faults"), &body))?;
    for line in lines(&report).context("the answer is no list of faults")? {
        output::line(&line)?;
    }
    Ok(())
}

/// The faults, a line each.
fn lines(report: &Value) -> Option<Vec<String>> {
    let faults = report.get("faults")?.as_array()?;
    if faults.is_empty() {
        return Some(vec!["no faults".to_owned()]);
    }
    let line = |fault: &Value| {
        let count = |name: &str| fault.get(name).and_then(Value::as_u64);
        let (matched, hit) = (count("matched")?, count("hit")?);
        let text = fault.get("fault")?.as_str()?;
        Some(format!("{text} ({hit} of {matched} calls hit)"))
    };
    faults.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_fault_is_a_line_with_its_counts() {
        let report = json!({"seed": 0, "faults": [{"fault": "drop", "matched": 12, "hit": 3}]});
        assert_eq!(lines(&report).unwrap(), ["drop (3 of 12 calls hit)"]);
        assert_eq!(lines(&json!({"faults": []})).unwrap(), ["no faults"]);
        assert_eq!(lines(&json!({})), None);
    }
}

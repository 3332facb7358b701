//! What a server does on purpose for those who test applications.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use monotable_api::Imitation;
use monotable_faults::{FaultPlan, document};

use crate::fault_file;
use crate::output;

/// Failures on purpose, to test how an application takes them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fault injection")]
pub(crate) struct TestingArguments {
    /// Make calls fail, such as 'throttle rate=0.1 table=Orders operation=PutItem'; can be
    /// repeated. monotable faults --help lists the kinds and their settings
    #[arg(long, value_name = "FAULT")]
    fault: Vec<String>,

    /// Make calls fail by the faults in a TOML file
    #[arg(long, value_name = "FILE")]
    faults: Option<PathBuf>,

    /// Seed for random decisions about faults: the same seed and the same calls give the same
    /// failures
    #[arg(long, value_name = "NUMBER")]
    fault_seed: Option<u64>,

    /// Throttle calls that pass the capacity of a table, an index or a partition, as AWS does
    #[arg(long)]
    enforce_capacity: bool,

    /// Refuse calls that meet a transaction on an item, as AWS does, instead of waiting for it
    #[arg(long)]
    transaction_conflicts: bool,
}

impl TestingArguments {
    /// The faults to begin with.
    pub(crate) fn plan(&self) -> Result<FaultPlan> {
        let faults = fault_file::document(self.faults.as_deref(), &self.fault, self.fault_seed)?;
        Ok(document::read(&faults)?)
    }

    /// What of AWS is imitated.
    pub(crate) fn imitation(&self) -> Imitation {
        Imitation {
            enforces_capacity: self.enforce_capacity,
            has_transaction_conflicts: self.transaction_conflicts,
        }
    }

    /// Says what goes wrong on purpose, if anything does.
    pub(crate) fn announce(&self, plan: &FaultPlan) {
        let mut parts: Vec<String> =
            plan.reports().map(|report| report.fault.to_string()).collect();
        if self.enforce_capacity {
            parts.push("capacity is enforced".to_owned());
        }
        if self.transaction_conflicts {
            parts.push("transactions conflict".to_owned());
        }
        if !parts.is_empty() {
            output::note(&format!("on purpose: {}", parts.join(" · ")));
        }
    }
}

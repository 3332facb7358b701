//! The faults of a database: calls that fail on purpose.

use monotable_faults::{Fault, FaultError, FaultPlan};

use crate::embedded::Embedded;

/// The faults of a database: see [`Embedded::faults`].
#[derive(Debug, Clone, Copy)]
pub struct Faults<'a> {
    embedded: &'a Embedded,
}

/// What became of a fault so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultReport {
    /// The fault, as it was added.
    pub fault: String,
    /// How many calls it has matched, before its rate and its numbers were looked at.
    pub matched: u64,
    /// How many of them it has hit.
    pub hit: u64,
}

impl<'a> Faults<'a> {
    pub(crate) fn of(embedded: &'a Embedded) -> Faults<'a> {
        Faults { embedded }
    }

    /// Adds a fault, in the one-line syntax of `monotable serve --fault`, such as
    /// `throttle first=2 table=Orders operation=PutItem`. Others stay in force and count on.
    pub fn add(&self, fault: &str) -> Result<(), FaultError> {
        let fault: Fault = fault.parse()?;
        let api = self.embedded.api();
        let _change = self.embedded.fault_change();
        api.set_faults(api.faults().with(fault)?);
        Ok(())
    }

    /// Ends all faults.
    pub fn clear(&self) {
        let api = self.embedded.api();
        let _change = self.embedded.fault_change();
        let none = FaultPlan::new(api.faults().seed(), Vec::new());
        api.set_faults(none.unwrap_or_default());
    }

    /// The faults in force, and what became of them.
    pub fn reports(&self) -> Vec<FaultReport> {
        let plan = self.embedded.api().faults();
        let reports = plan.reports().map(|report| FaultReport {
            fault: report.fault.to_string(),
            matched: report.matched,
            hit: report.hit,
        });
        reports.collect()
    }
}

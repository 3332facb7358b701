//! An index with less write capacity than its table sends it.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Billing, Index, IndexKind, IndexProjection, Table};

use crate::Subject;
use crate::amount::amount;
use crate::key_site::route_place;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "gsi-under-provisioned",
    Error,
    Collections,
    Model,
    "an index has less write capacity than its table sends it",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for table in &subject.model.tables {
        let global = table.indexes.iter().filter(|index| index.kind == IndexKind::Global);
        found.extend(global.filter_map(|index| judge(subject, table, index)));
    }
    found
}

fn judge(subject: &Subject<'_>, table: &Table, index: &Index) -> Option<Diagnostic> {
    let own = write_units(index.billing.unwrap_or(table.billing))?;
    let load = load(subject, table, index);
    let (needed, why) = if load > own {
        (load, "its entities are written")
    } else if holds_everything(subject, table, index) {
        (write_units(table.billing)?, "the table accepts")
    } else {
        return None;
    };
    if needed <= own {
        return None;
    }
    let message = format!(
        "{} has {} write units a second, and {why} {}: the table is held back",
        index.name,
        amount(own),
        amount(needed)
    );
    let suggestion = format!("give it write_units = {} or more", needed.ceil());
    let place = route_place(table, Some(index)).member("billing");
    Some(Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion))
}

fn write_units(billing: Billing) -> Option<f64> {
    match billing {
        Billing::Provisioned { write_units, .. } => Some(write_units as f64),
        Billing::OnDemand => None,
    }
}

/// The write units a second that patterns send to the index.
fn load(subject: &Subject<'_>, table: &Table, index: &Index) -> f64 {
    let costs = subject.estimate.tables.iter().filter(|cost| cost.name == table.name);
    let arms = costs.flat_map(|cost| &cost.arms);
    arms.filter(|arm| arm.index.as_ref() == Some(&index.name)).map(|arm| arm.load.write).sum()
}

/// Whether every write to the table is one to the index of the same size.
fn holds_everything(subject: &Subject<'_>, table: &Table, index: &Index) -> bool {
    let is_in = |keys: Option<&monotable_model::document::IndexKeys>| {
        keys.is_some_and(|keys| keys.when.is_none())
    };
    index.projection == IndexProjection::All
        && subject.model.entities_in(table).all(|entity| is_in(entity.index_key(&index.name)))
}

//! The steps of a migration, in an order that keeps an application running.
//!
//! The rule behind the order: whatever is written must be readable by everything that runs. So
//! readers learn the new form before anyone writes it, writers write it before the items that are
//! there are taken to it (else the backfill would never be done), and the old form goes when nobody
//! asks for it any more.

use monotable_model::document::{IndexKind, Model};

use super::change::{Change, ChangeKind, Class, Readers};
use super::entity_migration::EntityMigration;

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it is.
    pub kind: StepKind,
    /// What to do, in a sentence.
    pub text: String,
}

/// What a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepKind {
    /// Programs that read both forms go out.
    DeployReaders,
    /// A table is created.
    CreateTable,
    /// A global index is created.
    AddIndex,
    /// A setting of a table changes.
    ChangeTable,
    /// Programs that write the new form go out.
    DeployWriters,
    /// Items are copied to a new table.
    Copy,
    /// Values are converted by a program of the application.
    Convert,
    /// Items that are there get the new form.
    Backfill,
    /// Every key is built again and compared.
    Verify,
    /// Programs that know only the new form go out.
    DeployNewReaders,
    /// What only the old model has goes.
    DropOld,
}

impl StepKind {
    /// The word for programs.
    pub fn word(self) -> &'static str {
        match self {
            StepKind::DeployReaders => "deploy-readers",
            StepKind::CreateTable => "create-table",
            StepKind::AddIndex => "add-index",
            StepKind::ChangeTable => "change-table",
            StepKind::DeployWriters => "deploy-writers",
            StepKind::Copy => "copy",
            StepKind::Convert => "convert",
            StepKind::Backfill => "backfill",
            StepKind::Verify => "verify",
            StepKind::DeployNewReaders => "deploy-new-readers",
            StepKind::DropOld => "drop-old",
        }
    }
}

/// The steps that take a running application from one model to the other.
pub(super) fn steps(
    old: &Model,
    new: &Model,
    changes: &[Change],
    migrations: &[EntityMigration],
) -> Vec<Step> {
    let breaks = changes.iter().any(|change| change.readers == Readers::Break);
    let breaks_writers = changes.iter().any(|change| change.readers == Readers::WritersBreak);
    let mut steps = Vec::new();
    let mut add = |kind, text: String| steps.push(Step { kind, text });
    if breaks {
        add(StepKind::DeployReaders, "deploy readers that understand both models".to_owned());
    }
    for text in new_tables(old, new) {
        add(StepKind::CreateTable, text);
    }
    for text in new_indexes(old, new) {
        add(StepKind::AddIndex, text);
    }
    for change in changes.iter().filter(|change| is_setting(change)) {
        let how = change.notes.first().map(|note| format!(": {note}")).unwrap_or_default();
        add(StepKind::ChangeTable, format!("change {}{how}", change.place.as_str()));
    }
    for change in changes.iter().filter(|change| change.class == Class::NewTable) {
        let text = format!("create a table for {} and copy the items to it", change.place.as_str());
        add(StepKind::Copy, text);
    }
    if !migrations.is_empty() {
        add(StepKind::DeployWriters, format!("deploy writers that write {}", names(migrations)));
    } else if breaks_writers {
        add(StepKind::DeployWriters, "deploy writers that know the new model".to_owned());
    }
    for change in changes.iter().filter(|change| change.class == Class::Convert) {
        add(StepKind::Convert, format!("convert stored values for {}", change.place.as_str()));
    }
    for migration in migrations {
        add(StepKind::Backfill, backfill_text(migration));
    }
    if !migrations.is_empty() {
        let text = "build every key again and compare: backfill --verify-only";
        add(StepKind::Verify, text.to_owned());
    }
    if breaks {
        let text = "deploy readers that know the new model alone";
        add(StepKind::DeployNewReaders, text.to_owned());
    }
    for text in dropped(old, new) {
        add(StepKind::DropOld, text);
    }
    steps
}

fn new_tables(old: &Model, new: &Model) -> Vec<String> {
    let came = new.tables.iter().filter(|table| old.table(&table.name).is_none());
    came.map(|table| format!("create table {}", table.physical_name())).collect()
}

fn new_indexes(old: &Model, new: &Model) -> Vec<String> {
    let mut texts = Vec::new();
    for table in &new.tables {
        let Some(before) = old.table(&table.name) else { continue };
        let came = table.indexes.iter().filter(|index| before.index(&index.name).is_none());
        let came = came.filter(|index| index.kind == IndexKind::Global);
        texts.extend(came.map(|index| {
            let name = table.physical_name();
            format!(
                "add index {} to {name} with UpdateTable, and wait until it is active",
                index.name
            )
        }));
    }
    texts
}

/// Whether a change is of a setting, and not of a whole table or index.
fn is_setting(change: &Change) -> bool {
    let is_of_table = matches!(change.kind, ChangeKind::Table | ChangeKind::Index);
    let has_value = change.before.is_some() || change.after.is_some();
    is_of_table && has_value && change.class == Class::TableChange
}

fn names(migrations: &[EntityMigration]) -> String {
    let names: Vec<&str> = migrations.iter().map(|migration| migration.entity.as_str()).collect();
    format!("{} in the new form", names.join(", "))
}

fn backfill_text(migration: &EntityMigration) -> String {
    let EntityMigration { entity, source, sets, removes, .. } = migration;
    let mut parts = Vec::new();
    if !sets.is_empty() {
        parts.push(format!("set {}", sets.join(", ")));
    }
    if !removes.is_empty() {
        parts.push(format!("remove {}", removes.join(", ")));
    }
    let what = if entity == source { entity.clone() } else { format!("{source} that is {entity}") };
    let how = match migration.class {
        Class::Rewrite => "put each under its new key and delete the old one in a transaction: ",
        Class::Additive
        | Class::TableChange
        | Class::Decorate
        | Class::Convert
        | Class::NewTable => "",
    };
    format!("backfill {what}: {how}{}", parts.join("; "))
}

fn dropped(old: &Model, new: &Model) -> Vec<String> {
    let mut texts = Vec::new();
    for table in &old.tables {
        let Some(after) = new.table(&table.name) else {
            texts.push(format!("delete table {}", table.physical_name()));
            continue;
        };
        let gone = table.indexes.iter().filter(|index| after.index(&index.name).is_none());
        let gone = gone.filter(|index| index.kind == IndexKind::Global);
        texts.extend(
            gone.map(|index| format!("delete index {} of {}", index.name, table.physical_name())),
        );
    }
    let gone = old.entities.iter().filter(|entity| new.entity(&entity.name).is_none());
    let gone = gone.filter(|entity| !entity.is_embedded());
    texts.extend(gone.map(|entity| format!("delete the items of {}", entity.name)));
    texts
}

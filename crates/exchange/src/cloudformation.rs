//! CloudFormation: `AWS::DynamoDB::Table` and `AWS::DynamoDB::GlobalTable`.
//!
//! Only tables are read; the rest of a template stays where it is, and a note says so. Functions
//! such as `!Sub` cannot be evaluated here. Where a name is one, the table is called as the
//! resource is, and the function comes back on export.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::members::{Members, text};
use monotable_model::document::{Backup, Billing, IndexKind, Model, Table, Tree};

use super::case::pascal;
use super::extension::{Kept, is_function, kept_for, restore};
use super::foreign::{At, Object, Read, note};
use super::outcome::{Draft, Written};
use super::table_shape::{self, Dialect, index_throughput, table_members};

const TABLE: &str = "AWS::DynamoDB::Table";
const GLOBAL_TABLE: &str = "AWS::DynamoDB::GlobalTable";

/// Imports the tables of a template.
pub(super) fn import(root: &At<'_>) -> Read<Draft> {
    let template = root.open()?;
    let mut draft = Draft::default();
    let mut resources = Kept::default();
    let mut others = 0_usize;
    draft.model.description = template.text("Description")?;
    for (id, at) in template.required("Resources")?.named()? {
        let resource = at.open()?;
        let kind = resource.required("Type")?.text()?;
        if kind == TABLE || kind == GLOBAL_TABLE {
            let (table, kept) = read_table(id, &resource, &mut draft.notes)?;
            draft.model.tables.push(table);
            resources.under(id, kept);
        } else {
            others += 1;
        }
    }
    if draft.model.tables.is_empty() {
        return Err(template.required("Resources")?.error("the template has no DynamoDB table"));
    }
    draft.kept.under("Resources", resources);
    remark_on_rest(&template, others, &mut draft.notes);
    Ok(draft)
}

fn remark_on_rest(template: &Object<'_>, others: usize, notes: &mut Vec<Diagnostic>) {
    if others > 0 {
        let message =
            format!("resources that are no DynamoDB tables stay in the template: {others}");
        notes.push(note(&template.place.member("Resources"), message));
    }
    let rest = template.leftover();
    for (name, _) in rest.iter().filter(|(name, _)| name != "AWSTemplateFormatVersion") {
        notes.push(note(&template.place.member(name), "stays in the template"));
    }
}

fn read_table(id: &str, resource: &Object<'_>, notes: &mut Vec<Diagnostic>) -> Read<(Table, Kept)> {
    let properties = resource.required("Properties")?.open()?;
    let mut own = Kept::default();
    let mut name = id.to_owned();
    match properties.take("TableName") {
        Some(at) if is_function(at.tree) => {
            notes.push(at.note(format!("a function makes the name; the table is called {id}")));
            own.members(vec![("TableName".to_owned(), at.tree.clone())]);
        }
        Some(at) => name = at.text()?.to_owned(),
        None => notes.push(note(&properties.place, format!("it has no name; it is called {id}"))),
    }
    let mut table = table_shape::table(&properties, &name, notes)?;
    if table.name != id && logical_id(&table) != id {
        table.stored_name = Some(std::mem::replace(&mut table.name, id.to_owned()));
    }
    own.members(properties.leftover());
    let mut kept = Kept::default();
    kept.under("Properties", own);
    kept.members(resource.leftover());
    Ok((table, kept))
}

/// A template with the tables of a model.
pub(super) fn export(model: &Model) -> Written<Tree> {
    let mut notes = Vec::new();
    let resources = model.tables.iter().map(|table| {
        let mut resource = Members::new();
        resource.text("Type", Some(resource_type(table)));
        resource.put("Properties", properties(table, &mut notes));
        (logical_id(table), resource.into_tree())
    });
    let resources: Vec<(String, Tree)> = resources.collect();
    let mut members = Members::new();
    members.text("AWSTemplateFormatVersion", Some("2010-09-09"));
    members.text("Description", model.description.as_deref().or(model.title.as_deref()));
    members.map("Resources", resources);
    let mut content = members.into_tree();
    if let Some(kept) = kept_for(model, "cloudformation") {
        restore(&mut content, kept);
    }
    notes.extend(beyond_tables(model, "a template describes tables"));
    Written { content, notes }
}

/// What formats that know nothing but tables leave out.
pub(super) fn beyond_tables(model: &Model, why: &str) -> Vec<Diagnostic> {
    let parts = [
        ("entities", model.entities.len()),
        ("relationships", model.relationships.len()),
        ("patterns", model.patterns.len()),
        ("samples", model.samples.len()),
    ];
    let left_out = parts.iter().filter(|(_, count)| *count > 0);
    left_out
        .map(|(member, count)| {
            let place = Place::root().member(member);
            note(&place, format!("{count} left out: {why}"))
        })
        .collect()
}

/// The type of the resource that a table is.
pub(super) fn resource_type(table: &Table) -> &'static str {
    if table.replicas.is_empty() { TABLE } else { GLOBAL_TABLE }
}

/// The name of the resource: letters and digits.
pub(super) fn logical_id(table: &Table) -> String {
    let is_plain = table.name.chars().all(|c| c.is_ascii_alphanumeric());
    if is_plain { table.name.clone() } else { pascal(&table.name) }
}

/// The properties of the resource.
pub(super) fn properties(table: &Table, notes: &mut Vec<Diagnostic>) -> Tree {
    let is_global = !table.replicas.is_empty();
    let mut members = Members::new();
    members.text("TableName", Some(table.physical_name()));
    if is_global {
        global_members(&mut members, table, notes);
    } else {
        table_members(&mut members, table, Dialect::Template);
        backup(&mut members, table);
        members.flag("DeletionProtectionEnabled", table.deletion_protection);
    }
    if let Some(name) = &table.ttl {
        let mut specification = Members::new();
        specification.text("AttributeName", Some(name));
        specification.flag("Enabled", true);
        members.put("TimeToLiveSpecification", specification.into_tree());
    }
    members.into_tree()
}

fn backup(members: &mut Members, table: &Table) {
    if table.backup == Some(Backup::PointInTime) {
        let mut specification = Members::new();
        specification.flag("PointInTimeRecoveryEnabled", true);
        members.put("PointInTimeRecoverySpecification", specification.into_tree());
    }
}

/// A global table has no capacity of its own but settings for each replica, and streams both
/// images.
fn global_members(members: &mut Members, table: &Table, notes: &mut Vec<Diagnostic>) {
    let place = Place::table(&table.name);
    let mut on_demand = table.clone();
    on_demand.billing = Billing::OnDemand;
    for index in &mut on_demand.indexes {
        index.billing = None;
    }
    if table.billing != Billing::OnDemand {
        let message = "a global table with provisioned capacity needs settings of automatic \
                       scaling; it is written as on demand";
        notes.push(note(&place.member("billing"), message));
    }
    table_members(members, &on_demand, Dialect::Template);
    let scaled = table.indexes.iter().filter(|index| {
        index.kind == IndexKind::Global && index_throughput(index, table).is_some()
    });
    for index in scaled {
        let place = place.member("global_indexes").member(&index.name);
        notes.push(note(&place, "its capacity is left out with the table's"));
    }
    let replica = |region: &String| {
        let mut replica = Members::new();
        replica.put("Region", text(region));
        backup(&mut replica, table);
        replica.flag("DeletionProtectionEnabled", table.deletion_protection);
        replica.into_tree()
    };
    members.list("Replicas", table.replicas.iter().map(replica).collect());
}

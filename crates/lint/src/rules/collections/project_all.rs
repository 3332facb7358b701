//! An index that holds whole items, of which patterns read a part.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Index, IndexProjection, Pattern, Table};
use monotable_plan::cost::ProjectionSaving;

use crate::Subject;
use crate::amount::amount;
use crate::key_site::route_place;
use crate::planned_query::requests;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "project-all",
    Warning,
    Collections,
    Model,
    "an index holds whole items, and patterns read a part of them",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for table in &subject.model.tables {
        let wide = table.indexes.iter().filter(|index| index.projection == IndexProjection::All);
        found.extend(wide.filter_map(|index| judge(subject, table, index)));
    }
    found
}

fn judge(subject: &Subject<'_>, table: &Table, index: &Index) -> Option<Diagnostic> {
    let is_here = |target: &monotable_plan::Target| {
        target.table == table.name && target.index.as_ref() == Some(&index.name)
    };
    let requests = requests(subject).into_iter().filter(|(_, request)| is_here(&request.target));
    let readers: Vec<&Pattern> = requests.map(|(pattern, _)| pattern).collect();
    if readers.is_empty() || readers.iter().any(|pattern| pattern.project.is_none()) {
        return None;
    }
    let costs = subject.estimate.tables.iter().filter(|cost| cost.name == table.name);
    let mut savings = costs.flat_map(|cost| &cost.projections);
    let saving = savings.find(|saving| saving.index == index.name)?;
    let left_out = left_out(subject, table, index, saving);
    if left_out.is_empty() || saving.month < 0.0 {
        return None;
    }
    let message = format!(
        "{} holds all attributes, and no pattern reads {} from it{}",
        index.name,
        left_out.join(", "),
        saved(saving)
    );
    let place = route_place(table, Some(index));
    Some(
        Diagnostic::warning(RULE.code, place, message)
            .with_suggestion(narrower(table, index, saving)),
    )
}

/// The attributes that a narrower projection would leave out.
fn left_out<'m>(
    subject: &Subject<'m>,
    table: &'m Table,
    index: &'m Index,
    saving: &ProjectionSaving,
) -> Vec<&'m str> {
    let is_key = |name: &str| {
        table.key_attributes().chain(index.key_attributes()).any(|key| key.name == name)
    };
    let mut names: Vec<&str> = Vec::new();
    let attributes =
        subject.model.entities_in_index(table, index).flat_map(|entity| &entity.attributes);
    for name in attributes.map(|attribute| attribute.item_name()) {
        let is_read = saving.include.iter().any(|read| read == name);
        if !is_read && !is_key(name) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn saved(saving: &ProjectionSaving) -> String {
    if saving.month >= 0.01 {
        format!(": ${} a month", amount(saving.month))
    } else {
        String::new()
    }
}

fn narrower(table: &Table, index: &Index, saving: &ProjectionSaving) -> String {
    let is_key = |name: &&String| {
        table.key_attributes().chain(index.key_attributes()).any(|key| key.name == **name)
    };
    let names: Vec<String> = saving
        .include
        .iter()
        .filter(|name| !is_key(name))
        .map(|name| format!("\"{name}\""))
        .collect();
    if names.is_empty() {
        "projection = \"keys-only\"".to_owned()
    } else {
        format!("projection = [{}]", names.join(", "))
    }
}

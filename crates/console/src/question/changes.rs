//! `changes`: the requests that make the running tables what the model says.

use monotable_exchange::read_description;
use monotable_migration::deployment::{Change, changes};
use monotable_model::document::{Table, Tree};

use super::member::{object, optional, string, strings};
use super::{Complaint, model_of};

/// For each table of the model its changes. `tables` has what `DescribeTable` answered for those
/// that exist, with the attribute of `DescribeTimeToLive` as `ttl`.
pub(super) fn answer(question: &Tree) -> Result<Tree, Complaint> {
    let model = model_of(question)?;
    let described = question.member("tables");
    let (mut all, mut obstacles) = (Vec::new(), Vec::new());
    for table in &model.tables {
        if let Some(name) = &table.period_name {
            obstacles.push(format!(
                "{} is a table for each {}: monotable model apply makes those that are needed",
                table.name,
                name.bucket().code()
            ));
            continue;
        }
        let found = described.and_then(|tables| tables.member(table.physical_name()));
        let found = found.map(live_table).transpose()?;
        match changes(table, found.as_ref()) {
            Ok(changes) => all.extend(changes.iter().map(change)),
            Err(reasons) => obstacles.extend(reasons.iter().map(ToString::to_string)),
        }
    }
    Ok(object([("changes", Tree::List(all)), ("obstacles", strings(obstacles))]))
}

/// The table that an endpoint describes.
fn live_table(described: &Tree) -> Result<Table, Complaint> {
    let live =
        read_description(described).map_err(|fault| Complaint::Unfit { reasons: fault.message })?;
    let ttl = described.member("ttl").and_then(Tree::text).map(str::to_owned);
    Ok(Table { ttl, ..live.table })
}

fn change(change: &Change) -> Tree {
    object([
        ("sign", string(change.sign.character())),
        ("table", string(&change.table)),
        ("subject", string(&change.subject)),
        ("detail", optional(Some(&change.detail))),
        ("operation", string(change.operation)),
        ("body", change.body.clone()),
    ])
}

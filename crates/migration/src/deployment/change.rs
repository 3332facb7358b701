//! The changes that lead from one table to another.

use monotable_item::key_encoding::KeyType;
use monotable_model::document::{
    Billing, Index, IndexKind, IndexProjection, KeyAttribute, StreamView, Table, TableClass, Tree,
};

use super::definition::{
    THROUGHPUT, attribute_definitions, billing, class_word, create_table, index_billing,
    index_definition, object, stream, text, throughput, view_word,
};
use super::obstacle::Obstacle;

/// What a change does to what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Something comes.
    Add,
    /// Something becomes different.
    Change,
    /// Something goes.
    Delete,
}

impl Sign {
    /// The sign in front of a line.
    pub fn character(self) -> char {
        match self {
            Sign::Add => '+',
            Sign::Change => '~',
            Sign::Delete => '-',
        }
    }
}

/// One request that changes a table, or makes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What it does.
    pub sign: Sign,
    /// The table, as the service calls it.
    pub table: String,
    /// What is changed: `index GSI1`, `billing`.
    pub subject: String,
    /// How.
    pub detail: String,
    /// What the service calls the request.
    pub operation: &'static str,
    /// The body of the request.
    pub body: Tree,
}

/// The changes that make of a table that is there, or of none, the table of the model; or all that
/// is in the way.
pub fn changes(wanted: &Table, found: Option<&Table>) -> Result<Vec<Change>, Vec<Obstacle>> {
    let Some(found) = found else { return Ok(creation(wanted)) };
    let obstacles = obstacles(wanted, found);
    if !obstacles.is_empty() {
        return Err(obstacles);
    }
    let mut changes = Vec::new();
    changes.extend(protection_change(wanted, found));
    changes.extend(class_change(wanted, found));
    changes.extend(billing_change(wanted, found));
    changes.extend(stream_changes(wanted, found));
    changes.extend(index_changes(wanted, found));
    changes.extend(ttl_changes(wanted, found.ttl.as_deref()));
    Ok(changes)
}

fn creation(wanted: &Table) -> Vec<Change> {
    let keys: Vec<&str> = wanted.key_attributes().map(|key| key.name.as_str()).collect();
    let mut detail = format!("key {}, {}", keys.join(" and "), billing_words(wanted.billing));
    for index in &wanted.indexes {
        detail += &format!(", index {}", index.name);
    }
    detail +=
        &wanted.stream.map(|view| format!(", stream {}", view_word(view))).unwrap_or_default();
    let mut changes = vec![Change {
        sign: Sign::Add,
        table: wanted.physical_name().to_owned(),
        subject: "table".to_owned(),
        detail,
        operation: "CreateTable",
        body: create_table(wanted),
    }];
    changes.extend(ttl_changes(wanted, None));
    changes
}

fn obstacles(wanted: &Table, found: &Table) -> Vec<Obstacle> {
    let mut obstacles = Vec::new();
    if !wanted.key_attributes().eq(found.key_attributes()) {
        obstacles.push(Obstacle::Key {
            table: wanted.physical_name().to_owned(),
            found: key_words(found.key_attributes()),
            wanted: key_words(wanted.key_attributes()),
        });
    }
    obstacles.extend(local_index_obstacles(wanted, found));
    obstacles.extend(key_type_obstacles(wanted, found));
    obstacles
}

fn local_index_obstacles(wanted: &Table, found: &Table) -> Vec<Obstacle> {
    let is_local = |index: &&Index| index.kind == IndexKind::Local;
    let table = || wanted.physical_name().to_owned();
    let mut obstacles = Vec::new();
    for index in wanted.indexes.iter().filter(is_local) {
        let difference = match found.index(&index.name) {
            None => "does not exist",
            Some(other) if !is_same(index, other) => "is another one",
            Some(_) => continue,
        };
        let index = index.name.clone();
        obstacles.push(Obstacle::LocalIndex { table: table(), index, difference });
    }
    for index in found.indexes.iter().filter(is_local) {
        if wanted.index(&index.name).is_none_or(|other| other.kind != IndexKind::Local) {
            let index = index.name.clone();
            obstacles.push(Obstacle::ExtraLocalIndex { table: table(), index });
        }
    }
    obstacles
}

/// One name can be part of several keys, but only with one type. Indexes that stay decide about it.
fn key_type_obstacles(wanted: &Table, found: &Table) -> Vec<Obstacle> {
    let stays =
        |index: &&Index| wanted.index(&index.name).is_some_and(|other| is_same(other, index));
    let mut held: Vec<&KeyAttribute> = found.key_attributes().collect();
    held.extend(found.indexes.iter().filter(stays).flat_map(Index::key_attributes));
    let comes =
        |index: &&Index| found.index(&index.name).is_none_or(|other| !is_same(index, other));
    let new_keys = wanted.indexes.iter().filter(comes).flat_map(Index::key_attributes);
    let conflict = |key: &KeyAttribute| {
        let other = held.iter().find(|other| other.name == key.name && other.kind != key.kind)?;
        Some(Obstacle::KeyType {
            table: wanted.physical_name().to_owned(),
            attribute: key.name.clone(),
            found: type_word(other.kind).to_owned(),
            wanted: type_word(key.kind).to_owned(),
        })
    };
    new_keys.filter_map(conflict).collect()
}

fn protection_change(wanted: &Table, found: &Table) -> Option<Change> {
    let is_on = wanted.deletion_protection;
    let detail = if is_on { "off → on" } else { "on → off" };
    let members = vec![("DeletionProtectionEnabled", Tree::Bool(is_on))];
    (is_on != found.deletion_protection)
        .then(|| update(wanted, "deletion protection", detail.to_owned(), members))
}

fn class_change(wanted: &Table, found: &Table) -> Option<Change> {
    let word = |class: TableClass| class_word(class);
    let detail = format!("{} → {}", word(found.class), word(wanted.class));
    let members = vec![("TableClass", text(word(wanted.class)))];
    (wanted.class != found.class).then(|| update(wanted, "class", detail, members))
}

/// The units of the table, and of the indexes that stay, change in one request.
fn billing_change(wanted: &Table, found: &Table) -> Option<Change> {
    let indexes = index_throughputs(wanted, found);
    if wanted.billing == found.billing && indexes.is_empty() {
        return None;
    }
    let mut members = Vec::new();
    let mut details = Vec::new();
    if wanted.billing != found.billing {
        members.extend(billing(wanted.billing));
        details.push(format!(
            "{} → {}",
            billing_words(found.billing),
            billing_words(wanted.billing)
        ));
    }
    let index_update = |(name, units): &(&str, Billing)| {
        let members = vec![("IndexName", text(name))].into_iter();
        let members = members.chain(throughput(*units).map(|units| (THROUGHPUT, units)));
        object(vec![("Update", object(members.collect()))])
    };
    if !indexes.is_empty() {
        let updates = indexes.iter().map(index_update).collect();
        members.push(("GlobalSecondaryIndexUpdates", Tree::List(updates)));
        details.extend(
            indexes.iter().map(|(name, units)| format!("{name} {}", billing_words(*units))),
        );
    }
    Some(update(wanted, "billing", details.join(", "), members))
}

/// The indexes that stay and are allowed to consume something else than before.
fn index_throughputs<'t>(wanted: &'t Table, found: &Table) -> Vec<(&'t str, Billing)> {
    let mut changed = Vec::new();
    for index in wanted.indexes.iter().filter(|index| index.kind == IndexKind::Global) {
        let before = found.index(&index.name).filter(|before| is_same(index, before));
        let Some(before) = before else { continue };
        let units = index_billing(wanted, index);
        let was_free = found.billing == Billing::OnDemand;
        if units != Billing::OnDemand && (was_free || index_billing(found, before) != units) {
            changed.push((index.name.as_str(), units));
        }
    }
    changed
}

/// A stream must be off before it can show something else.
fn stream_changes(wanted: &Table, found: &Table) -> Vec<Change> {
    if wanted.stream == found.stream {
        return Vec::new();
    }
    let words = |view: Option<StreamView>| view.map_or("off", view_word);
    let change = |from, to| {
        let detail = format!("{} → {}", words(from), words(to));
        update(wanted, "stream", detail, vec![("StreamSpecification", stream(to))])
    };
    match (found.stream, wanted.stream) {
        (Some(from), Some(to)) => vec![change(Some(from), None), change(None, Some(to))],
        (from, to) => vec![change(from, to)],
    }
}

/// The service takes one index at a time. Those that go make room for those that come.
fn index_changes(wanted: &Table, found: &Table) -> Vec<Change> {
    let is_global = |index: &&Index| index.kind == IndexKind::Global;
    let mut changes = Vec::new();
    for index in found.indexes.iter().filter(is_global) {
        match wanted.index(&index.name) {
            Some(other) if is_same(other, index) => {}
            Some(_) => {
                changes.push(deletion(wanted, index, "to be made again with another definition"))
            }
            None => changes.push(deletion(wanted, index, "not in the model")),
        }
    }
    for index in wanted.indexes.iter().filter(is_global) {
        if found.index(&index.name).is_none_or(|other| !is_same(index, other)) {
            changes.push(addition(wanted, index));
        }
    }
    changes
}

fn deletion(wanted: &Table, index: &Index, detail: &str) -> Change {
    let deletion = object(vec![("Delete", object(vec![("IndexName", text(&index.name))]))]);
    let members = vec![("GlobalSecondaryIndexUpdates", Tree::List(vec![deletion]))];
    let change = update(wanted, &format!("index {}", index.name), detail.to_owned(), members);
    Change { sign: Sign::Delete, ..change }
}

fn addition(wanted: &Table, index: &Index) -> Change {
    let keys = index.key_attributes().chain(wanted.key_attributes());
    let creation = object(vec![("Create", index_definition(wanted, index))]);
    let members = vec![
        ("AttributeDefinitions", attribute_definitions(keys)),
        ("GlobalSecondaryIndexUpdates", Tree::List(vec![creation])),
    ];
    let projection = match &index.projection {
        IndexProjection::All => "all attributes".to_owned(),
        IndexProjection::KeysOnly => "keys only".to_owned(),
        IndexProjection::Include(names) => format!("with {}", names.join(", ")),
    };
    let detail = format!("key {}, {projection}", key_words(index.key_attributes()));
    let change = update(wanted, &format!("index {}", index.name), detail, members);
    Change { sign: Sign::Add, ..change }
}

/// Another attribute needs the old one to be let go first.
fn ttl_changes(wanted: &Table, found: Option<&str>) -> Vec<Change> {
    let to = wanted.ttl.as_deref();
    if to == found {
        return Vec::new();
    }
    let change = |attribute: &str, is_on: bool| {
        let specification =
            object(vec![("Enabled", Tree::Bool(is_on)), ("AttributeName", text(attribute))]);
        let members = vec![("TimeToLiveSpecification", specification)];
        let detail =
            if is_on { format!("by {attribute}") } else { format!("no more by {attribute}") };
        let sign = if is_on { Sign::Add } else { Sign::Change };
        let change = update(wanted, "expiry", detail, members);
        Change { sign, operation: "UpdateTimeToLive", ..change }
    };
    let off = found.map(|attribute| change(attribute, false));
    off.into_iter().chain(to.map(|attribute| change(attribute, true))).collect()
}

fn update(wanted: &Table, subject: &str, detail: String, members: Vec<(&str, Tree)>) -> Change {
    let table = wanted.physical_name();
    let name = std::iter::once(("TableName", text(table)));
    Change {
        sign: Sign::Change,
        table: table.to_owned(),
        subject: subject.to_owned(),
        detail,
        operation: "UpdateTable",
        body: object(name.chain(members).collect()),
    }
}

/// Whether two indexes are the same, but for what they are allowed to consume.
fn is_same(left: &Index, right: &Index) -> bool {
    left.kind == right.kind
        && left.partition_key == right.partition_key
        && left.sort_key == right.sort_key
        && sorted(&left.projection) == sorted(&right.projection)
}

/// The order in which attributes are included means nothing.
fn sorted(projection: &IndexProjection) -> IndexProjection {
    match projection {
        IndexProjection::Include(names) => {
            let mut names = names.clone();
            names.sort_unstable();
            IndexProjection::Include(names)
        }
        IndexProjection::All => IndexProjection::All,
        IndexProjection::KeysOnly => IndexProjection::KeysOnly,
    }
}

fn billing_words(billing: Billing) -> String {
    match billing {
        Billing::OnDemand => "on demand".to_owned(),
        Billing::Provisioned { read_units, write_units } => {
            format!("{read_units} read and {write_units} write units")
        }
    }
}

fn key_words<'k>(keys: impl Iterator<Item = &'k KeyAttribute>) -> String {
    let word = |key: &KeyAttribute| format!("{} ({})", key.name, type_word(key.kind));
    keys.map(word).collect::<Vec<_>>().join(", ")
}

fn type_word(kind: KeyType) -> &'static str {
    match kind {
        KeyType::String => "text",
        KeyType::Number => "a number",
        KeyType::Binary => "bytes",
    }
}

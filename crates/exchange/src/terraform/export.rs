//! Resources of a model's tables.

use std::fmt::Write as _;

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{
    Backup, Billing, Index, IndexKind, IndexProjection, KeyAttribute, Model, StreamView, Table,
    TableClass, Tree,
};

use super::kept_member::{expression, lines};
use crate::case::snake;
use crate::cloudformation::beyond_tables;
use crate::extension::kept_for;
use crate::foreign::note;
use crate::outcome::Written;
use crate::table_shape::index_throughput;

/// A resource for each table.
pub(crate) fn export(model: &Model) -> Written<String> {
    let mut notes = Vec::new();
    let mut out = Hcl::default();
    let kept = kept_for(model, "terraform");
    for table in &model.tables {
        let kept = kept.and_then(|kept| kept.member(&snake(&table.name)));
        resource(&mut out, table, kept.map(Tree::members).unwrap_or_default(), &mut notes);
    }
    notes.extend(beyond_tables(model, "resources describe tables"));
    Written { content: out.text.trim_end().to_owned() + "\n", notes }
}

/// A table with the arguments that came with it.
fn resource(out: &mut Hcl, table: &Table, kept: &[(String, Tree)], notes: &mut Vec<Diagnostic>) {
    let label = snake(&table.name);
    out.open(&format!("resource \"aws_dynamodb_table\" {}", quoted(&label)));
    let name = kept.iter().find(|(name, _)| name == "name").map(|(_, name)| expression(name));
    out.set("name", &name.unwrap_or_else(|| quoted(table.physical_name())));
    billing(out, table.billing);
    if table.class == TableClass::InfrequentAccess {
        out.set("table_class", &quoted("STANDARD_INFREQUENT_ACCESS"));
    }
    out.set("hash_key", &quoted(&table.partition_key.name));
    if let Some(sort) = &table.sort_key {
        out.set("range_key", &quoted(&sort.name));
    }
    if let Some(view) = table.stream {
        out.set("stream_enabled", "true");
        out.set("stream_view_type", &quoted(view_word(view)));
    }
    if table.deletion_protection {
        out.set("deletion_protection_enabled", "true");
    }
    attributes(out, table);
    for index in &table.indexes {
        index_block(out, table, index, notes);
    }
    settings(out, table);
    for (name, value) in kept.iter().filter(|(name, _)| name != "name") {
        out.text.push_str(&lines(name, value));
    }
    out.close();
}

fn billing(out: &mut Hcl, billing: Billing) {
    match billing {
        Billing::OnDemand => out.set("billing_mode", &quoted("PAY_PER_REQUEST")),
        Billing::Provisioned { read_units, write_units } => {
            out.set("billing_mode", &quoted("PROVISIONED"));
            out.set("read_capacity", &read_units.to_string());
            out.set("write_capacity", &write_units.to_string());
        }
    }
}

/// Every attribute of a key, once: others must not be declared.
fn attributes(out: &mut Hcl, table: &Table) {
    let of_indexes = table.indexes.iter().flat_map(Index::key_attributes);
    let mut seen: Vec<&str> = Vec::new();
    for key in table.key_attributes().chain(of_indexes) {
        if seen.contains(&key.name.as_str()) {
            continue;
        }
        seen.push(&key.name);
        out.open("attribute");
        out.set("name", &quoted(&key.name));
        out.set("type", &quoted(key.kind.value_type().code()));
        out.close();
    }
}

fn index_block(out: &mut Hcl, table: &Table, index: &Index, notes: &mut Vec<Diagnostic>) {
    let is_local = index.kind == IndexKind::Local;
    out.open(if is_local { "local_secondary_index" } else { "global_secondary_index" });
    out.set("name", &quoted(&index.name));
    match (index.partition_key.as_slice(), index.sort_key.as_slice()) {
        ([partition], sort @ ([] | [_])) => {
            if !is_local {
                out.set("hash_key", &quoted(&partition.name));
            }
            if let Some(sort) = sort.first() {
                out.set("range_key", &quoted(&sort.name));
            }
        }
        (partition, sort) => {
            key_schema(out, partition, "HASH");
            key_schema(out, sort, "RANGE");
            let place = Place::table(&table.name).member("global_indexes").member(&index.name);
            let message = "a key of several attributes needs a version of the AWS provider that \
                           has key_schema in global_secondary_index";
            notes.push(note(&place, message));
        }
    }
    projection(out, &index.projection);
    if let Some(Billing::Provisioned { read_units, write_units }) = index_throughput(index, table) {
        out.set("read_capacity", &read_units.to_string());
        out.set("write_capacity", &write_units.to_string());
    }
    out.close();
}

fn key_schema(out: &mut Hcl, keys: &[KeyAttribute], kind: &str) {
    for key in keys {
        out.open("key_schema");
        out.set("attribute_name", &quoted(&key.name));
        out.set("key_type", &quoted(kind));
        out.close();
    }
}

fn projection(out: &mut Hcl, projection: &IndexProjection) {
    match projection {
        IndexProjection::All => out.set("projection_type", &quoted("ALL")),
        IndexProjection::KeysOnly => out.set("projection_type", &quoted("KEYS_ONLY")),
        IndexProjection::Include(names) => {
            out.set("projection_type", &quoted("INCLUDE"));
            let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            out.set("non_key_attributes", &format!("[{}]", names.join(", ")));
        }
    }
}

fn settings(out: &mut Hcl, table: &Table) {
    if let Some(name) = &table.ttl {
        out.open("ttl");
        out.set("attribute_name", &quoted(name));
        out.set("enabled", "true");
        out.close();
    }
    if table.backup == Some(Backup::PointInTime) {
        out.open("point_in_time_recovery");
        out.set("enabled", "true");
        out.close();
    }
    for region in &table.replicas {
        out.open("replica");
        out.set("region_name", &quoted(region));
        out.close();
    }
}

fn view_word(view: StreamView) -> &'static str {
    match view {
        StreamView::KeysOnly => "KEYS_ONLY",
        StreamView::NewImage => "NEW_IMAGE",
        StreamView::OldImage => "OLD_IMAGE",
        StreamView::NewAndOldImages => "NEW_AND_OLD_IMAGES",
    }
}

/// A text in quotes, in which `${` and `%{` would begin a template.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{}\"", escaped.replace("${", "$${").replace("%{", "%%{"))
}

/// Text in HCL, by blocks.
#[derive(Default)]
struct Hcl {
    text: String,
    depth: usize,
}

impl Hcl {
    fn open(&mut self, header: &str) {
        let is_first = self.text.is_empty() || self.text.ends_with("{\n");
        let gap = if is_first { "" } else { "\n" };
        let indent = "  ".repeat(self.depth);
        let _ = writeln!(self.text, "{gap}{indent}{header} {{");
        self.depth += 1;
    }

    fn set(&mut self, name: &str, value: &str) {
        let indent = "  ".repeat(self.depth);
        let _ = writeln!(self.text, "{indent}{name} = {value}");
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        let indent = "  ".repeat(self.depth);
        let _ = writeln!(self.text, "{indent}}}");
    }
}

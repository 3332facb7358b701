//! Entities in TypeScript: types, and an object with the operations.

use super::expression::Expressions;
use super::name::{Names, literal, property};
use super::types::{Absence, comment, write_field, write_record};
use crate::typed_code::entity::Operations;
use crate::typed_code::{Code, EntityCode, PatchField};

/// Writes the types and operations of an entity.
pub(super) fn write_entity(out: &mut String, entity: &EntityCode<'_>, names: &Names) {
    let name = names.entity(&entity.entity.name);
    let description =
        entity.entity.description.clone().unwrap_or_else(|| format!("{}.", entity.entity.name));
    write_record(out, name, &description, &entity.fields);
    let Some(operations) = &entity.operations else { return };
    let title = format!("What tells one {name} from another.");
    write_record(out, &format!("{name}Key"), &title, &operations.key_fields);
    write_patch(out, name, operations);
    write_operations(out, name, operations, names);
}

fn write_patch(out: &mut String, name: &str, operations: &Operations) {
    for field in &operations.patch {
        let PatchField::Group(group) = field else { continue };
        let indexes = group.indexes.join(" and ");
        let title = format!("What the keys of {indexes} are made of: it changes together.");
        comment(out, "", &[title]);
        out.push_str(&format!("export interface {name}{} {{\n", group.type_name));
        group.fields.iter().for_each(|field| write_field(out, field, Absence::RemovedOnly));
        out.push_str("}\n");
    }
    if operations.patch.is_empty() {
        return;
    }
    let title = format!("Changes of one {name}; `null` removes an attribute.");
    comment(out, "", &[title]);
    out.push_str(&format!("export interface {name}Patch {{\n"));
    for field in &operations.patch {
        match field {
            PatchField::Attribute(field) => write_field(out, field, Absence::Removed),
            PatchField::Group(group) => {
                out.push_str(&format!(
                    "  {}?: {name}{};\n",
                    property(&group.name),
                    group.type_name
                ));
            }
        }
    }
    out.push_str("}\n");
}

fn write_operations(out: &mut String, name: &str, operations: &Operations, names: &Names) {
    let expressions = Expressions { names };
    let lay_out = |code: &Code| expressions.lay_out(code, 11, 4);
    let map = |members: &[(String, Code)]| lay_out(&Code::Map(members.to_vec()));
    let table = literal(&operations.table);
    let of = format!("{name}Entity");
    comment(out, "", &[format!("What is done with the items of {name}.")]);
    out.push_str(&format!("export const {of} = {{\n"));
    let mut method = |doc: &str, head: &str, body: &str| {
        out.push_str(&format!("  /** {doc} */\n  {head} {{\n    {body}\n  }},\n"));
    };
    method(
        "The key in the table.",
        &format!("key(key: {name}Key): Item"),
        &format!("return {};", map(&operations.key)),
    );
    let present = Code::Call("present", vec![Code::Map(operations.item.clone())]);
    method(
        "The item as it is stored, with the keys of all indexes that hold it.",
        &format!("item(item: {name}): Item"),
        &format!("return {};", lay_out(&present)),
    );
    let present = Code::Call("present", vec![Code::Map(operations.read.clone())]);
    method(
        "The attributes of a stored item.",
        &format!("read(stored: Item): {name}"),
        &format!("return {} as unknown as {name};", lay_out(&present)),
    );
    method(
        &format!("Whether a stored item is one of {name}."),
        "matches(stored: Item): boolean",
        &format!("return {};", lay_out(&operations.matches)),
    );
    let indent = " ".repeat(8);
    let exists = operations.key.first().map(|(name, _)| literal(name)).unwrap_or_default();
    method(
        "A write that fails if there is one already.",
        &format!("creating(db: Database, item: {name}): Write"),
        &format!(
            "return {{\n      Put: {{\n        TableName: tableName(db, {table}),\n        Item: \
             {of}.item(item),\n        ConditionExpression: \"attribute_not_exists(#key)\",\n\
             {indent}ExpressionAttributeNames: {{ \"#key\": {exists} }},\n      }},\n    }};"
        ),
    );
    method(
        "A write that replaces what is there.",
        &format!("putting(db: Database, item: {name}): Write"),
        &format!(
            "return {{ Put: {{ TableName: tableName(db, {table}), Item: {of}.item(item) }} }};"
        ),
    );
    method(
        "A write that deletes.",
        &format!("deleting(db: Database, key: {name}Key): Write"),
        &format!(
            "return {{ Delete: {{ TableName: tableName(db, {table}), Key: {of}.key(key) }} }};"
        ),
    );
    let with_item = format!("db: Database, item: {name}");
    let with_key = format!("db: Database, key: {name}Key");
    let run = |operation: &str, argument: &str| {
        format!("await write(db, {of}.{operation}(db, {argument}));")
    };
    method(
        "Writes a new one.",
        &format!("async create({with_item}): Promise<void>"),
        &run("creating", "item"),
    );
    method(
        "Writes one, in place of what is there.",
        &format!("async put({with_item}): Promise<void>"),
        &run("putting", "item"),
    );
    method(
        "Reads one.",
        &format!("async get({with_key}, consistent = false): Promise<{name} | undefined>"),
        &format!(
            "const stored = {of}.key(key);\n    const request = {{ TableName: tableName(db, \
             {table}), Key: stored, ConsistentRead: consistent }};\n    return one(await \
             getItem(db, request), {of}.read);"
        ),
    );
    method(
        "Deletes one.",
        &format!("async delete({with_key}): Promise<void>"),
        &run("deleting", "key"),
    );
    if !operations.patch.is_empty() {
        let changes = map(&operations.changes);
        write_patching(&mut method, name, operations, &changes);
    }
    out.push_str("};\n");
}

/// The operations that change some attributes.
fn write_patching(
    method: &mut dyn FnMut(&str, &str, &str),
    name: &str,
    operations: &Operations,
    changes: &str,
) {
    let table = literal(&operations.table);
    let of = format!("{name}Entity");
    let (parameter, argument, lock) = match &operations.lock {
        Some(attribute) => {
            let attribute = literal(attribute);
            (", read: number", ", read", format!(", {{ attribute: {attribute}, read }}"))
        }
        None => ("", "", String::new()),
    };
    let parameters = format!("db: Database, key: {name}Key, change: {name}Patch{parameter}");
    method(
        "A write that changes some attributes, and the keys of indexes with them.",
        &format!("patching({parameters}): Write"),
        &format!(
            "const changes = {changes};\n    return patchOf(tableName(db, {table}), {of}.key(key), \
             changes{lock});",
        ),
    );
    method(
        "Changes some attributes, and the keys of indexes with them; fails if there is none.",
        &format!("async patch({parameters}): Promise<void>"),
        &format!("await write(db, {of}.patching(db, key, change{argument}));"),
    );
}

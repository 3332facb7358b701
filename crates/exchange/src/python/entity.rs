//! Entities in Python: types, and a class with the operations.

use super::expression::Expressions;
use super::name::{Names, literal};
use super::types::{type_of, write_members, write_record};
use crate::typed_code::entity::Operations;
use crate::typed_code::{Code, EntityCode, Field, PatchField};

/// Writes the types and operations of an entity; also a type of some of its attributes, if a
/// function returns such rows.
pub(super) fn write_entity(
    out: &mut String,
    entity: &EntityCode<'_>,
    names: &Names,
    has_part: bool,
) {
    let name = names.entity(&entity.entity.name);
    let description =
        entity.entity.description.clone().unwrap_or_else(|| format!("{}.", entity.entity.name));
    write_record(out, name, &description, &entity.fields);
    if has_part {
        let members = entity.fields.iter().map(|field| member(field, false));
        let title = format!("Some attributes of {name}.");
        write_members(out, &format!("{name}Part"), &title, &members.collect::<Vec<_>>(), false);
    }
    let Some(operations) = &entity.operations else { return };
    let title = format!("What tells one {name} from another.");
    write_record(out, &format!("{name}Key"), &title, &operations.key_fields);
    write_patch(out, name, operations);
    write_operations(out, name, operations, names);
}

/// A member that may be `None` if it can be removed.
fn member(field: &Field, removable: bool) -> (String, String, Option<String>) {
    let kind = type_of(&field.kind);
    let kind = if field.optional && removable { format!("Optional[{kind}]") } else { kind };
    (field.name.clone(), kind, field.description.clone())
}

fn write_patch(out: &mut String, name: &str, operations: &Operations) {
    let mut members = Vec::new();
    for field in &operations.patch {
        match field {
            PatchField::Attribute(field) => members.push(member(field, true)),
            PatchField::Group(group) => {
                let kind = format!("{name}{}", group.type_name);
                let indexes = group.indexes.join(" and ");
                let title = format!("What the keys of {indexes} are made of: it changes together.");
                let of_group = group.fields.iter().map(|field| member(field, true));
                write_members(out, &kind, &title, &of_group.collect::<Vec<_>>(), true);
                members.push((group.name.clone(), kind, None));
            }
        }
    }
    if !members.is_empty() {
        let title = format!("Changes of one {name}; `None` removes an attribute.");
        write_members(out, &format!("{name}Patch"), &title, &members, false);
    }
}

fn write_operations(out: &mut String, name: &str, operations: &Operations, names: &Names) {
    let expressions = Expressions { names, pattern: "" };
    let lay_out = |code: &Code| expressions.lay_out(code, 15, 8);
    let map = |members: &[(String, Code)]| Code::Map(members.to_vec());
    let table = literal(&operations.table);
    let of = format!("{name}Entity");
    out.push_str(&format!(
        "\n\nclass {of}:\n    \"\"\"What is done with the items of {name}.\"\"\"\n"
    ));
    let mut method = |doc: &str, head: &str, body: &str| {
        out.push_str(&format!(
            "\n    @staticmethod\n    def {head}:\n        \"\"\"{doc}\"\"\"\n        {body}\n"
        ));
    };
    method(
        "The key in the table.",
        &format!("key(key: {name}Key) -> Item"),
        &format!("return {}", lay_out(&map(&operations.key))),
    );
    let present = Code::Call("present", vec![map(&operations.item)]);
    method(
        "The item as it is stored, with the keys of all indexes that hold it.",
        &format!("item(item: {name}) -> Item"),
        &format!("return {}", lay_out(&present)),
    );
    let present = Code::Call("present", vec![map(&operations.read)]);
    let cast = expressions.lay_out(&present, 20, 8);
    method(
        "The attributes of a stored item.",
        &format!("read(stored: Item) -> {name}"),
        &format!("return cast({name}, {cast})"),
    );
    method(
        &format!("Whether a stored item is one of {name}."),
        "matches(stored: Item) -> bool",
        &format!("return {}", lay_out(&operations.matches)),
    );
    let exists = operations.key.first().map(|(name, _)| literal(name)).unwrap_or_default();
    method(
        "A write that fails if there is one already.",
        &format!("creating(db: Database, item: {name}) -> Write"),
        &format!(
            "return {{\n            \"Put\": {{\n                \"TableName\": _table_name(db, \
             {table}),\n                \"Item\": {of}.item(item),\n                \
             \"ConditionExpression\": \"attribute_not_exists(#key)\",\n                \
             \"ExpressionAttributeNames\": {{\"#key\": {exists}}},\n            }}\n        }}"
        ),
    );
    method(
        "A write that replaces what is there.",
        &format!("putting(db: Database, item: {name}) -> Write"),
        &format!(
            "return {{\"Put\": {{\"TableName\": _table_name(db, {table}), \"Item\": \
             {of}.item(item)}}}}"
        ),
    );
    method(
        "A write that deletes.",
        &format!("deleting(db: Database, key: {name}Key) -> Write"),
        &format!(
            "return {{\"Delete\": {{\"TableName\": _table_name(db, {table}), \"Key\": \
             {of}.key(key)}}}}"
        ),
    );
    let (with_item, with_key) =
        (format!("db: Database, item: {name}"), format!("db: Database, key: {name}Key"));
    let run =
        |operation: &str, argument: &str| format!("_write(db, {of}.{operation}(db, {argument}))");
    method("Writes a new one.", &format!("create({with_item}) -> None"), &run("creating", "item"));
    method(
        "Writes one, in place of what is there.",
        &format!("put({with_item}) -> None"),
        &run("putting", "item"),
    );
    method(
        "Reads one.",
        &format!("get({with_key}, consistent: bool = False) -> Optional[{name}]"),
        &format!(
            "stored = {of}.key(key)\n        request: Dict[str, Any] = {{\"TableName\": \
             _table_name(db, {table}), \"Key\": stored}}\n        request[\"ConsistentRead\"] \
             = consistent\n        return _one(_get_item(db, request), {of}.read)"
        ),
    );
    method("Deletes one.", &format!("delete({with_key}) -> None"), &run("deleting", "key"));
    if !operations.patch.is_empty() {
        let changes = expressions.lay_out(&map(&operations.changes), 34, 8);
        write_patching(&mut method, name, operations, &changes);
    }
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
            (", read: Number", ", read", format!(", ({}, read)", literal(attribute)))
        }
        None => ("", "", String::new()),
    };
    let parameters = format!("db: Database, key: {name}Key, change: {name}Patch{parameter}");
    method(
        "A write that changes some attributes, and the keys of indexes with them.",
        &format!("patching({parameters}) -> Write"),
        &format!(
            "changes: Dict[str, Any] = {changes}\n        return _patch_of(_table_name(db, \
             {table}), {of}.key(key), changes{lock})"
        ),
    );
    method(
        "Changes some attributes, and the keys of indexes with them; fails if there is none.",
        &format!("patch({parameters}) -> None"),
        &format!("_write(db, {of}.patching(db, key, change{argument}))"),
    );
}

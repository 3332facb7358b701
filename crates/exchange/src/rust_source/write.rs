//! Access patterns that write one item, and batches of writes.

use monotable_model::document::{
    Action, ActionKind, Entity, Expression, Known, Operation, Pattern, Table,
};
use monotable_model::template::Template;

use super::change;
use super::condition::{self, source};
use super::context::Context;
use super::function::Function;
use super::identifier::{field_name, module_name, type_name};
use super::kind::{Kind, can_be_missing, is_option};
use super::read::key_code;
use super::transaction::{self, Chain};

/// Writes a pattern that writes, or says why the client has no such write.
pub(super) fn write(
    context: &Context<'_>,
    pattern: &Pattern,
    function: &mut Function,
) -> Result<(), String> {
    match pattern.operation {
        Operation::Put => put(context, pattern, function),
        Operation::Update => update(context, pattern, function),
        Operation::Delete => delete(context, pattern, function),
        Operation::TransactWrite => transaction::write(context, pattern, function),
        _ => batch(context, pattern, function),
    }
}

/// The names of a table's key attributes, by which a condition asks whether an item exists.
pub(super) fn key_names(table: &Table) -> Vec<String> {
    table.key_attributes().map(|key| key.name.clone()).collect()
}

/// How a put treats an item that is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Putting {
    Create,
    Upsert,
    Replace,
}

/// How a put with this condition treats an item that is there.
pub(super) fn putting(
    condition: Option<&Expression>,
    table: &Table,
    entity: &Entity,
    function: &mut Function,
) -> Result<Putting, String> {
    let Some(condition) = condition else { return Ok(Putting::Upsert) };
    let written = condition::write(condition, entity, &key_names(table), function)?;
    match (written.code, written.needs_item, written.needs_absence) {
        (None, false, true) => Ok(Putting::Create),
        (None, true, false) => Ok(Putting::Replace),
        _ => Err("a put with a condition on attributes".to_owned()),
    }
}

/// The item of a put: a parameter, with what the pattern says about its fields. The statements
/// that make it, and the expression of a reference to it.
pub(super) fn put_item(
    entity: &Entity,
    values: &[Known],
    ident: &str,
    function: &mut Function,
) -> Result<(String, String), String> {
    let name = type_name(&entity.name);
    let mut fields = Vec::new();
    for known in values {
        let attribute = entity.attribute(&known.attribute);
        let attribute = attribute.ok_or_else(|| format!("{} is no attribute", known.attribute))?;
        let kind = Kind::of(entity, attribute);
        let value = match &known.source {
            monotable_model::document::Source::Parameter(_) => {
                let parameter = source(&known.source, &kind, function)?;
                kind.to_owned(&parameter)
            }
            monotable_model::document::Source::Literal(value) => kind
                .owned_literal(value)
                .ok_or_else(|| format!("the value of {} is none of its field", attribute.name))?,
        };
        let value = if is_option(attribute) { format!("Some({value})") } else { value };
        fields.push(format!("{}: {value}", field_name(&attribute.name)));
    }
    if fields.is_empty() {
        function.take(ident, format!("&{name}"));
        return Ok((String::new(), ident.to_owned()));
    }
    if fields.len() < entity.attributes.len() {
        function.take(ident, format!("&{name}"));
        fields.push(format!("..{ident}.clone()"));
    }
    let statement = format!("let {ident} = {name} {{ {} }};\n", fields.join(", "));
    Ok((statement, format!("&{ident}")))
}

fn put(context: &Context<'_>, pattern: &Pattern, function: &mut Function) -> Result<(), String> {
    let (table, entity) = context.only_entity(pattern)?;
    let name = type_name(&entity.name);
    let putting = putting(pattern.condition.as_ref(), table, entity, function)?;
    let ident = field_name(&entity.name);
    let (before, item) = put_item(entity, &pattern.values, &ident, function)?;
    let (returns, call) = match putting {
        Putting::Create => ("Create", format!("db.create({item})")),
        Putting::Upsert => ("Upsert", format!("db.upsert({item})")),
        Putting::Replace => ("Upsert", format!("db.upsert({item}).if_exists()")),
    };
    function.returns = format!("{returns}<{name}>");
    function.body = format!("{before}{call}");
    Ok(())
}

fn update(context: &Context<'_>, pattern: &Pattern, function: &mut Function) -> Result<(), String> {
    let (table, entity) = context.only_entity(pattern)?;
    let key = key_code(table, entity, &pattern.by, function)?;
    let (change, condition) = (pattern.change.as_ref(), pattern.condition.as_ref());
    let setters = patch_code(table, entity, change, condition, function)?;
    let module = module_name(&type_name(&entity.name));
    function.returns = format!("{module}::Patch<Db<{}>>", function.table);
    function.body = format!("db.patch({key}){setters}");
    Ok(())
}

/// The setters and conditions of a patch.
pub(super) fn patch_code(
    table: &Table,
    entity: &Entity,
    change: Option<&Expression>,
    condition: Option<&Expression>,
    function: &mut Function,
) -> Result<String, String> {
    let change = change.ok_or_else(|| "an update without a change".to_owned())?;
    let mut code = change::write(change, table, entity, function)?;
    let written = condition
        .map(|it| condition::write(it, entity, &key_names(table), function))
        .transpose()?;
    let needs_item = written.as_ref().is_some_and(|it| it.needs_item);
    if written.as_ref().is_some_and(|it| it.needs_absence) {
        return Err("an update of an item that must not exist".to_owned());
    }
    if let Some(condition) = written.as_ref().and_then(|it| it.code.as_ref()) {
        code.push_str(&format!(".when({condition})"));
    }
    if let Some(lock) = written.and_then(|it| it.lock) {
        code.push_str(&format!(".if_rev({lock})"));
    }
    if !needs_item && can_be_created_by_a_patch(entity) {
        code.push_str(".or_create()");
    }
    Ok(code)
}

/// Whether an item is whole that has no more than its key and what a patch sets.
fn can_be_created_by_a_patch(entity: &Entity) -> bool {
    let templates = entity.key.iter().flat_map(|key| key.partition.iter().chain(&key.sort));
    let in_key: Vec<&str> =
        templates.flat_map(Template::paths).map(|path| path.root.as_str()).collect();
    entity.attributes.iter().all(|attribute| {
        let is_lock = entity.lock.as_ref() == Some(&attribute.name);
        is_lock || can_be_missing(attribute) || in_key.contains(&attribute.name.as_str())
    })
}

fn delete(context: &Context<'_>, pattern: &Pattern, function: &mut Function) -> Result<(), String> {
    let (table, entity) = context.only_entity(pattern)?;
    let key = key_code(table, entity, &pattern.by, function)?;
    let mut code = format!("db.delete({key})");
    if let Some(condition) = &pattern.condition {
        let written = condition::write(condition, entity, &key_names(table), function)?;
        let condition = written.code;
        let condition =
            condition.ok_or_else(|| "a delete of an item that must exist".to_owned())?;
        code.push_str(&format!(".when({condition})"));
    }
    function.returns = format!("Delete<{}>", type_name(&entity.name));
    function.body = code;
    Ok(())
}

fn batch(context: &Context<'_>, pattern: &Pattern, function: &mut Function) -> Result<(), String> {
    let mut chain = Chain::new("batch", "db.write_many()");
    for action in &pattern.actions {
        batch_action(context, action, &mut chain, function)?;
    }
    function.returns = format!("WriteMany<{}>", function.table);
    function.body = chain.finish();
    Ok(())
}

fn batch_action(
    context: &Context<'_>,
    action: &Action,
    chain: &mut Chain,
    function: &mut Function,
) -> Result<(), String> {
    let (table, entity) = context.entity(&action.entity)?;
    let name = type_name(&entity.name);
    match (action.kind, &action.each) {
        (ActionKind::Put, Some(list)) if action.values.is_empty() => {
            let ident = field_name(list);
            function.take(&ident, format!("&[{name}]"));
            chain.each(&ident, &["batch.put(it)".to_owned()]);
        }
        (ActionKind::Put, None) => {
            let ident = field_name(&entity.name);
            let (before, item) = put_item(entity, &action.values, &ident, function)?;
            chain.call(&before, &format!(".put({item})"));
        }
        (ActionKind::Delete, None) => {
            let key = key_code(table, entity, &action.by, function)?;
            chain.call("", &format!(".delete(&{key})"));
        }
        _ => return Err(format!("a batch with such an action on {}", entity.name)),
    }
    Ok(())
}

//! Access patterns that are a transaction of writes.

use std::fmt::Write as _;

use monotable_model::document::{Action, ActionKind, Entity, Pattern, Source, Table};

use super::condition;
use super::context::Context;
use super::function::Function;
use super::identifier::{field_name, literal, type_name};
use super::kind::Kind;
use super::read::key_code;
use super::write::{Putting, key_names, patch_code, put_item, putting};

/// Writes a transaction.
pub(super) fn write(
    context: &Context<'_>,
    pattern: &Pattern,
    function: &mut Function,
) -> Result<(), String> {
    let mut chain = Chain::new("transaction", "db.transaction()");
    for (number, action) in pattern.actions.iter().enumerate() {
        let (table, entity) = context.entity(&action.entity)?;
        let same = |other: &&Action| other.entity == action.entity;
        let earlier = pattern.actions.iter().take(number).filter(same).count();
        let suffix = if earlier == 0 { String::new() } else { format!("_{}", earlier + 1) };
        let ident = field_name(&entity.name) + &suffix;
        match &action.each {
            None => one(table, entity, action, &ident, &mut chain, function)?,
            Some(list) => each(pattern, table, entity, action, list, &mut chain, function)?,
        }
    }
    function.returns = format!("Transaction<{}, ()>", function.table);
    function.body = chain.finish();
    Ok(())
}

/// A builder that steps are added to: calls in a row, and statements where a loop comes between.
pub(super) struct Chain {
    name: &'static str,
    statements: String,
    calls: String,
}

impl Chain {
    pub(super) fn new(name: &'static str, begin: &str) -> Chain {
        Chain { name, statements: String::new(), calls: begin.to_owned() }
    }

    /// Adds a call, with statements that come before everything.
    pub(super) fn call(&mut self, before: &str, call: &str) {
        self.statements.push_str(before);
        self.calls.push_str(call);
    }

    /// Adds a call for each element of a list, as the lines of a closure's body.
    pub(super) fn each(&mut self, list: &str, lines: &[String]) {
        let name = self.name;
        let _ = writeln!(self.statements, "let {name} = {};", self.calls);
        self.calls = match lines {
            [one] => format!("{list}.iter().fold({name}, |{name}, it| {one})"),
            several => format!(
                "{list}.iter().fold({name}, |{name}, it| {{\n    {}\n}})",
                several.join("\n    ")
            ),
        };
    }

    pub(super) fn finish(self) -> String {
        self.statements + &self.calls
    }
}

fn one(
    table: &Table,
    entity: &Entity,
    action: &Action,
    ident: &str,
    chain: &mut Chain,
    function: &mut Function,
) -> Result<(), String> {
    if action.kind == ActionKind::Put {
        let putting = putting(action.condition.as_ref(), table, entity, function)?;
        let (before, item) = put_item(entity, &action.values, ident, function)?;
        let method = put_method(putting)?;
        chain.call(&before, &format!(".{method}({item})"));
        return Ok(());
    }
    chain.call("", &step(table, entity, action, function)?);
    Ok(())
}

fn put_method(putting: Putting) -> Result<&'static str, String> {
    match putting {
        Putting::Create => Ok("create"),
        Putting::Upsert => Ok("upsert"),
        Putting::Replace => Err("a transaction that replaces an item that exists".to_owned()),
    }
}

/// `.patch(…)`, `.delete(…)` or `.check(…)`.
fn step(
    table: &Table,
    entity: &Entity,
    action: &Action,
    function: &mut Function,
) -> Result<String, String> {
    let key = key_code(table, entity, &action.by, function)?;
    if action.kind == ActionKind::Update {
        let (change, condition) = (action.change.as_ref(), action.condition.as_ref());
        let setters = patch_code(table, entity, change, condition, function)?;
        return Ok(format!(".patch(patch({key}){setters})"));
    }
    let written = action.condition.as_ref();
    let written =
        written.map(|it| condition::write(it, entity, &key_names(table), function)).transpose()?;
    let needs_item = written.as_ref().is_some_and(|it| it.needs_item);
    let condition = written.and_then(|it| it.code);
    match (action.kind, condition) {
        (ActionKind::Delete, None) if needs_item => Ok(format!(".delete_existing(&{key})")),
        (ActionKind::Delete, None) => Ok(format!(".delete(&{key})")),
        (ActionKind::Delete, Some(condition)) => Ok(format!(".delete_when(&{key}, {condition})")),
        (ActionKind::Check, None) => Ok(format!(".check_exists(&{key})")),
        (ActionKind::Check, Some(condition)) => Ok(format!(".check(&{key}, {condition})")),
        (ActionKind::Get | ActionKind::Put | ActionKind::Update, _) => {
            Err(format!("a transaction with such an action on {}", entity.name))
        }
    }
}

/// An action for each element of a list.
fn each(
    pattern: &Pattern,
    table: &Table,
    entity: &Entity,
    action: &Action,
    list: &str,
    chain: &mut Chain,
    function: &mut Function,
) -> Result<(), String> {
    let list_ident = field_name(list);
    if action.kind == ActionKind::Put {
        if !action.values.is_empty() {
            return Err("values for each of many items".to_owned());
        }
        let putting = putting(action.condition.as_ref(), table, entity, function)?;
        let method = put_method(putting)?;
        function.take(&list_ident, format!("&[{}]", type_name(&entity.name)));
        chain.each(&list_ident, &[format!("transaction.{method}(it)")]);
        return Ok(());
    }
    let mut inner = Function { declared: function.declared.clone(), ..Function::default() };
    let step = step(table, entity, action, &mut inner)?;
    let of_element = element_names(pattern, action);
    let mut fields: Vec<(String, String)> = Vec::new();
    for (ident, kind) in inner.parameters {
        let name = of_element.iter().find(|name| field_name(name) == ident);
        match name {
            Some(name) => fields.push((name.clone(), kind)),
            None => function.take(&ident, kind),
        }
    }
    let (element, bindings) = element(function, &list_ident, &fields);
    function.take(&list_ident, format!("&[{element}]"));
    let mut lines = bindings;
    lines.push(format!("transaction{step}"));
    chain.each(&list_ident, &lines);
    Ok(())
}

/// What an element says: the parts of the key, and parameters that the pattern declares.
fn element_names(pattern: &Pattern, action: &Action) -> Vec<String> {
    let key = action.by.iter().filter_map(|known| match &known.source {
        Source::Parameter(name) => Some(name.clone()),
        Source::Literal(_) => None,
    });
    let declared = pattern.parameters.iter().map(|parameter| parameter.name.clone());
    key.chain(declared).collect()
}

/// The type of an element, and the statements that take it apart: a value alone, or a struct.
fn element(
    function: &mut Function,
    list: &str,
    fields: &[(String, String)],
) -> (String, Vec<String>) {
    let owned = |kind: &str| match kind {
        "&str" => "String".to_owned(),
        other => other.trim_start_matches('&').to_owned(),
    };
    let borrowed = |place: &str, kind: &str| match kind {
        "&str" => format!("{place}.as_str()"),
        other if other.starts_with('&') => format!("&{place}"),
        _ => place.to_owned(),
    };
    if let [(name, kind)] = fields {
        let value = if kind.starts_with('&') { borrowed("it", kind) } else { "*it".to_owned() };
        return (owned(kind), vec![format!("let {} = {value};", field_name(name))]);
    }
    let name = type_name(&format!("{} {list}", function.name)) + "Element";
    let mut source = format!("/// An element of `{list}`.\n");
    source.push_str("#[derive(Attribute, Debug, Clone, PartialEq)]\n");
    let _ = writeln!(source, "pub struct {name} {{");
    let mut bindings = Vec::new();
    for (field, kind) in fields {
        let ident = field_name(field);
        let _ = writeln!(source, "    /// `{field}`");
        if *field != ident {
            let _ = writeln!(source, "    #[attr(name = {})]", literal(field));
        }
        let _ = writeln!(source, "    pub {ident}: {},", owned(kind));
        bindings.push(format!("let {ident} = {};", borrowed(&format!("it.{ident}"), kind)));
    }
    source.push_str("}\n\n");
    function.structs.push_str(&source);
    (name, bindings)
}

/// The types that a pattern declares for its parameters.
pub(super) fn declared(pattern: &Pattern) -> Vec<(String, Kind)> {
    let parameters = pattern.parameters.iter();
    parameters.map(|it| (it.name.clone(), Kind::of_type(it.kind))).collect()
}

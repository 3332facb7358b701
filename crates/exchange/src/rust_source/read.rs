//! Access patterns that read.

use monotable_model::document::{
    Entity, Known, Operation, Order, Pattern, Range, RangeComparison, Table,
};
use monotable_plan::{FanOut, PlannedAction, PlannedRequest, QueryPlan, SortCondition, plan};

use super::collection::CollectionKey;
use super::condition::{self, source};
use super::context::Context;
use super::function::Function;
use super::identifier::{column_name, field_name, type_name};
use super::key::{EntityKey, keys_of};
use super::kind::Kind;

/// Writes a pattern that reads, or says why the client has no such read.
pub(super) fn write(
    context: &mut Context<'_>,
    pattern: &Pattern,
    function: &mut Function,
) -> Result<(), String> {
    let plan = plan(context.model, pattern);
    if !plan.is_served() {
        return Err("nothing serves it".to_owned());
    }
    match pattern.operation {
        Operation::Get => get(context, pattern, function),
        Operation::BatchGet => {
            let (_, entity) = context.only_entity(pattern)?;
            let name = type_name(&entity.name);
            function.take("keys", format!("impl IntoIterator<Item = Key<{name}>>"));
            function.returns = format!("GetMany<{name}>");
            function.body = format!("db.get_many(keys){}", consistent(pattern));
            Ok(())
        }
        _ => {
            let queries: Vec<&PlannedRequest> =
                plan.steps.iter().filter(|step| step.action.query().is_some()).collect();
            let [request] = queries.as_slice() else {
                return Err(format!("it takes {} queries", queries.len()));
            };
            query(context, pattern, request, function)
        }
    }
}

fn consistent(pattern: &Pattern) -> &'static str {
    if pattern.consistent { ".consistent()" } else { "" }
}

fn get(
    context: &mut Context<'_>,
    pattern: &Pattern,
    function: &mut Function,
) -> Result<(), String> {
    let (table, entity) = context.only_entity(pattern)?;
    let key = key_code(table, entity, &pattern.by, function)?;
    if pattern.project.is_some() {
        context.note_pattern(pattern, "project", "the whole item is read");
    }
    function.returns = format!("Get<{}>", type_name(&entity.name));
    function.body = format!("db.get({key}){}", consistent(pattern));
    Ok(())
}

/// The whole key of an item in the table.
pub(super) fn key_code(
    table: &Table,
    entity: &Entity,
    by: &[Known],
    function: &mut Function,
) -> Result<String, String> {
    let keys = keys_of(table, entity);
    let key = keys.first().ok_or_else(|| format!("{} has no key", entity.name))?;
    let mut code = constructor(entity, key, by, function)?;
    for part in key.sort().iter().chain(&key.shard_inputs()) {
        let value = known(entity, by, part, function)?;
        let value = value.ok_or_else(|| format!("{part} of the key is not known"))?;
        code.push_str(&format!(".{}({value})", field_name(part)));
    }
    Ok(code)
}

/// `Order::by_customer(customer)`.
fn constructor(
    entity: &Entity,
    key: &EntityKey<'_>,
    by: &[Known],
    function: &mut Function,
) -> Result<String, String> {
    let mut arguments = Vec::new();
    for part in key.partition() {
        let value = known(entity, by, &part, function)?;
        arguments.push(value.ok_or_else(|| format!("{part} of the key is not known"))?);
    }
    Ok(format!("{}::{}({})", type_name(&entity.name), key.name, arguments.join(", ")))
}

/// The value of an attribute, if the pattern knows it.
fn known(
    entity: &Entity,
    by: &[Known],
    name: &str,
    function: &mut Function,
) -> Result<Option<String>, String> {
    let Some(known) = by.iter().find(|known| known.attribute == name) else { return Ok(None) };
    let attribute = entity.attribute(name).ok_or_else(|| format!("{name} is no attribute"))?;
    source(&known.source, &Kind::of(entity, attribute), function).map(Some)
}

fn query(
    context: &mut Context<'_>,
    pattern: &Pattern,
    request: &PlannedRequest,
    function: &mut Function,
) -> Result<(), String> {
    let PlannedAction::Query(plan) = &request.action else { return Ok(()) };
    for fan_out in &request.fan_out {
        match fan_out {
            FanOut::Shards { .. } | FanOut::Copies { .. } => {}
            FanOut::Tables(tables) => {
                let tables = tables.join(", ");
                function.docs.push(format!("Ask each of the tables {tables}, and merge."));
            }
            FanOut::Periods { .. } | FanOut::PeriodTables { .. } => {
                return Err("a range over several periods".to_owned());
            }
        }
    }
    if !plan.filter.added.is_empty() {
        return Err("the key does not say all that is known, and a filter would have to".to_owned());
    }
    let wanted = context.entities(pattern)?;
    if let ([_], None, Some((_, sort))) = (wanted.as_slice(), &pattern.range, &plan.sort) {
        match sort {
            SortCondition::Equal(_) | SortCondition::BeginsWith(_) => {}
            SortCondition::Less(_)
            | SortCondition::LessOrEqual(_)
            | SortCondition::Greater(_)
            | SortCondition::GreaterOrEqual(_)
            | SortCondition::Between(..) => {
                return Err("only the values of its sort keys keep others out".to_owned());
            }
        }
    }
    let leaks: Vec<&Entity> =
        plan.collection.leaks().filter_map(|name| context.model.entity(name)).collect();
    let index = request.target.index.as_deref();
    let selection = match (wanted.as_slice(), leaks.as_slice()) {
        ([entity], []) => single(context, pattern, entity, index, function)?,
        _ => {
            let leaking: Vec<String> = leaks.iter().map(|it| format!("`{}`", it.name)).collect();
            if !leaking.is_empty() {
                let leaking = leaking.join(", ");
                function.docs.push(format!("The range of sort keys holds {leaking} as well."));
            }
            collection(context, pattern, &wanted, &leaks, index, function)?
        }
    };
    if pattern.project.is_some() && selection.holds_all {
        context.note_pattern(pattern, "project", "whole items are read");
    }
    function.returns = format!("Query<{}>", selection.marker);
    let filter = filter(plan, &selection, function)?;
    let mut chain = String::new();
    if plan.order == Order::Descending {
        chain.push_str(".desc()");
    }
    if let Some(limit) = plan.limit {
        chain.push_str(&format!(".limit({limit})"));
    }
    chain.push_str(consistent(pattern));
    let query = format!("db.query({}){chain}", selection.code);
    function.body = selection.before + &filtered(query, filter);
    Ok(())
}

/// A query with its filter: each part that may be left out is added if its parameters are given.
fn filtered(mut query: String, filter: FilterCode) -> String {
    let (sure, optional): (FilterCode, FilterCode) =
        filter.into_iter().partition(|(parameters, _)| parameters.is_empty());
    query.extend(sure.into_iter().map(|(_, filter)| filter));
    if optional.is_empty() {
        return query;
    }
    let mut code = format!("let query = {query};\n");
    let last = optional.len() - 1;
    for (number, (parameters, filter)) in optional.into_iter().enumerate() {
        let (value, some, none) = match parameters.as_slice() {
            [one] => (one.clone(), format!("Some({one})"), "None"),
            several => {
                let somes: Vec<String> = several.iter().map(|one| format!("Some({one})")).collect();
                (format!("({})", several.join(", ")), format!("({})", somes.join(", ")), "_")
            }
        };
        let choice =
            format!("match {value} {{\n    {some} => query{filter},\n    {none} => query,\n}}");
        if number == last {
            code.push_str(&choice);
        } else {
            code.push_str(&format!("let query = {choice};\n"));
        }
    }
    code
}

/// What a query reads, in code.
struct SelectionCode<'m> {
    /// Statements before it.
    before: String,
    code: String,
    marker: String,
    /// The entity whose columns a filter names.
    entity: &'m Entity,
    is_collection: bool,
    holds_all: bool,
}

/// The calls that add a filter, and the parameters that each is left out without.
type FilterCode = Vec<(Vec<String>, String)>;

fn filter(
    plan: &QueryPlan,
    selection: &SelectionCode<'_>,
    function: &mut Function,
) -> Result<FilterCode, String> {
    let mut found: FilterCode = Vec::new();
    for part in &plan.filter.parts {
        let written = condition::write(&part.expression, selection.entity, &[], function)?;
        let code = written.code.ok_or_else(|| "a filter that asks nothing".to_owned())?;
        let code = if selection.is_collection { format!("({code}).in_collection()") } else { code };
        let parameters: Vec<String> = part.optional.iter().map(|name| field_name(name)).collect();
        let shares = |other: &[String]| other.iter().any(|name| parameters.contains(name));
        match found.iter_mut().find(|(other, _)| shares(other)) {
            Some((other, calls)) if *other == parameters => {
                calls.push_str(&format!(".filter({code})"));
            }
            Some(_) => return Err("parts of its filter that share a parameter".to_owned()),
            None => found.push((parameters, format!(".filter({code})"))),
        }
    }
    Ok(found)
}

fn single<'m>(
    context: &Context<'m>,
    pattern: &Pattern,
    entity: &'m Entity,
    index: Option<&str>,
    function: &mut Function,
) -> Result<SelectionCode<'m>, String> {
    let table = context.table_of(entity)?;
    let keys = keys_of(table, entity);
    let key = keys.iter().find(|key| key.index == index);
    let key = key.ok_or_else(|| format!("{} is not in the index", entity.name))?;
    let mut code = constructor(entity, key, &pattern.by, function)?;
    let marker = key.marker(entity);
    let mut parts = key.sort();
    if index.is_none() {
        parts.extend(key.shard_inputs());
    }
    let mut open = parts.iter();
    let mut next = open.next();
    while let Some(part) = next {
        let Some(value) = known(entity, &pattern.by, part, function)? else { break };
        code.push_str(&format!(".{}({value})", field_name(part)));
        next = open.next();
    }
    let mut before = String::new();
    match (&pattern.range, next) {
        (Some(range), Some(part)) if range.attribute == *part => {
            let call = range_call(entity, range, function)?;
            match optional_of(pattern, range) {
                Some(parameter) => {
                    before = format!(
                        "let partition = {code};\nlet selection = match {parameter} {{\n    \
                         Some({parameter}) => partition{call},\n    None => \
                         partition.selection(),\n}};\n"
                    );
                    code = "selection".to_owned();
                }
                None => code.push_str(&call),
            }
        }
        (Some(range), _) => {
            return Err(format!("{} is not the next part of the sort key", range.attribute));
        }
        (None, None) if index.is_none() => code.push_str(&format!(".selection::<{marker}>()")),
        (None, _) => {}
    }
    code.push_str(&shard_parts(entity, key, pattern, index, next, function)?);
    let holds_all = index
        .and_then(|name| table.index(name))
        .is_none_or(|index| super::declaration::view(table, entity, index).is_none());
    Ok(SelectionCode { before, code, marker, entity, is_collection: false, holds_all })
}

/// What the shard follows from, where the pattern knows it and the key does not write it.
fn shard_parts(
    entity: &Entity,
    key: &EntityKey<'_>,
    pattern: &Pattern,
    index: Option<&str>,
    next: Option<&String>,
    function: &mut Function,
) -> Result<String, String> {
    let mut code = String::new();
    if index.is_none() && next.is_none() {
        return Ok(code);
    }
    for input in key.shard_inputs() {
        if let Some(value) = known(entity, &pattern.by, &input, function)? {
            let column = column_name(&field_name(&input));
            if code.is_empty() && pattern.range.is_none() {
                code.push_str(".selection()");
            }
            let name = type_name(&entity.name);
            code.push_str(&format!(".with({name}::{column}, {value})"));
        }
    }
    Ok(code)
}

/// The parameter of a range that may be left out.
fn optional_of(pattern: &Pattern, range: &Range) -> Option<String> {
    let is_in = |name: &str| range.text.contains(&format!(":{name}"));
    let optional = pattern.parameters.iter().find(|it| it.optional && is_in(&it.name));
    optional.map(|parameter| field_name(&parameter.name))
}

/// `.placed_at_in(from..=to)`
fn range_call(entity: &Entity, range: &Range, function: &mut Function) -> Result<String, String> {
    let field = field_name(&range.attribute);
    Ok(match bounds(entity, range, function)? {
        Bounds::Range(range) => format!(".{field}_in({range})"),
        Bounds::Beginning(text) => format!(".{field}_begins({text})"),
    })
}

enum Bounds {
    Range(String),
    Beginning(String),
}

fn bounds(entity: &Entity, range: &Range, function: &mut Function) -> Result<Bounds, String> {
    let attribute = entity.attribute(&range.attribute);
    let attribute = attribute.ok_or_else(|| format!("{} is no attribute", range.attribute))?;
    let kind = Kind::of(entity, attribute);
    let mut value = |it| source(it, &kind, function);
    Ok(Bounds::Range(match &range.comparison {
        RangeComparison::Less(to) => format!("..{}", value(to)?),
        RangeComparison::LessOrEqual(to) => format!("..={}", value(to)?),
        RangeComparison::Greater(from) => {
            format!("(Bound::Excluded({}), Bound::Unbounded)", value(from)?)
        }
        RangeComparison::GreaterOrEqual(from) => format!("{}..", value(from)?),
        RangeComparison::Between(from, to) => format!("{}..={}", value(from)?, value(to)?),
        RangeComparison::BeginsWith(text) => return Ok(Bounds::Beginning(value(text)?)),
    }))
}

fn collection<'m>(
    context: &mut Context<'m>,
    pattern: &Pattern,
    wanted: &[&'m Entity],
    leaks: &[&'m Entity],
    index: Option<&str>,
    function: &mut Function,
) -> Result<SelectionCode<'m>, String> {
    let first = wanted.first().ok_or_else(|| "it wants no entity".to_owned())?;
    let table = context.table_of(first)?;
    let by = wanted.iter().find_map(|entity| {
        let key = keys_of(table, entity).into_iter().find(|key| key.index == index)?;
        let is_known = |part: &String| pattern.by.iter().any(|known| known.attribute == *part);
        key.partition().iter().all(is_known).then_some(CollectionKey { entity, key })
    });
    let by =
        by.ok_or_else(|| "the partition is not known by the names of one entity".to_owned())?;
    let held = index.and_then(|name| table.index(name));
    if held.is_some_and(|index| super::declaration::view(table, first, index).is_some()) {
        return Err("a collection of an index that does not hold whole items".to_owned());
    }
    let members: Vec<&Entity> = wanted.iter().chain(leaks).copied().collect();
    let table_name = context.table_name(table);
    let name = context.collections.take(table, &table_name, &by, &members);
    let name = name.ok_or_else(|| "a collection of several partition attributes".to_owned())?;
    let mut arguments = Vec::new();
    let partition = by.key.partition();
    for part in &partition {
        arguments.extend(known(by.entity, &pattern.by, part, function)?);
    }
    let mut code = format!("{name}::of({})", arguments.join(", "));
    for known_part in pattern.by.iter().filter(|it| !partition.contains(&it.attribute)) {
        let part = &known_part.attribute;
        let value = known(by.entity, &pattern.by, part, function)?;
        let value = value.ok_or_else(|| format!("{part} is no attribute"))?;
        let column = column_name(&field_name(part));
        code.push_str(&format!(".with({}::{column}, {value})", type_name(&by.entity.name)));
    }
    if let Some(range) = &pattern.range {
        let column = column_name(&field_name(&range.attribute));
        let owner = type_name(&by.entity.name);
        let call = match bounds(by.entity, range, function)? {
            Bounds::Range(range) => format!(".within({owner}::{column}, {range})"),
            Bounds::Beginning(text) => format!(".beginning({owner}::{column}, {text})"),
        };
        code.push_str(&call);
    }
    if leaks.is_empty() {
        code.push_str(".span()");
    }
    for entity in wanted.iter().filter(|_| !leaks.is_empty()) {
        code.push_str(&format!(".span_of::<{}>()", type_name(&entity.name)));
    }
    let filtered = pattern.filter.as_ref().and_then(|filter| {
        let names = &filter.attributes;
        wanted.iter().find(|entity| names.iter().all(|name| entity.attribute(name).is_some()))
    });
    let entity = filtered.copied().unwrap_or(by.entity);
    let before = String::new();
    Ok(SelectionCode { before, code, marker: name, entity, is_collection: true, holds_all: true })
}

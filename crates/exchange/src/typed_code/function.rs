//! Access patterns as functions.

mod list;
mod row;

use monotable_item::Type;
use monotable_model::diagnostic::Place;
use monotable_model::document::{Entity, Model, Operation, Pattern, ReturnsValues};
use monotable_plan::run::{PatternParameter, parameters_of};
use monotable_plan::{PlannedAction, PlannedRequest, plan};

use super::Module;
use super::code::Code;
use super::key::Why;
use super::kind::{self, Field, Kind};
use super::request::Lowering;
use super::scope::Scope;
use crate::case::pascal;
use crate::foreign::note;

/// A function of a module.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    /// The name of the access pattern.
    pub(crate) pattern: String,
    /// What it is for, and how it is done.
    pub(crate) description: Vec<String>,
    /// What it takes.
    pub(crate) parameters: Vec<Field>,
    /// What it returns.
    pub(crate) returns: Returns,
    /// What it does.
    pub(crate) body: Code,
}

/// What a function returns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Returns {
    /// Nothing.
    Nothing,
    /// One row, or nothing.
    One(Row),
    /// A page of rows.
    Page(Row),
    /// All rows.
    All(Row),
}

/// What a row is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Row {
    /// An entity. `checked`: other entities lie beside it, and are passed over.
    Entity { entity: String, checked: bool },
    /// Some attributes of an entity.
    Part(String),
    /// One of several entities, by the name of the union.
    Union(String),
    /// An item as it is stored.
    Stored,
}

/// Several entities, of which a row is one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RowUnion {
    /// The name of its type.
    pub(crate) name: String,
    /// The entities, in the order in which they are tried.
    pub(crate) entities: Vec<String>,
}

/// Describes the functions of a model's patterns.
pub(crate) fn describe(module: &mut Module<'_>) {
    let model = module.model;
    for pattern in &model.patterns {
        let place = Place::root().member("patterns").member(&pattern.name);
        let function = Writer { module: &mut *module, model, pattern }.function();
        match function {
            Ok(function) => module.functions.push(function),
            Err(why) => module.notes.push(note(&place, format!("no function: {why}"))),
        }
    }
}

struct Writer<'a, 'm> {
    module: &'a mut Module<'m>,
    model: &'m Model,
    pattern: &'m Pattern,
}

/// A body with the lists that it takes.
struct Body {
    code: Code,
    returns: Returns,
    lists: Vec<Field>,
    /// Parameters that the planner would also take from the elements of a list.
    needed: Vec<String>,
}

impl Body {
    fn new(code: Code, returns: Returns) -> Body {
        Body { code, returns, lists: Vec::new(), needed: Vec::new() }
    }
}

impl Writer<'_, '_> {
    fn function(&mut self) -> Result<Function, Why> {
        match self.pattern.operation {
            Operation::Steps => {
                let names = self.pattern.steps.iter().map(|step| format!("`{}`", step.pattern));
                let names: Vec<String> = names.collect();
                return Err(format!("call those of its steps in turn: {}", names.join(", ")));
            }
            Operation::Expire | Operation::Consume | Operation::Administer => {
                return Err("it makes no request of items".to_owned());
            }
            Operation::Get
            | Operation::Query
            | Operation::Scan
            | Operation::Put
            | Operation::Update
            | Operation::Delete
            | Operation::BatchGet
            | Operation::BatchWrite
            | Operation::TransactGet
            | Operation::TransactWrite => {}
        }
        let planned = plan(self.model, self.pattern);
        if !planned.is_served() {
            return Err("no table or index serves it".to_owned());
        }
        let parameters = parameters_of(self.model, self.pattern);
        let body = self.body(&planned.steps, &parameters)?;
        let used = body.code.parameters();
        let is_used = |parameter: &&PatternParameter| {
            used.contains(&parameter.name)
                && !body.lists.iter().any(|list| list.name == parameter.name)
        };
        let fields = parameters.iter().filter(is_used).map(|one| self.field(one));
        let mut fields: Vec<Field> = fields.collect();
        for field in fields.iter_mut().filter(|field| body.needed.contains(&field.name)) {
            field.optional = false;
        }
        fields.extend(body.lists);
        Ok(Function {
            pattern: self.pattern.name.clone(),
            description: description(self.pattern, &planned.steps),
            parameters: fields,
            returns: body.returns,
            body: body.code,
        })
    }

    fn body(
        &mut self,
        steps: &[PlannedRequest],
        parameters: &[PatternParameter],
    ) -> Result<Body, Why> {
        let first = steps.first().ok_or("it makes no request")?;
        match &first.action {
            PlannedAction::Get(_) => {
                let request = self.single(first)?;
                let row = self.row(steps, None)?;
                let item = Code::Call("getItem", vec![Code::Database, request]);
                let code = Code::Call("one", vec![item, Code::Reader(row.clone())]);
                Ok(Body::new(code, Returns::One(row)))
            }
            PlannedAction::Query(_) => self.pages("query", steps),
            PlannedAction::Scan(_) => self.pages("scan", steps),
            PlannedAction::Put(_) | PlannedAction::Update(_) | PlannedAction::Delete(_) => {
                self.write(first)
            }
            PlannedAction::BatchGet(members) => self.gets("batchGet", members, parameters),
            PlannedAction::TransactGet(members) => self.gets("transactGet", members, parameters),
            PlannedAction::BatchWrite(members) => self.writes("batchWrite", members, parameters),
            PlannedAction::TransactWrite(members) => self.writes("transact", members, parameters),
            PlannedAction::Check(_) | PlannedAction::Fetch => Err("it makes no request".to_owned()),
        }
    }

    fn lowering(&self, scope: Scope) -> Lowering<'_> {
        Lowering { model: self.model, scope }
    }

    fn single(&self, step: &PlannedRequest) -> Result<Code, Why> {
        match self.lowering(Scope::default()).requests(step)? {
            Code::List(mut requests) if requests.len() == 1 => {
                requests.pop().ok_or_else(|| "it makes no request".to_owned())
            }
            _ => Err("it is several requests of single items".to_owned()),
        }
    }

    fn pages(&mut self, call: &'static str, steps: &[PlannedRequest]) -> Result<Body, Why> {
        let reads = steps.iter().filter(|step| step.action != PlannedAction::Fetch);
        let mut lists: Vec<Code> = Vec::new();
        for step in reads {
            lists.push(self.lowering(Scope::default()).requests(step)?);
        }
        let requests = match (lists.len(), lists.pop()) {
            (1, Some(only)) => only,
            (_, last) => Code::List(lists.into_iter().chain(last).collect()),
        };
        let mut page = Code::Call(call, vec![Code::Database, requests, Code::PageOptions]);
        let fetch = steps.iter().find(|step| step.action == PlannedAction::Fetch);
        if let Some(table) = fetch.and_then(|step| self.model.table(&step.target.table)) {
            let name = Code::Call("tableName", vec![Code::Database, Code::text(&table.name)]);
            let keys = table.key_attributes().map(|key| Code::text(&key.name)).collect();
            page = Code::Call("fetchWhole", vec![Code::Database, name, Code::List(keys), page]);
        }
        let leaks = steps.iter().any(|step| !step.action.leaks().is_empty());
        let row = self.row(steps, Some(leaks))?;
        let code = Code::Call("select", vec![page, Code::Reader(row.clone())]);
        Ok(Body::new(code, Returns::Page(row)))
    }

    fn write(&mut self, step: &PlannedRequest) -> Result<Body, Why> {
        let requests = self.lowering(Scope::default()).requests(step)?;
        let nothing = |code| Body::new(code, Returns::Nothing);
        let request = match requests {
            Code::List(mut one) if one.len() == 1 => one.pop().ok_or("it makes no request")?,
            several => {
                let arguments = vec![Code::Database, several];
                return Ok(nothing(Code::Call("writeEach", arguments)));
            }
        };
        let Some(returns) = self.pattern.returns_values else {
            return Ok(nothing(Code::Call("write", vec![Code::Database, request])));
        };
        let entity = step.entities.first().cloned().ok_or("it names no entity")?;
        let (word, row) = match returns {
            ReturnsValues::AllOld => ("ALL_OLD", Row::Entity { entity, checked: false }),
            ReturnsValues::AllNew => ("ALL_NEW", Row::Entity { entity, checked: false }),
            ReturnsValues::UpdatedOld => ("UPDATED_OLD", Row::Part(entity)),
            ReturnsValues::UpdatedNew => ("UPDATED_NEW", Row::Part(entity)),
        };
        let written = Code::Call("write", vec![Code::Database, request, Code::text(word)]);
        let code = Code::Call("one", vec![written, Code::Reader(row.clone())]);
        Ok(Body::new(code, Returns::One(row)))
    }

    fn field(&self, parameter: &PatternParameter) -> Field {
        Field {
            name: parameter.name.clone(),
            kind: self.kind(parameter),
            optional: !parameter.is_required,
            description: parameter.attribute.as_ref().and_then(|one| one.description.clone()),
        }
    }

    fn kind(&self, parameter: &PatternParameter) -> Kind {
        let Some(attribute) = &parameter.attribute else { return Kind::Any };
        let entities = self.pattern.all_entities().filter_map(|name| self.model.entity(name));
        let same = |entity: &&Entity| {
            let own = entity.attributes.iter().find(|own| {
                own.name.eq_ignore_ascii_case(&parameter.name) && own.kind == attribute.kind
            });
            own.map(|own| {
                let is_whole = kind::whole_numbers(entity).contains(&own.name.as_str());
                kind::kind(&pascal(&entity.name), own, is_whole)
            })
        };
        let found = entities.collect::<Vec<_>>().iter().find_map(same);
        found.unwrap_or_else(|| match attribute.kind {
            Type::Map => Kind::Map,
            Type::List => Kind::List(Box::new(Kind::Any)),
            _ => kind::kind("", attribute, false),
        })
    }
}

/// What the pattern says of itself, and the key conditions of its queries.
fn description(pattern: &Pattern, steps: &[PlannedRequest]) -> Vec<String> {
    let mut lines = vec![pattern.description.clone().unwrap_or_else(|| pattern.name.clone())];
    for step in steps {
        let Some(query) = step.action.query() else { continue };
        let target = step.target.index.as_ref().unwrap_or(&step.target.table);
        let equal = query.partition.iter().chain(&query.leading);
        let mut conditions: Vec<String> =
            equal.map(|part| format!("{} = {}", part.attribute, part.text)).collect();
        let sort = query.sort.as_ref().map(|(name, sort)| sort.describe(name));
        conditions.extend(sort);
        lines.push(format!("{target}: {}", conditions.join(" AND ")));
    }
    lines
}

//! Planned requests as expressions: what is sent, with the values of parameters put in.

mod read;
mod write;

use monotable_item::Value;
use monotable_model::document::{Entity, Model, Order, Source};
use monotable_model::template::{AttributePart, Form};
use monotable_plan::{FanOut, KeyPart, KeyText, Piece, PlannedAction, PlannedRequest};

use super::code::{Code, Loop};
use super::entity::SHARD;
use super::key::{KeyWriter, Why, join, padding, period_words, turned};
use super::scope::Scope;

/// Turns the requests of one pattern into expressions.
pub(crate) struct Lowering<'a> {
    /// The model.
    pub(crate) model: &'a Model,
    /// Where values come from.
    pub(crate) scope: Scope,
}

/// Members of a request.
type Members = Vec<(String, Code)>;

impl Lowering<'_> {
    /// The requests of a step, as a list.
    pub(crate) fn requests(&self, step: &PlannedRequest) -> Result<Code, Why> {
        let with_range = self.fanned(step)?;
        let Some(without) = &step.without_range else { return Ok(with_range) };
        let without = self.fanned(without)?;
        let common = without.parameters();
        let only = with_range.parameters().into_iter().filter(|name| !common.contains(name));
        let present = only.map(|name| Code::IsPresent(Box::new(Code::Parameter(name)))).collect();
        Ok(Code::choose(Code::All(present), with_range, without))
    }

    fn fanned(&self, step: &PlannedRequest) -> Result<Code, Why> {
        let mut scope = self.scope.clone();
        for fan_out in &step.fan_out {
            if let FanOut::Copies { attribute, .. } = fan_out {
                scope.copy = Some(attribute.clone());
            }
        }
        let inner = Lowering { model: self.model, scope };
        let is_tables = step.fan_out.iter().any(|one| one.tables().is_some());
        let table =
            if is_tables { Code::Variable(Loop::Table) } else { Code::text(&step.target.table) };
        let request = inner.request(step, table)?;
        let mut list = Code::List(vec![request]);
        for fan_out in step.fan_out.iter().rev() {
            let (variable, over) = self.loop_of(fan_out, step)?;
            let (over, body) = (Box::new(over), Box::new(list));
            list = Code::ForEach { variable, over, body };
        }
        Ok(list)
    }

    fn loop_of(&self, fan_out: &FanOut, step: &PlannedRequest) -> Result<(Loop, Code), Why> {
        let numbers = |first: u64, count: u64| {
            Code::Call("numbers", vec![Code::Count(first), Code::Count(count)])
        };
        Ok(match fan_out {
            FanOut::Shards { first, count } => {
                (Loop::Shard, numbers((*first).into(), (*count).into()))
            }
            FanOut::Copies { first, count, .. } => (Loop::Copy, numbers(*first, *count)),
            FanOut::Tables(tables) => {
                (Loop::Table, Code::List(tables.iter().map(Code::text).collect()))
            }
            FanOut::PeriodTables { .. } => return Err("a table for each period".to_owned()),
            FanOut::Periods { part, from, to } => {
                let [bucket, unit] = period_words(part).ok_or("a period that is none")?;
                let [from, to] = [from, to].map(|end| self.scope.source(end));
                let periods = Code::Call("periods", vec![from, to, bucket, unit]);
                (Loop::Period, in_order(periods, step))
            }
        })
    }

    fn request(&self, step: &PlannedRequest, table: Code) -> Result<Code, Why> {
        let entity = || {
            let name = step.entities.first();
            name.and_then(|name| self.model.entity(name)).ok_or("an entity that is not there")
        };
        let name = Code::Call("tableName", vec![Code::Database, table]);
        let mut members = vec![("TableName".to_owned(), name)];
        let index =
            step.target.index.as_ref().map(|name| ("IndexName".to_owned(), Code::text(name)));
        let wrapped = |kind: &str, members| Code::Map(vec![(kind.to_owned(), Code::Map(members))]);
        Ok(match &step.action {
            PlannedAction::Get(plan) => {
                members.extend(self.get(plan, entity()?)?);
                Code::Map(members)
            }
            PlannedAction::Query(plan) => {
                members.extend(index);
                self.filtered(&plan.filter, |filter| self.query(plan, step, filter, &members))?
            }
            PlannedAction::Scan(plan) => {
                members.extend(index);
                self.filtered(&plan.filter, |filter| self.scan(plan, filter, &members))?
            }
            PlannedAction::Put(plan) => {
                members.extend(self.put(plan, entity()?)?);
                wrapped("Put", members)
            }
            PlannedAction::Update(plan) => self.update(plan, entity()?, &members)?,
            PlannedAction::Delete(plan) => {
                members.extend(self.delete(plan, entity()?)?);
                wrapped("Delete", members)
            }
            PlannedAction::Check(plan) => {
                members.extend(self.delete(plan, entity()?)?);
                wrapped("ConditionCheck", members)
            }
            PlannedAction::Fetch
            | PlannedAction::BatchGet(_)
            | PlannedAction::BatchWrite(_)
            | PlannedAction::TransactGet(_)
            | PlannedAction::TransactWrite(_) => return Err("it is a group of requests".to_owned()),
        })
    }

    fn key(&self, key: &[KeyPart], entity: &Entity) -> Result<Code, Why> {
        let part =
            |part: &KeyPart| Ok((part.attribute.clone(), self.text_of(&part.text, &[entity])?));
        Ok(Code::Map(key.iter().map(part).collect::<Result<_, Why>>()?))
    }

    /// A key text with its values put in.
    fn text_of(&self, text: &KeyText, entities: &[&Entity]) -> Result<Code, Why> {
        if let ([Piece::Value { source, .. }], true) = (text.pieces(), is_whole_key(text)) {
            return Ok(self.scope.source(source));
        }
        let piece = |piece: &Piece| self.piece(piece, text, entities);
        let pieces: Vec<Code> = text.pieces().iter().map(piece).collect::<Result<_, _>>()?;
        Ok(join(pieces))
    }

    fn piece(&self, piece: &Piece, text: &KeyText, entities: &[&Entity]) -> Result<Code, Why> {
        let entity = |name: &str| {
            let mut entities = entities.iter().copied();
            let first = entities.clone().next();
            entities.find(|entity| entity.attribute(name).is_some()).or(first).ok_or("no entity")
        };
        let of_part = |part: &AttributePart| entity(&part.path.root);
        match piece {
            Piece::Literal(text) => Ok(Code::text(text)),
            Piece::Value { part, source: Source::Literal(value) } => {
                let written = part.encode(value, text.delimiter());
                written.map(Code::text).map_err(|error| error.to_string())
            }
            Piece::Value { part, source } => {
                let value = |_: &str| self.scope.source(source);
                let writer = KeyWriter { entity: of_part(part)?, value: &value };
                writer.part(part, text.delimiter())
            }
            Piece::Beginning { part, source } => {
                let value = |_: &str| self.scope.source(source);
                let writer = KeyWriter { entity: of_part(part)?, value: &value };
                writer.beginning(part, self.scope.source(source), text.delimiter())
            }
            Piece::Shard { shard, inputs } => {
                let value = |name: &str| {
                    let input = inputs.iter().find(|(known, _)| known == name);
                    input.map_or_else(
                        || self.scope.parameter(name),
                        |(_, one)| self.scope.source(one),
                    )
                };
                let first = inputs.first().map_or(SHARD, |(name, _)| name.as_str());
                KeyWriter { entity: entity(first)?, value: &value }.shard(shard)
            }
            Piece::EachShard(shard) => {
                let number = Code::Variable(Loop::Shard);
                let padding = Code::Count(padding(shard));
                Ok(Code::Call("shard", vec![number, Code::Count(0), padding]))
            }
            Piece::EachPeriod { part } => Ok(turned(&part.encoding, Code::Variable(Loop::Period))),
        }
    }
}

/// Periods in the order in which their rows are wanted: that of the pattern, or of the page.
fn in_order(periods: Code, step: &PlannedRequest) -> Code {
    let Some(query) = step.action.query() else { return periods };
    let is_descending = Code::Literal(Value::Bool(query.order == Order::Descending));
    Code::Call("inOrder", vec![periods, Code::PageOptions, is_descending])
}

/// Whether the key is the value itself: a number or bytes.
fn is_whole_key(text: &KeyText) -> bool {
    match text.pieces() {
        [Piece::Value { part, .. }] => {
            matches!(part.encoding.form(), Form::NumberKey | Form::BinaryKey)
        }
        _ => false,
    }
}

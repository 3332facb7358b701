//! Reads.

use monotable_item::Value;
use monotable_model::document::{Entity, Order, RangeComparison, Source};
use monotable_plan::{
    AddedFilter, FilterComparison, FilterPlan, GetPlan, KeyEnd, KeyText, Offset, PlannedRequest,
    QueryPlan, ScanPlan, SortCondition,
};

use super::{Lowering, Members, is_whole_key};
use crate::typed_code::code::Code;
use crate::typed_code::key::{Why, join};
use crate::typed_code::scope::Placeholders;

impl Lowering<'_> {
    pub(super) fn get(&self, plan: &GetPlan, entity: &Entity) -> Result<Members, Why> {
        let mut placeholders = Placeholders::default();
        let mut members = vec![("Key".to_owned(), self.key(&plan.key, entity)?)];
        if let Some(project) = &plan.project {
            let text = placeholders.bind(project, &self.scope);
            members.push(("ProjectionExpression".to_owned(), placeholders.text(&text)));
        }
        members.extend(placeholders.members());
        members.extend(flag("ConsistentRead", plan.consistent));
        Ok(members)
    }

    pub(super) fn query(
        &self,
        plan: &QueryPlan,
        step: &PlannedRequest,
        filter: &FilterPlan,
        head: &Members,
    ) -> Result<Code, Why> {
        let entities = step.entities.iter().filter_map(|name| self.model.entity(name));
        let entities: Vec<&Entity> = entities.collect();
        let mut placeholders = Placeholders::default();
        let mut members = head.clone();
        let project = plan.project.as_ref().map(|one| placeholders.bind(one, &self.scope));
        let filter = self.filter(filter, &mut placeholders);
        let mut conditions = Vec::new();
        for part in plan.partition.iter().chain(&plan.leading) {
            let value = self.text_of(&part.text, &entities)?;
            conditions.push(compare(&part.attribute, "=", value, &mut placeholders));
        }
        if let Some((attribute, sort)) = &plan.sort {
            conditions.push(self.sort(attribute, sort, &entities, &mut placeholders)?);
        }
        let condition = Code::text(conditions.join(" AND "));
        members.push(("KeyConditionExpression".to_owned(), condition));
        for (name, text) in [("FilterExpression", filter), ("ProjectionExpression", project)] {
            members.extend(text.map(|text| (name.to_owned(), placeholders.text(&text))));
        }
        members.extend(placeholders.members());
        if plan.order == Order::Descending {
            members.push(("ScanIndexForward".to_owned(), Code::Literal(Value::Bool(false))));
        }
        members.extend(plan.limit.map(|limit| ("Limit".to_owned(), Code::Count(limit))));
        members.extend(flag("ConsistentRead", plan.consistent));
        Ok(Code::Map(members))
    }

    pub(super) fn scan(
        &self,
        plan: &ScanPlan,
        filter: &FilterPlan,
        head: &Members,
    ) -> Result<Code, Why> {
        let mut members = head.clone();
        let mut placeholders = Placeholders::default();
        let project = plan.project.as_ref().map(|one| placeholders.bind(one, &self.scope));
        let filter = self.filter(filter, &mut placeholders);
        for (name, text) in [("FilterExpression", filter), ("ProjectionExpression", project)] {
            members.extend(text.map(|text| (name.to_owned(), placeholders.text(&text))));
        }
        members.extend(placeholders.members());
        members.extend(plan.limit.map(|limit| ("Limit".to_owned(), Code::Count(limit))));
        members.extend(flag("ConsistentRead", plan.consistent));
        Ok(Code::Map(members))
    }

    /// A request with its filter, and without it where its parameters may be left out.
    pub(super) fn filtered(
        &self,
        plan: &FilterPlan,
        build: impl Fn(&FilterPlan) -> Result<Code, Why>,
    ) -> Result<Code, Why> {
        let with = build(plan)?;
        let Some(declared) = plan.declared.as_ref().filter(|_| plan.optional) else {
            return Ok(with);
        };
        let names = declared.parameters().into_iter().map(str::to_owned);
        let present = names.map(|name| Code::IsPresent(Box::new(Code::Parameter(name)))).collect();
        let without = build(&FilterPlan { declared: None, ..plan.clone() })?;
        Ok(Code::choose(Code::All(present), with, without))
    }

    fn filter(&self, plan: &FilterPlan, placeholders: &mut Placeholders) -> Option<String> {
        let declared = plan.declared.as_ref().map(|one| placeholders.bind(one, &self.scope));
        let declared = match declared {
            Some(text) if !plan.added.is_empty() => Some(format!("({text})")),
            other => other,
        };
        let added = plan.added.iter().map(|filter| self.added(filter, placeholders));
        let parts: Vec<String> = declared.into_iter().chain(added.collect::<Vec<_>>()).collect();
        (!parts.is_empty()).then(|| parts.join(" AND "))
    }

    fn added(&self, filter: &AddedFilter, placeholders: &mut Placeholders) -> String {
        let name = &filter.attribute;
        let mut simple = |operator: &str, source: &Source| {
            compare(name, operator, self.scope.source(source), placeholders)
        };
        let text = match &filter.comparison {
            FilterComparison::Equal(source) => simple("=", source),
            FilterComparison::Range(range) => match range {
                RangeComparison::Less(source) => simple("<", source),
                RangeComparison::LessOrEqual(source) => simple("<=", source),
                RangeComparison::Greater(source) => simple(">", source),
                RangeComparison::GreaterOrEqual(source) => simple(">=", source),
                RangeComparison::Between(from, to) => {
                    let ends = [from, to].map(|one| self.scope.source(one));
                    between(name, ends, placeholders)
                }
                RangeComparison::BeginsWith(source) => {
                    begins_with(name, self.scope.source(source), placeholders)
                }
            },
        };
        if !filter.passes_without {
            return text;
        }
        let name = placeholders.name(&filter.attribute);
        format!("(attribute_not_exists({name}) OR {text})")
    }

    fn sort(
        &self,
        attribute: &str,
        sort: &SortCondition,
        entities: &[&Entity],
        placeholders: &mut Placeholders,
    ) -> Result<String, Why> {
        let end = |end: &KeyEnd| self.end_of(end, entities);
        let text = |text: &KeyText| self.text_of(text, entities);
        Ok(match sort {
            SortCondition::Equal(key) => compare(attribute, "=", text(key)?, placeholders),
            SortCondition::BeginsWith(key) => begins_with(attribute, text(key)?, placeholders),
            SortCondition::Less(to) => compare(attribute, "<", end(to)?, placeholders),
            SortCondition::LessOrEqual(to) => compare(attribute, "<=", end(to)?, placeholders),
            SortCondition::Greater(from) => compare(attribute, ">", end(from)?, placeholders),
            SortCondition::GreaterOrEqual(from) => {
                compare(attribute, ">=", end(from)?, placeholders)
            }
            SortCondition::Between(from, to) => {
                between(attribute, [end(from)?, end(to)?], placeholders)
            }
        })
    }

    fn end_of(&self, end: &KeyEnd, entities: &[&Entity]) -> Result<Code, Why> {
        let text = self.text_of(&end.text, entities)?;
        if is_whole_key(&end.text) {
            return Ok(text);
        }
        Ok(match end.offset {
            Offset::None => text,
            Offset::AfterAll => Code::Call("afterAll", vec![text]),
            Offset::Next => join(vec![text, Code::text("\0")]),
            Offset::Previous => Code::Call("before", vec![text]),
        })
    }
}

fn flag(name: &str, is_set: bool) -> Option<(String, Code)> {
    is_set.then(|| (name.to_owned(), Code::Literal(Value::Bool(true))))
}

fn compare(name: &str, operator: &str, value: Code, placeholders: &mut Placeholders) -> String {
    let name = placeholders.name(name);
    format!("{name} {operator} {}", placeholders.value(value))
}

fn between(name: &str, ends: [Code; 2], placeholders: &mut Placeholders) -> String {
    let name = placeholders.name(name);
    let [from, to] = ends.map(|end| placeholders.value(end));
    format!("{name} BETWEEN {from} AND {to}")
}

fn begins_with(name: &str, value: Code, placeholders: &mut Placeholders) -> String {
    let name = placeholders.name(name);
    format!("begins_with({name}, {})", placeholders.value(value))
}

//! Reads.

use monotable_item::Value;
use monotable_model::document::{Entity, Order, RangeComparison, Source};
use monotable_plan::{
    AddedFilter, FilterComparison, FilterPart, FilterPlan, GetPlan, KeyEnd, KeyText, Offset,
    PlannedRequest, QueryPlan, ScanPlan, SortCondition,
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
        let condition = Some(conditions.join(" AND "));
        let request = Expressed { condition, filter, project, placeholders };
        let has_all = request.has_all();
        members.extend(request.members());
        if plan.order == Order::Descending {
            members.push(("ScanIndexForward".to_owned(), Code::Literal(Value::Bool(false))));
        }
        members.extend(plan.limit.map(|limit| ("Limit".to_owned(), Code::Count(limit))));
        members.extend(flag("ConsistentRead", plan.consistent));
        Ok(request_of(members, has_all))
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
        let request = Expressed { condition: None, filter, project, placeholders };
        let has_all = request.has_all();
        members.extend(request.members());
        members.extend(plan.limit.map(|limit| ("Limit".to_owned(), Code::Count(limit))));
        members.extend(flag("ConsistentRead", plan.consistent));
        Ok(request_of(members, has_all))
    }

    /// A request with its filter, in every form that parameters which are left out give it. If
    /// parts of the filter are left out together, there are two requests to choose from.
    pub(super) fn filtered(
        &self,
        plan: &FilterPlan,
        build: impl Fn(&FilterPlan) -> Result<Code, Why>,
    ) -> Result<Code, Why> {
        let mut reasons: Vec<&Vec<String>> = Vec::new();
        for part in plan.parts.iter().filter(|part| !part.optional.is_empty()) {
            if !reasons.contains(&&part.optional) {
                reasons.push(&part.optional);
            }
        }
        let [reason] = reasons.as_slice() else { return build(plan) };
        let sure = |part: &FilterPart| FilterPart { optional: Vec::new(), ..part.clone() };
        let all = plan.parts.iter().map(sure).collect();
        let rest = plan.parts.iter().filter(|part| part.optional.is_empty()).cloned().collect();
        let with = build(&FilterPlan { parts: all, ..plan.clone() })?;
        let without = build(&FilterPlan { parts: rest, ..plan.clone() })?;
        Ok(Code::choose(are_given(reason), with, without))
    }

    fn filter(&self, plan: &FilterPlan, placeholders: &mut Placeholders) -> Vec<FilterTerm> {
        let declared = plan.parts.iter().map(|part| FilterTerm {
            text: placeholders.bind(&part.expression, &self.scope),
            optional: part.optional.clone(),
        });
        let mut terms: Vec<FilterTerm> = declared.collect();
        if let ([FilterTerm { text, .. }], false) = (terms.as_mut_slice(), plan.added.is_empty()) {
            *text = format!("({text})");
        }
        let added = plan.added.iter().map(|filter| FilterTerm {
            text: self.added(filter, placeholders),
            optional: Vec::new(),
        });
        terms.extend(added);
        terms
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

/// A part of a filter, and the parameters without which it is left out.
struct FilterTerm {
    text: String,
    optional: Vec<String>,
}

/// The expressions of a request that reads.
struct Expressed {
    condition: Option<String>,
    filter: Vec<FilterTerm>,
    project: Option<String>,
    placeholders: Placeholders,
}

impl Expressed {
    /// Whether it is the same whatever is left out.
    fn has_all(&self) -> bool {
        self.filter.iter().all(|term| term.optional.is_empty())
    }

    fn members(self) -> Members {
        let named = |name: &str, text: &Option<String>| {
            let text = text.as_ref().map(|text| self.placeholders.text(text));
            text.map(|text| (name.to_owned(), text))
        };
        let mut members: Members = Vec::new();
        members.extend(named("KeyConditionExpression", &self.condition));
        members.extend(self.filter_code().map(|code| ("FilterExpression".to_owned(), code)));
        members.extend(named("ProjectionExpression", &self.project));
        if self.has_all() {
            members.extend(self.placeholders.members());
            return members;
        }
        let placeholders = self.placeholders.clone().members().into_iter();
        members.extend(placeholders.map(|(name, map)| (name, self.needed(map))));
        members
    }

    fn filter_code(&self) -> Option<Code> {
        if self.filter.is_empty() {
            return None;
        }
        if self.has_all() {
            let texts: Vec<&str> = self.filter.iter().map(|term| term.text.as_str()).collect();
            return Some(self.placeholders.text(&texts.join(" AND ")));
        }
        let terms = self.filter.iter().map(|term| {
            let text = self.placeholders.text(&term.text);
            Code::choose(are_given(&term.optional), text, Code::Absent)
        });
        Some(Code::Call("allOf", vec![Code::List(terms.collect())]))
    }

    /// Placeholders, each if it stands in what is sent: the service refuses others.
    fn needed(&self, map: Code) -> Code {
        let Code::Map(placeholders) = map else { return map };
        let placeholders = placeholders.into_iter().map(|(placeholder, code)| {
            let code = Code::choose(self.need_of(&placeholder), code, Code::Absent);
            (placeholder, code)
        });
        Code::Call("someOf", vec![Code::Map(placeholders.collect())])
    }

    /// Whether a placeholder is needed.
    fn need_of(&self, placeholder: &str) -> Code {
        let always = self.condition.iter().chain(&self.project);
        let terms = self.filter.iter().filter(|term| has_placeholder(&term.text, placeholder));
        let mut needs: Vec<Code> = terms.map(|term| are_given(&term.optional)).collect();
        let is_sure = |need: &Code| *need == Code::All(Vec::new());
        if always.into_iter().any(|text| has_placeholder(text, placeholder))
            || needs.iter().any(is_sure)
        {
            return Code::All(Vec::new());
        }
        needs.dedup();
        Code::Any(needs)
    }
}

fn has_placeholder(text: &str, placeholder: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '#' | ':');
    text.split(|c| !is_part(c)).any(|word| word == placeholder)
}

/// Whether callers gave some parameters.
fn are_given(names: &[String]) -> Code {
    let is_given = |name: &String| Code::IsPresent(Box::new(Code::Parameter(name.clone())));
    Code::All(names.iter().map(is_given).collect())
}

/// A request whose members may be absent, or not.
fn request_of(members: Members, has_all: bool) -> Code {
    let map = Code::Map(members);
    if has_all { map } else { Code::Call("present", vec![map]) }
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

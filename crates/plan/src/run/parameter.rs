//! What a pattern needs to know.
//!
//! A parameter is named where it is used: as a known attribute, in a range, in an expression, or as
//! an attribute of what a put writes. Its type is that of the attribute that it stands for, or what
//! the pattern declares.

use monotable_item::Type;
use monotable_model::document::{
    Action, ActionKind, Attribute, Each, Entity, Expression, Known, Model, Operation, Parameter,
    Pattern, Range, RangeComparison, Source,
};
use monotable_model::template::{Segment, ShardRule};

use crate::{PlannedRequest, plan};

/// The name under which a writer passes the shard that it has chosen.
const SHARD: &str = "shard";

/// A parameter of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternParameter {
    /// The name.
    pub name: String,
    /// What its values are, if that is known: an attribute of the parameter's name and type, or the
    /// one that it stands for.
    pub attribute: Option<Attribute>,
    /// Whether the pattern cannot run without it.
    pub is_required: bool,
    /// Whether a list of values can stand for one: reads of many items.
    pub takes_lists: bool,
}

impl PatternParameter {
    /// The type, if it is known.
    pub fn kind(&self) -> Option<Type> {
        self.attribute.as_ref().map(|attribute| attribute.kind)
    }
}

/// The parameters of a pattern, in the order in which they are used.
pub fn parameters_of(model: &Model, pattern: &Pattern) -> Vec<PatternParameter> {
    let mut uses = Uses { model, found: Vec::new() };
    uses.pattern(pattern);
    uses.steps_of_plan(&plan(model, pattern).steps);
    uses.found
}

/// Whether the caller must say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    Required,
    Optional,
}

struct Uses<'m> {
    model: &'m Model,
    found: Vec<PatternParameter>,
}

impl<'m> Uses<'m> {
    fn pattern(&mut self, pattern: &'m Pattern) {
        let names = &pattern.entities;
        let entities: Vec<&Entity> =
            names.iter().filter_map(|name| self.model.entity(name)).collect();
        self.known(&pattern.by, &entities);
        self.range(pattern.range.as_ref(), &entities);
        self.known(&pattern.values, &entities);
        for expression in [&pattern.filter, &pattern.condition, &pattern.change, &pattern.project] {
            self.expression(expression.as_ref(), &entities);
        }
        if pattern.operation == Operation::Put {
            entities
                .iter()
                .for_each(|entity| self.written(entity, &pattern.values, Need::Required));
        }
        for action in &pattern.actions {
            self.action(action);
        }
        self.shard(&entities);
        self.steps(pattern);
        if matches!(pattern.operation, Operation::BatchGet | Operation::TransactGet) {
            self.found.iter_mut().for_each(|parameter| parameter.takes_lists = true);
        }
        pattern.parameters.iter().for_each(|declared| self.declared(declared));
    }

    fn action(&mut self, action: &'m Action) {
        let Some(entity) = self.model.entity(&action.entity) else { return };
        let before = self.found.len();
        self.known(&action.by, &[entity]);
        self.known(&action.values, &[entity]);
        self.expression(action.condition.as_ref(), &[entity]);
        self.expression(action.change.as_ref(), &[entity]);
        if action.kind == ActionKind::Put {
            self.written(entity, &action.values, Need::Required);
        }
        self.shard(&[entity]);
        if let Some(list) = &action.each {
            // What an element says need not be said outside.
            self.found.iter_mut().skip(before).for_each(|parameter| parameter.is_required = false);
            self.list(list);
        }
    }

    /// The rows of one step can say what the next one needs.
    fn steps(&mut self, pattern: &'m Pattern) {
        let mut rows: Vec<&Entity> = Vec::new();
        for step in &pattern.steps {
            let Some(inner) = self.model.pattern(&step.pattern) else { continue };
            let mut uses = Uses { model: self.model, found: Vec::new() };
            uses.pattern(inner);
            let is_element = matches!(step.each, Some(Each::Parameter(_)));
            for mut parameter in uses.found {
                let in_rows = rows.iter().any(|row| row.attribute(&parameter.name).is_some());
                parameter.is_required &= !in_rows && !is_element && step.each != Some(Each::Result);
                self.add(parameter);
            }
            if let Some(Each::Parameter(list)) = &step.each {
                self.list(list);
            }
            rows.extend(inner.all_entities().filter_map(|name| self.model.entity(name)));
        }
    }

    /// What the keys of indexes need to know after an update.
    fn steps_of_plan(&mut self, steps: &[PlannedRequest]) {
        for step in steps {
            if let Some(update) = step.action.update() {
                let entity = step.entities.first().and_then(|name| self.model.entity(name));
                for name in &update.needs {
                    self.attribute(name, entity.as_slice(), Need::Required);
                }
            }
            self.steps_of_plan(step.action.members());
        }
    }

    fn known(&mut self, known: &[Known], entities: &[&Entity]) {
        for Known { attribute, source } in known {
            self.source(source, attribute, entities);
        }
    }

    fn range(&mut self, range: Option<&Range>, entities: &[&Entity]) {
        let Some(Range { attribute, comparison, .. }) = range else { return };
        match comparison {
            RangeComparison::Less(source)
            | RangeComparison::LessOrEqual(source)
            | RangeComparison::Greater(source)
            | RangeComparison::GreaterOrEqual(source)
            | RangeComparison::BeginsWith(source) => self.source(source, attribute, entities),
            RangeComparison::Between(from, to) => {
                self.source(from, attribute, entities);
                self.source(to, attribute, entities);
            }
        }
    }

    fn source(&mut self, source: &Source, attribute: &str, entities: &[&Entity]) {
        let Source::Parameter(name) = source else { return };
        let attribute = find(entities, attribute).map(|found| named(found, name));
        self.add(PatternParameter {
            name: name.clone(),
            attribute,
            is_required: true,
            takes_lists: false,
        });
    }

    fn expression(&mut self, expression: Option<&Expression>, entities: &[&Entity]) {
        for name in expression.map(Expression::parameters).unwrap_or_default() {
            self.attribute(name, entities, Need::Required);
        }
    }

    /// What a put writes: all attributes, unless the pattern says their values.
    fn written(&mut self, entity: &Entity, values: &[Known], need: Need) {
        for attribute in &entity.attributes {
            let is_said = values.iter().any(|known| known.attribute == attribute.name)
                || attribute.values.len() == 1;
            let need = if attribute.required && !is_said { need } else { Need::Optional };
            self.attribute(&attribute.name, &[entity], need);
        }
    }

    /// A parameter that is called like an attribute stands for it, as a rule.
    fn attribute(&mut self, name: &str, entities: &[&Entity], need: Need) {
        let attribute = find(entities, name).map(|found| named(found, name));
        let is_required = need == Need::Required;
        self.add(PatternParameter {
            name: name.to_owned(),
            attribute,
            is_required,
            takes_lists: false,
        });
    }

    /// A list of which each element has a request of its own.
    fn list(&mut self, name: &str) {
        let attribute = Some(Attribute::new(name, Type::List));
        let name = name.to_owned();
        self.add(PatternParameter { name, attribute, is_required: true, takes_lists: false });
    }

    fn shard(&mut self, entities: &[&Entity]) {
        if entities.iter().any(|entity| has_chosen_shard(entity)) {
            let attribute = Some(Attribute::new(SHARD, Type::Number));
            let name = SHARD.to_owned();
            self.add(PatternParameter { name, attribute, is_required: false, takes_lists: false });
        }
    }

    /// What the pattern itself says about a parameter.
    fn declared(&mut self, declared: &Parameter) {
        let found = self.found.iter_mut().find(|parameter| parameter.name == declared.name);
        let described = Attribute {
            description: declared.description.clone(),
            ..Attribute::new(&declared.name, declared.kind)
        };
        let Some(parameter) = found else {
            return self.add(PatternParameter {
                name: declared.name.clone(),
                attribute: Some(described),
                is_required: false,
                takes_lists: false,
            });
        };
        // An attribute of that type says more.
        if parameter.kind() != Some(declared.kind) {
            parameter.attribute = Some(described);
        }
        parameter.is_required &= !declared.optional;
    }

    fn add(&mut self, parameter: PatternParameter) {
        match self.found.iter_mut().find(|found| found.name == parameter.name) {
            Some(found) => {
                found.is_required |= parameter.is_required;
                if found.attribute.is_none() {
                    found.attribute = parameter.attribute;
                }
            }
            None => self.found.push(parameter),
        }
    }
}

/// The attribute of this name; or one whose name differs in case only, as `:status` for `Status`.
fn find<'e>(entities: &[&'e Entity], name: &str) -> Option<&'e Attribute> {
    let exact = entities.iter().find_map(|entity| entity.attribute(name));
    let attributes = || entities.iter().flat_map(|entity| &entity.attributes);
    exact.or_else(|| attributes().find(|attribute| attribute.name.eq_ignore_ascii_case(name)))
}

fn named(attribute: &Attribute, name: &str) -> Attribute {
    Attribute { name: name.to_owned(), ..attribute.clone() }
}

fn has_chosen_shard(entity: &Entity) -> bool {
    let of_indexes = entity.indexes.iter().map(|index| &index.keys);
    let mut templates = entity
        .key
        .iter()
        .chain(of_indexes)
        .flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    templates.any(|template| {
        template.segments().iter().any(|segment| match segment {
            Segment::Shard(shard) => *shard.rule() == ShardRule::Chosen,
            Segment::Literal(_) | Segment::Attribute(_) => false,
        })
    })
}

//! Functions that take lists: batches and transactions.

use monotable_model::document::Each;
use monotable_plan::run::PatternParameter;
use monotable_plan::{PlannedAction, PlannedRequest};

use super::{Body, Returns, Writer};
use crate::case::{camel, pascal};
use crate::typed_code::code::{Code, Loop};
use crate::typed_code::key::Why;
use crate::typed_code::kind::{Field, Kind, Record};
use crate::typed_code::scope::{Element, Scope};

impl Writer<'_, '_> {
    /// Reads of many items: a list of keys for each entity.
    pub(super) fn gets(
        &mut self,
        call: &'static str,
        members: &[PlannedRequest],
        parameters: &[PatternParameter],
    ) -> Result<Body, Why> {
        let mut lists = Vec::new();
        let mut requests = Vec::new();
        for member in members {
            let plain = self.lowering(Scope::default()).requests(member)?;
            let names = plain.parameters();
            let fields: Vec<Field> = parameters
                .iter()
                .filter(|parameter| names.contains(&parameter.name))
                .map(|parameter| Field { optional: false, ..self.field(parameter) })
                .collect();
            let list = match (fields.as_slice(), member.entities.first()) {
                ([only], _) => only.name.clone(),
                (_, Some(entity)) if members.len() > 1 => camel(&format!("{entity} keys")),
                _ => "keys".to_owned(),
            };
            let element = Element { is_plain: fields.len() == 1, fields };
            requests.push(self.for_each(member, &list, &element, &mut lists)?);
        }
        let row = self.row(members, None)?;
        let requests = match (requests.len(), requests.pop()) {
            (1, Some(only)) => only,
            (_, last) => Code::List(requests.into_iter().chain(last).collect()),
        };
        let items = Code::Call(call, vec![Code::Database, requests]);
        let code = Code::Call("selectAll", vec![items, Code::Reader(row.clone())]);
        Ok(Body { lists, ..Body::new(code, Returns::All(row)) })
    }

    pub(super) fn writes(
        &mut self,
        call: &'static str,
        members: &[PlannedRequest],
        parameters: &[PatternParameter],
    ) -> Result<Body, Why> {
        let mut outer: Vec<String> = Vec::new();
        for member in members.iter().filter(|member| member.each.is_none()) {
            outer.extend(self.lowering(Scope::default()).requests(member)?.parameters());
        }
        let mut lists = Vec::new();
        let mut actions = Vec::new();
        for member in members {
            let Some(Each::Parameter(list)) = &member.each else {
                match self.lowering(Scope::default()).requests(member)? {
                    Code::List(requests) => actions.extend(requests),
                    several => actions.push(several),
                }
                continue;
            };
            let element = self.element(member, &outer, parameters)?;
            actions.push(self.for_each(member, list, &element, &mut lists)?);
        }
        let code = Code::Call(call, vec![Code::Database, Code::List(actions)]);
        let declared = |name: &String| {
            let found = self.pattern.parameters.iter().find(|one| one.name == *name);
            found.is_some_and(|one| one.optional)
        };
        let used = code.parameters().into_iter();
        let needed = used.filter(|name| !outer.contains(name) && !declared(name)).collect();
        Ok(Body { lists, needed, ..Body::new(code, Returns::Nothing) })
    }

    /// What an element of a list says: all that the action needs and nothing else says.
    fn element(
        &self,
        member: &PlannedRequest,
        outer: &[String],
        parameters: &[PatternParameter],
    ) -> Result<Element, Why> {
        let used = self.lowering(Scope::default()).requests(member)?.parameters();
        let is_put = matches!(member.action, PlannedAction::Put(_));
        let entity = member.entities.first().and_then(|name| self.model.entity(name));
        let is_said = |name: &String| used.contains(name) && !outer.contains(name);
        let chosen = parameters.iter().filter(|parameter| is_said(&parameter.name));
        let field = |parameter: &PatternParameter| {
            let attribute = entity.and_then(|entity| entity.attribute(&parameter.name));
            let is_required = !is_put || attribute.is_none_or(|attribute| attribute.required);
            Field { optional: !is_required, ..self.field(parameter) }
        };
        let fields: Vec<Field> = chosen.map(field).collect();
        Ok(Element { is_plain: fields.len() == 1 && !is_put, fields })
    }

    /// The requests for each element of a list, which becomes a parameter.
    fn for_each(
        &mut self,
        member: &PlannedRequest,
        list: &str,
        element: &Element,
        lists: &mut Vec<Field>,
    ) -> Result<Code, Why> {
        let scope = Scope { element: Some(element.clone()), copy: None };
        let body = self.lowering(scope).requests(member)?;
        let kind = match element.fields.as_slice() {
            [only] if element.is_plain => only.kind.clone(),
            fields => {
                let name = format!("{}{}", pascal(&self.pattern.name), pascal(list));
                let description = format!("An element of `{list}`.");
                self.add_record(Record {
                    name: name.clone(),
                    description,
                    fields: fields.to_vec(),
                });
                Kind::Record(name)
            }
        };
        if !lists.iter().any(|known| known.name == list) {
            lists.push(Field {
                name: list.to_owned(),
                kind: Kind::List(Box::new(kind)),
                optional: false,
                description: None,
            });
        }
        let over = Box::new(Code::Parameter(list.to_owned()));
        Ok(Code::ForEach { variable: Loop::Element, over, body: Box::new(body) })
    }

    /// Adds a record, or its members to one that is there.
    fn add_record(&mut self, record: Record) {
        let known = self.module.records.iter_mut().find(|known| known.name == record.name);
        match known {
            None => self.module.records.push(record),
            Some(known) => {
                for field in record.fields {
                    if !known.fields.iter().any(|other| other.name == field.name) {
                        known.fields.push(field);
                    }
                }
            }
        }
    }
}

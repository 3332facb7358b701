//! Writes.

use monotable_model::document::Entity;
use monotable_model::template::{Segment, ShardRule, Template};
use monotable_plan::{DeletePlan, DerivedEffect, DerivedKey, PutPlan, UpdatePlan, with_clauses};

use super::{Lowering, Members};
use crate::typed_code::code::Code;
use crate::typed_code::condition::condition;
use crate::typed_code::entity::SHARD;
use crate::typed_code::key::Why;
use crate::typed_code::kind::all_templates;
use crate::typed_code::own_key::checked;
use crate::typed_code::scope::Placeholders;

impl Lowering<'_> {
    pub(super) fn put(&self, plan: &PutPlan, entity: &Entity) -> Result<Members, Why> {
        let mut attributes = Members::new();
        for attribute in &entity.attributes {
            let said = plan.values.iter().find(|(name, _)| *name == attribute.name);
            let value = match (said, attribute.values.as_slice()) {
                (Some((_, source)), _) => self.scope.source(source),
                (None, [only]) => Code::Literal(only.clone()),
                (None, _) => self.scope.parameter(&attribute.name),
            };
            attributes.push((attribute.name.clone(), value));
        }
        if all_templates(entity).any(has_chosen_shard) {
            attributes.push((SHARD.to_owned(), self.scope.parameter(SHARD)));
        }
        let entity = entity.name.clone();
        let record = Code::Entity { entity: entity.clone(), attributes };
        let item = Code::Operation { entity, operation: "item", arguments: vec![record] };
        let mut members = vec![("Item".to_owned(), item)];
        let mut placeholders = Placeholders::default();
        if let Some(condition) = &plan.condition {
            let text = placeholders.bind(condition, &self.scope);
            members.push(("ConditionExpression".to_owned(), placeholders.text(&text)));
        }
        members.extend(placeholders.members());
        Ok(members)
    }

    pub(super) fn delete(&self, plan: &DeletePlan, entity: &Entity) -> Result<Members, Why> {
        let mut members = vec![("Key".to_owned(), self.key(&plan.key, entity)?)];
        let mut placeholders = Placeholders::default();
        if let Some(condition) = &plan.condition {
            let text = placeholders.bind(condition, &self.scope);
            members.push(("ConditionExpression".to_owned(), placeholders.text(&text)));
        }
        members.extend(placeholders.members());
        Ok(members)
    }

    /// An update with the keys of indexes that change with it; where a condition decides whether
    /// the item stays in an index, one update for each case.
    pub(super) fn update(
        &self,
        plan: &UpdatePlan,
        entity: &Entity,
        head: &Members,
    ) -> Result<Code, Why> {
        self.decided(plan, entity, head, &mut Vec::new())
    }

    fn decided(
        &self,
        plan: &UpdatePlan,
        entity: &Entity,
        head: &Members,
        decisions: &mut Vec<bool>,
    ) -> Result<Code, Why> {
        let open = |key: &&DerivedKey| key.effect == DerivedEffect::SetOrRemove;
        let next = plan.derived.iter().filter(open).nth(decisions.len());
        let Some(next) = next else { return self.update_with(plan, entity, head, decisions) };
        let condition = self.holds_after(entity, next)?;
        let mut branch = |is_set| {
            decisions.push(is_set);
            let built = self.decided(plan, entity, head, decisions);
            decisions.pop();
            built
        };
        Ok(Code::choose(condition, branch(true)?, branch(false)?))
    }

    fn holds_after(&self, entity: &Entity, key: &DerivedKey) -> Result<Code, Why> {
        let Some(when) = &key.keys.when else { return Ok(Code::All(Vec::new())) };
        condition(when, entity, &|name| {
            let known = key.known.iter().find(|(known, _)| known == name);
            known.map_or(Code::Absent, |(_, source)| self.scope.source(source))
        })
    }

    fn update_with(
        &self,
        plan: &UpdatePlan,
        entity: &Entity,
        head: &Members,
        decisions: &[bool],
    ) -> Result<Code, Why> {
        let mut placeholders = Placeholders::default();
        let update = placeholders.bind(&plan.change, &self.scope);
        for own in &plan.own_keys {
            let given = self.scope.source(&own.given);
            let built = self.text_of(&own.part.text, &[entity])?;
            let compared = checked(&own.part.attribute, given.clone(), built);
            placeholders.replace_value(&given, &compared);
        }
        let mut condition = plan.condition.as_ref().map(|one| placeholders.bind(one, &self.scope));
        let (mut sets, mut removes, mut decided) = (Vec::new(), Vec::new(), decisions.iter());
        for key in &plan.derived {
            let is_set = match key.effect {
                DerivedEffect::Set => true,
                DerivedEffect::Remove => false,
                DerivedEffect::SetOrRemove => decided.next().copied().unwrap_or(false),
            };
            for part in &key.parts {
                let name = placeholders.name(&part.attribute);
                if is_set {
                    let value = placeholders.value(self.text_of(&part.text, &[entity])?);
                    sets.push(format!("{name} = {value}"));
                } else {
                    removes.push(name);
                }
            }
        }
        if let Some(lock) = &plan.lock {
            let name = placeholders.name(&lock.attribute);
            let read = placeholders.value(self.scope.source(&lock.read));
            let one = placeholders.number(1);
            sets.push(format!("{name} = {name} + {one}"));
            let others = condition.map(|one| format!("({one}) AND ")).unwrap_or_default();
            condition = Some(format!("{others}{name} = {read}"));
        }
        let update = with_clauses(&with_clauses(&update, "SET", &sets), "REMOVE", &removes);
        let mut members = head.clone();
        members.push(("Key".to_owned(), self.key(&plan.key, entity)?));
        members.push(("UpdateExpression".to_owned(), placeholders.text(&update)));
        let condition = condition.map(|text| placeholders.text(&text));
        members.extend(condition.map(|text| ("ConditionExpression".to_owned(), text)));
        members.extend(placeholders.members());
        Ok(Code::Map(vec![("Update".to_owned(), Code::Map(members))]))
    }
}

fn has_chosen_shard(template: &Template) -> bool {
    template.segments().iter().any(|segment| match segment {
        Segment::Shard(shard) => *shard.rule() == ShardRule::Chosen,
        Segment::Literal(_) | Segment::Attribute(_) => false,
    })
}

//! What the rows of a function are.

use monotable_model::document::{Entity, Expression};
use monotable_model::template::Segment;
use monotable_plan::{PlannedAction, PlannedRequest};

use super::{Row, RowUnion, Writer};
use crate::case::pascal;
use crate::typed_code::key::Why;
use crate::typed_code::type_name::free;

impl Writer<'_, '_> {
    /// What a row of these reads is.
    pub(super) fn row(
        &mut self,
        steps: &[PlannedRequest],
        leaks: Option<bool>,
    ) -> Result<Row, Why> {
        let mut entities: Vec<String> = Vec::new();
        for entity in steps.iter().flat_map(|step| &step.entities) {
            if !entities.contains(entity) {
                entities.push(entity.clone());
            }
        }
        let is_part = steps.iter().any(|step| projection(&step.action).is_some());
        for entity in &entities {
            let described = self.module.entities.iter().find(|one| one.entity.name == *entity);
            if described.is_none_or(|one| one.operations.is_none()) {
                return Err(format!("{entity} has no operations"));
            }
        }
        Ok(match (entities.as_slice(), is_part) {
            ([only], true) => Row::Part(only.clone()),
            (_, true) => Row::Stored,
            ([only], false) => {
                Row::Entity { entity: only.clone(), checked: leaks.unwrap_or(false) }
            }
            (_, false) => Row::Union(self.union(entities)),
        })
    }

    fn union(&mut self, mut entities: Vec<String>) -> String {
        entities.sort_by_key(|name| {
            std::cmp::Reverse(self.model.entity(name).map_or(0, literal_length))
        });
        let known = self.module.unions.iter().find(|union| union.entities == entities);
        if let Some(union) = known {
            return union.name.clone();
        }
        let records = self.module.records.iter().map(|record| &record.name);
        let unions = self.module.unions.iter().map(|union| &union.name);
        let mut taken: Vec<String> = records.chain(unions).cloned().collect();
        let name = free(format!("{}Row", pascal(&self.pattern.name)), &mut taken);
        self.module.unions.push(RowUnion { name: name.clone(), entities });
        name
    }
}

/// How much of an entity's keys is always the same: keys with more of it are the more special ones.
fn literal_length(entity: &Entity) -> usize {
    let templates = entity.key.iter().flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    let segments = templates.flat_map(|template| template.segments());
    segments
        .map(|segment| match segment {
            Segment::Literal(text) => text.len(),
            Segment::Attribute(_) | Segment::Shard(_) => 0,
        })
        .sum()
}

fn projection(action: &PlannedAction) -> Option<&Expression> {
    match action {
        PlannedAction::Get(plan) => plan.project.as_ref(),
        PlannedAction::Query(plan) => plan.project.as_ref(),
        PlannedAction::Scan(plan) => plan.project.as_ref(),
        PlannedAction::Put(_)
        | PlannedAction::Update(_)
        | PlannedAction::Delete(_)
        | PlannedAction::Check(_)
        | PlannedAction::Fetch
        | PlannedAction::BatchGet(_)
        | PlannedAction::BatchWrite(_)
        | PlannedAction::TransactGet(_)
        | PlannedAction::TransactWrite(_) => None,
    }
}

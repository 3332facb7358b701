//! The keys that the model can make, and those that recorded requests ask for.

use monotable_expr::{KeyComparison, KeyCondition};
use monotable_model::diagnostic::Place;
use monotable_model::document::{Entity, Keys, Model};
use monotable_model::template::{Domains, KeySet, Template};

use super::request_part::{PartKind, RequestPart};

/// What a recorded request asks of the keys of something that the model knows.
pub(super) struct KeyRange<'a> {
    pub(super) part: RequestPart<'a>,
    pub(super) condition: KeyCondition,
    model: &'a Model,
}

impl<'a> KeyRange<'a> {
    /// The range that a query asks for, or the key of the item that is meant, if it can be read.
    pub(super) fn of(model: &'a Model, part: &RequestPart<'a>) -> Option<KeyRange<'a>> {
        let condition = match part.kind {
            PartKind::Query => part.key_condition()?.ok()?,
            PartKind::Get
            | PartKind::Put
            | PartKind::Update
            | PartKind::Delete
            | PartKind::Check => KeyCondition::of_comparisons(
                part.item_key()?
                    .into_iter()
                    .map(|(name, value)| (name, KeyComparison::Equal(value)))
                    .collect(),
            ),
            PartKind::Scan => return None,
        };
        let keys = part.key_attributes();
        let is_key = |name: &str| keys.iter().any(|key| key.name == name);
        let known = condition.comparisons().iter().all(|(name, _)| is_key(name));
        (known && !keys.is_empty()).then(|| KeyRange { part: part.clone(), condition, model })
    }

    /// The entities whose items are in what is queried, with their keys there.
    pub(super) fn entities(&self) -> Vec<(&'a Entity, &'a Keys)> {
        let Some(table) = self.part.table else { return Vec::new() };
        let index = self.part.index.map(|index| index.name.as_str());
        let entities = self.model.entities_in(table);
        let keyed = entities.filter_map(|entity| match index {
            None => Some((entity, entity.key.as_ref()?)),
            Some(index) => Some((entity, &entity.index_key(index)?.keys)),
        });
        keyed.collect()
    }

    /// Whether an item of these keys can lie in the range.
    pub(super) fn can_hold(&self, keys: &Keys) -> bool {
        self.pairs(keys).all(|(template, comparison)| can_be(template, comparison))
    }

    /// Each key that has a condition, with its template.
    pub(super) fn pairs<'s>(
        &'s self,
        keys: &'s Keys,
    ) -> impl Iterator<Item = (&'s Template, &'s KeyComparison)> {
        let attributes = self.part.key_attributes().into_iter();
        let templates = keys.partition.iter().chain(&keys.sort);
        attributes.zip(templates).filter_map(|(attribute, template)| {
            Some((template, self.condition.comparison(&attribute.name)?))
        })
    }
}

impl KeyRange<'_> {
    /// The member of the request that says what is asked.
    pub(super) fn place(&self) -> Place {
        let member = match self.part.kind {
            PartKind::Query | PartKind::Scan => "KeyConditionExpression",
            PartKind::Put => "Item",
            PartKind::Get | PartKind::Update | PartKind::Delete | PartKind::Check => "Key",
        };
        self.part.place.member(member)
    }
}

/// Whether a template can give a key that meets a comparison.
pub(super) fn can_be(template: &Template, comparison: &KeyComparison) -> bool {
    !KeySet::new(template, &Domains::new()).within(comparison).is_never()
}

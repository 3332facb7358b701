//! The entities of a table, found by the bytes of a key.
//!
//! Entities that share a template of the partition key are matched against it once. Most keys are
//! decided by the literals that they begin with, before any part is looked at.

use monotable_model::document::{Entity, Model, Table};
use monotable_model::template::Template;

use crate::call::KeyBytes;
use crate::key_form::{HeadBytes, KeyForm};

/// How many candidates take no memory of their own.
const INLINE_MAX: usize = 8;

/// See the module.
#[derive(Debug)]
pub(crate) struct EntityForms {
    partitions: Vec<PartitionForm>,
    /// By the numbers of entities, where the forms of those are whose keys no other entity can
    /// have: the position of the partition key, then that of the sort key below it.
    alone: Vec<Option<(usize, usize)>>,
}

#[derive(Debug)]
struct PartitionForm {
    template: Template,
    form: KeyForm,
    sorts: Vec<SortForm>,
}

#[derive(Debug)]
struct SortForm {
    /// None in a table without a sort key.
    form: Option<KeyForm>,
    /// The number of the entity in its model.
    entity: u16,
    /// Whether no other entity can have its keys.
    is_alone: bool,
}

/// The entities that a key can belong to, by their numbers in the model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Candidates {
    first: [u16; INLINE_MAX],
    count: usize,
    /// All of them, once they are more.
    many: Vec<u16>,
}

impl PartialEq for Candidates {
    #[inline]
    fn eq(&self, other: &Candidates) -> bool {
        match (self.only(), other.only()) {
            (Some(own), Some(other)) => own == other,
            (None, None) => self.all() == other.all(),
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

impl Candidates {
    /// This entity alone.
    pub(crate) fn of(entity: u16) -> Candidates {
        let mut candidates = Candidates::default();
        candidates.add(entity);
        candidates
    }

    #[inline]
    pub(crate) fn add(&mut self, entity: u16) {
        match self.first.get_mut(self.count) {
            Some(place) => *place = entity,
            None => self.add_to_many(entity),
        }
        self.count += 1;
    }

    #[cold]
    fn add_to_many(&mut self, entity: u16) {
        if self.many.is_empty() {
            self.many.extend(self.first);
        }
        self.many.push(entity);
    }

    /// All of them, in no order.
    #[inline]
    pub(crate) fn all(&self) -> &[u16] {
        self.first.get(..self.count).unwrap_or(&self.many)
    }

    /// The entity, if there is only one.
    #[inline]
    pub(crate) fn only(&self) -> Option<u16> {
        match self.all() {
            [entity] => Some(*entity),
            _ => None,
        }
    }
}

impl EntityForms {
    pub(crate) fn new(model: &Model, table: &Table) -> EntityForms {
        let mut partitions: Vec<PartitionForm> = Vec::new();
        for (number, entity) in entities_in(model, table) {
            let Some(keys) = &entity.key else { continue };
            let Some(partition) = keys.partition.first() else { continue };
            let form = keys.sort.first().map(KeyForm::of_template);
            let sort = SortForm { form, entity: number, is_alone: false };
            match partitions.iter_mut().find(|known| known.template == *partition) {
                Some(known) => known.sorts.push(sort),
                None => partitions.push(PartitionForm {
                    template: partition.clone(),
                    form: KeyForm::of_template(partition),
                    sorts: vec![sort],
                }),
            }
        }
        let mut forms = EntityForms { partitions, alone: Vec::new() };
        forms.find_alone();
        forms
    }

    /// Finds the entities whose keys begin unlike those of all others.
    fn find_alone(&mut self) {
        let pairs = |forms: &EntityForms| -> Vec<(KeyForm, Option<KeyForm>)> {
            let of = |one: &PartitionForm| {
                let (partition, sorts) = (one.form.clone(), one.sorts.iter());
                sorts.map(|sort| (partition.clone(), sort.form.clone())).collect::<Vec<_>>()
            };
            forms.partitions.iter().flat_map(of).collect()
        };
        let all = pairs(self);
        let excludes = |a: &(KeyForm, Option<KeyForm>), b: &(KeyForm, Option<KeyForm>)| {
            let sorts = a.1.as_ref().zip(b.1.as_ref());
            a.0.excludes(&b.0) || sorts.is_some_and(|(a, b)| a.excludes(b))
        };
        let mut place = 0;
        for (at, partition) in self.partitions.iter_mut().enumerate() {
            for (sort_at, sort) in partition.sorts.iter_mut().enumerate() {
                let Some(own) = all.get(place) else { continue };
                let mut others = all.iter().enumerate().filter(|(other, _)| *other != place);
                sort.is_alone = others.all(|(_, other)| excludes(own, other));
                let entity = usize::from(sort.entity);
                self.alone.resize(self.alone.len().max(entity + 1), None);
                if let Some(known) = self.alone.get_mut(entity) {
                    *known = sort.is_alone.then_some((at, sort_at));
                }
                place += 1;
            }
        }
    }

    /// Returns whether a key is one of this entity's, which no other entity can have. It is the
    /// short way to [`candidates`](EntityForms::candidates) for those who expect the answer.
    #[inline]
    pub(crate) fn is_only(
        &self,
        entity: u16,
        partition: KeyBytes<'_>,
        sort: Option<KeyBytes<'_>>,
    ) -> bool {
        let place = self.alone.get(usize::from(entity)).copied().flatten();
        let Some((at, sort_at)) = place else { return false };
        let Some(own) = self.partitions.get(at) else { return false };
        let Some(own_sort) = own.sorts.get(sort_at) else { return false };
        own.form.matches(partition) && own_sort.fits(sort)
    }

    /// The entities whose templates can have built a key.
    pub(crate) fn candidates(
        &self,
        partition: KeyBytes<'_>,
        sort: Option<KeyBytes<'_>>,
    ) -> Candidates {
        let mut candidates = Candidates::default();
        let head = HeadBytes::of_key(partition);
        let sort_head = sort.map_or(HeadBytes::NONE, HeadBytes::of_key);
        for form in &self.partitions {
            if !form.form.matches_headed(partition, head) {
                continue;
            }
            for one in &form.sorts {
                if one.fits_headed(sort, sort_head) {
                    candidates.add(one.entity);
                    if one.is_alone {
                        return candidates;
                    }
                }
            }
        }
        candidates
    }
}

impl SortForm {
    /// Returns whether a sort key has this form.
    #[inline]
    fn fits(&self, sort: Option<KeyBytes<'_>>) -> bool {
        self.fits_headed(sort, sort.map_or(HeadBytes::NONE, HeadBytes::of_key))
    }

    /// The same for a sort key whose first bytes are at hand.
    #[inline]
    fn fits_headed(&self, sort: Option<KeyBytes<'_>>, head: HeadBytes) -> bool {
        match (&self.form, sort) {
            (Some(form), Some(sort)) => form.matches_headed(sort, head),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

/// The entities of a table with their numbers in the model.
pub(crate) fn entities_in<'m>(
    model: &'m Model,
    table: &'m Table,
) -> impl Iterator<Item = (u16, &'m Entity)> {
    let numbered = (0..=u16::MAX).zip(&model.entities);
    numbered.filter(|(_, entity)| entity.tables.contains(&table.name))
}

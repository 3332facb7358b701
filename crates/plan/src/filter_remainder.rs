//! What the caller knows and a key condition does not say.

use monotable_model::document::{
    AttributeFormat, Entity, Expression, Pattern, Range, RangeComparison,
};
use monotable_model::template::{Bucket, Form, TimeForm};

use super::reason::Reason;
use super::request_plan::{AddedFilter, FilterComparison, filter_parts};
use super::route::Route;
use super::sort_key::{RangeUse, SortKey};
use super::sparseness::settles;
use super::wanted_group::WantedEntity;

/// What is left for a filter, and why.
#[derive(Debug, Clone, Default)]
pub(super) struct FilterRemainder {
    pub(super) filters: Vec<AddedFilter>,
    pub(super) reasons: Vec<Reason>,
}

/// What a query says about one entity.
#[derive(Debug)]
pub(super) struct EntityCondition<'a> {
    pub(super) pattern: &'a Pattern,
    /// Which items of the entity are in the index, if not all.
    pub(super) when: Option<&'a Expression>,
    /// The sort key attributes that were considered, the last of which has the condition.
    pub(super) sort_keys: &'a [SortKey],
    /// Whether the condition returns of this entity only what the sort key says.
    pub(super) is_exact: bool,
}

impl FilterRemainder {
    /// Adds what is left over of an entity.
    pub(super) fn add(&mut self, wanted: &WantedEntity<'_>, condition: &EntityCondition<'_>) {
        self.add_known(wanted, condition);
        self.add_range(wanted, condition);
        let constrains = condition
            .sort_keys
            .last()
            .is_some_and(|key| !key.uses.is_empty() || key.range_use != RangeUse::None);
        if !condition.is_exact && constrains {
            self.reason(Reason::NotContiguous { entity: wanted.entity.name.clone() });
        }
    }

    fn add_known(&mut self, wanted: &WantedEntity<'_>, condition: &EntityCondition<'_>) {
        let placed: Vec<&str> = wanted.place_parts().map(|part| part.path.root.as_str()).collect();
        for known in &condition.pattern.by {
            let Some(attribute) = wanted.entity.attribute(&known.attribute) else { continue };
            let name = known.attribute.as_str();
            if placed.contains(&name) || condition.says(name) || condition.filters(name) {
                continue;
            }
            if condition.when.is_some_and(|when| settles(when, attribute, &known.source)) {
                continue;
            }
            if condition.is_exact || !condition.uses(name) {
                self.reason(not_in_condition(wanted, condition, name));
            }
            self.filter(attribute.item_name(), FilterComparison::Equal(known.source.clone()));
        }
    }

    fn add_range(&mut self, wanted: &WantedEntity<'_>, condition: &EntityCondition<'_>) {
        let Some(range) = &condition.pattern.range else { return };
        let Some(attribute) = wanted.entity.attribute(&range.attribute) else { return };
        let uses = condition.sort_keys.iter().map(|key| key.range_use);
        let best = uses.max_by_key(|range_use| range_use.rank()).unwrap_or(RangeUse::None);
        let whole_periods = is_of_whole_periods(wanted.entity, range);
        let by_partition = whole_periods && has_period(wanted, range);
        let is_stated = match best {
            RangeUse::Exact => condition.is_exact,
            RangeUse::Coarse => condition.is_exact && whole_periods,
            RangeUse::None => by_partition,
        };
        if is_stated {
            return;
        }
        match best {
            RangeUse::Exact => {}
            RangeUse::Coarse => self.reason(coarse(wanted, range)),
            RangeUse::None if has_period(wanted, range) => self.reason(coarse(wanted, range)),
            RangeUse::None => self.reason(unused(wanted, condition, range)),
        }
        let comparison = FilterComparison::Range(range.comparison.clone());
        self.filter(attribute.item_name(), comparison);
    }

    fn filter(&mut self, attribute: &str, comparison: FilterComparison) {
        let attribute = attribute.to_owned();
        let filter = AddedFilter { attribute, comparison, passes_without: false };
        if !self.filters.contains(&filter) {
            self.filters.push(filter);
        }
    }

    fn reason(&mut self, reason: Reason) {
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    /// Lets items pass that lack an attribute which some wanted entity does not have.
    pub(super) fn pass_others(&mut self, entities: &[WantedEntity<'_>]) {
        for filter in &mut self.filters {
            let has = |wanted: &WantedEntity<'_>| has_stored(wanted.entity, &filter.attribute);
            filter.passes_without = !entities.iter().all(has);
        }
    }

    /// Why the route cannot filter by what is left.
    pub(super) fn obstacles(&self, route: Route<'_>) -> Vec<Reason> {
        self.filters.iter().filter_map(|filter| obstacle(route, &filter.attribute)).collect()
    }
}

/// Why a filter on a route cannot name an attribute.
pub(super) fn obstacle(route: Route<'_>, stored_name: &str) -> Option<Reason> {
    let attribute = stored_name.to_owned();
    match () {
        () if route.is_key(stored_name) => Some(Reason::FilterOnKey { attribute }),
        () if route.is_global() && !route.holds(stored_name) => {
            Some(Reason::FilterNotProjected { attribute })
        }
        () => None,
    }
}

fn has_stored(entity: &Entity, stored_name: &str) -> bool {
    entity.attributes.iter().any(|attribute| attribute.item_name() == stored_name)
}

impl EntityCondition<'_> {
    /// Returns whether the sort key up to the condition makes use of an attribute.
    fn uses(&self, name: &str) -> bool {
        self.sort_keys.iter().any(|key| key.uses.iter().any(|used| used == name))
    }

    /// Returns whether the pattern's own filter is about an attribute, whatever is left out of it.
    fn filters(&self, name: &str) -> bool {
        let parts = self.pattern.filter.iter().flat_map(|one| filter_parts(self.pattern, one));
        let mut sent = parts.filter(|part| part.optional.is_empty());
        sent.any(|part| part.expression.attributes.iter().any(|filtered| filtered == name))
    }

    /// Returns whether the condition says the attribute's value. Leading attributes are always
    /// equalities.
    fn says(&self, name: &str) -> bool {
        let leading = self.sort_keys.len().saturating_sub(1);
        let considered = if self.is_exact { self.sort_keys.len() } else { leading };
        let keys = self.sort_keys.iter().take(considered);
        keys.flat_map(|key| &key.uses).any(|used| used == name)
    }
}

impl RangeUse {
    fn rank(self) -> usize {
        match self {
            RangeUse::None => 0,
            RangeUse::Coarse => 1,
            RangeUse::Exact => 2,
        }
    }
}

fn not_in_condition(
    wanted: &WantedEntity<'_>,
    condition: &EntityCondition<'_>,
    name: &str,
) -> Reason {
    let (entity, attribute) = (wanted.entity.name.clone(), name.to_owned());
    let mut paths = wanted.keys.sort.iter().flat_map(|template| template.paths());
    let next = condition.sort_keys.last().and_then(|key| key.next.clone());
    match next {
        Some(missing) if paths.any(|path| path.root == name) => {
            Reason::Gap { entity, attribute, missing }
        }
        Some(_) | None => Reason::NotInKey { entity, attribute },
    }
}

fn unused(wanted: &WantedEntity<'_>, condition: &EntityCondition<'_>, range: &Range) -> Reason {
    let (entity, attribute) = (wanted.entity.name.clone(), range.attribute.clone());
    let last = condition.sort_keys.last();
    match last.and_then(|key| key.fault) {
        Some(fault) => Reason::RangeUseless { entity, attribute, fault },
        None => {
            let next = last.and_then(|key| key.next.clone());
            Reason::RangeNotNext { entity, attribute, next }
        }
    }
}

fn coarse(wanted: &WantedEntity<'_>, range: &Range) -> Reason {
    Reason::RangeCoarse { entity: wanted.entity.name.clone(), attribute: range.attribute.clone() }
}

/// Returns whether the partition key, or the name of the table, holds a period of the range's
/// attribute.
fn has_period(wanted: &WantedEntity<'_>, range: &Range) -> bool {
    wanted.place_parts().any(|part| {
        part.path.to_string() == range.attribute
            && matches!(part.encoding.form(), Form::Time(TimeForm::Bucket(..)))
    })
}

/// Returns whether the range is of days, both ends included, and keys hold days.
fn is_of_whole_periods(entity: &Entity, range: &Range) -> bool {
    let attribute = entity.attribute(&range.attribute);
    let is_date = attribute.is_some_and(|found| found.format == Some(AttributeFormat::Date));
    let includes_ends = match range.comparison {
        RangeComparison::Less(_) | RangeComparison::Greater(_) => false,
        RangeComparison::LessOrEqual(_)
        | RangeComparison::GreaterOrEqual(_)
        | RangeComparison::Between(..)
        | RangeComparison::BeginsWith(_) => true,
    };
    is_date && includes_ends && has_day(entity, &range.attribute)
}

fn has_day(entity: &Entity, attribute: &str) -> bool {
    let keys = entity.key.iter().chain(entity.indexes.iter().map(|index| &index.keys));
    let mut parts = keys
        .flat_map(|keys| keys.partition.iter().chain(&keys.sort))
        .flat_map(|template| template.attributes());
    parts.any(|part| {
        part.path.to_string() == attribute
            && matches!(part.encoding.form(), Form::Time(TimeForm::Bucket(Bucket::Day, _)))
    })
}

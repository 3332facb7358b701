//! Candidates: what a table or index can do for a query.

use monotable_model::document::{Entity, KeyAttribute, Model, Order, Pattern};
use monotable_model::template::Template;

use super::collection::{Collection, Member, Role};
use super::colocated_entity::{ColocatedEntity, QueriedPartition, extent};
use super::filter_remainder::{EntityCondition, FilterRemainder, obstacle};
use super::interval::{Interval, Share};
use super::key_text::KeyText;
use super::order::Relation;
use super::period_table::{PeriodTable, period_table};
use super::reason::Reason;
use super::request_plan::{FanOut, FilterPlan, KeyPart, QueryPlan};
use super::route::Route;
use super::selection::{Claim, Others, Selection, select};
use super::sort_key::{RangeUse, SortKey, sort_key};
use super::sparseness::sparseness;
use super::wanted_group::{WantedEntity, WantedGroup, wanted_groups};

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search<'a, 'm> {
    pub(super) model: &'m Model,
    pub(super) pattern: &'a Pattern,
    pub(super) wanted: &'a [&'m Entity],
}

/// A table or index that serves a query.
#[derive(Debug, Clone)]
pub(super) struct Candidate<'m> {
    pub(super) route: Route<'m>,
    /// One query for each partition key.
    pub(super) queries: Vec<PlannedQuery>,
    /// What the key conditions do not say, and what the index lacks.
    pub(super) shortfalls: Vec<Reason>,
    /// Wanted attributes that are not here.
    pub(super) missing: Vec<String>,
    /// Which of the tables for periods is read.
    pub(super) period_table: PeriodTable,
}

/// A query of one partition key.
#[derive(Debug, Clone)]
pub(super) struct PlannedQuery {
    pub(super) entities: Vec<String>,
    pub(super) plan: QueryPlan,
    pub(super) fan_out: Vec<FanOut>,
}

/// Smaller is better; see the design note for why in this order.
type Rank = (usize, usize, usize, u64, usize, usize, usize);

impl Candidate<'_> {
    pub(super) fn rank(&self) -> Rank {
        let filters: usize = self.queries.iter().map(|query| query.plan.filter.added.len()).sum();
        let leaks = self.queries.iter().map(|query| query.plan.collection.leaks().count()).sum();
        // Periods count as two: how many there are depends on the range.
        let fan_out = |query: &PlannedQuery| -> u64 {
            query.fan_out.iter().map(|fan_out| fan_out.count().unwrap_or(2)).product()
        };
        let requests = self.queries.iter().map(fan_out).sum();
        let projection = self.route.projection_rank();
        let lacking =
            self.shortfalls.iter().filter(|one| matches!(one, Reason::Unsorted { .. })).count();
        let kind = self.route.kind_rank();
        (lacking, filters, leaks, requests, kind, self.missing.len(), projection)
    }
}

impl<'m> Search<'_, 'm> {
    /// What a route does for the pattern, or all reasons why it does nothing.
    pub(super) fn consider(&self, route: Route<'m>) -> Result<Candidate<'m>, Vec<Reason>> {
        let mut reasons = self.obstacles(route);
        if reasons.is_empty() {
            let groups = wanted_groups(route, self.wanted, self.pattern)?;
            let period_table = self.period_table(route).map_err(|reason| vec![reason])?;
            let (queries, shortfalls) = self.queries(route, &groups, &mut reasons);
            if reasons.is_empty() {
                let missing = self.missing(route);
                return Ok(Candidate { route, queries, shortfalls, missing, period_table });
            }
        }
        Err(reasons)
    }

    /// Which of the tables for periods is read. All entities of such a table have the attribute
    /// that names it, so what is known of one is known of all.
    pub(super) fn period_table(&self, route: Route<'m>) -> Result<PeriodTable, Reason> {
        match self.wanted.first() {
            Some(entity) => {
                let Pattern { by, range, .. } = self.pattern;
                period_table(route.table, entity, by, range.as_ref())
            }
            None => Ok(PeriodTable::default()),
        }
    }

    /// Why a route cannot even be scanned.
    pub(super) fn scan_obstacles(&self, route: Route<'m>) -> Vec<Reason> {
        let mut reasons = self.obstacles(route);
        if reasons.is_empty() {
            let entities = self.wanted.iter().filter_map(|entity| {
                let keys = route.keys_of(entity)?;
                let bindings = super::bindings::Bindings::default();
                Some(WantedEntity { entity, keys, table: route.table, bindings })
            });
            reasons.extend(entities.filter_map(|wanted| sparseness(route, &wanted, self.pattern)));
            reasons.extend(self.period_table(route).err());
        }
        reasons
    }

    /// Reasons that have nothing to do with keys.
    fn obstacles(&self, route: Route<'m>) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if self.pattern.consistent && route.is_global() {
            reasons.push(Reason::ConsistentOnGlobalIndex);
        }
        for entity in self.wanted {
            reasons.extend(absence(route, entity));
        }
        reasons.extend(self.filter_obstacles(route));
        reasons
    }

    fn filter_obstacles(&self, route: Route<'m>) -> Vec<Reason> {
        let names = self.pattern.filter.iter().flat_map(|filter| &filter.attributes);
        names.filter_map(|name| obstacle(route, &self.stored_name(name))).collect()
    }

    fn stored_name(&self, name: &str) -> String {
        let attribute = self.wanted.iter().find_map(|entity| entity.attribute(name));
        attribute.map_or(name, |attribute| attribute.item_name()).to_owned()
    }

    /// The wanted attributes that items do not have here.
    pub(super) fn missing(&self, route: Route<'m>) -> Vec<String> {
        let mut names: Vec<String> = match &self.pattern.project {
            Some(project) => project.attributes.iter().map(|name| self.stored_name(name)).collect(),
            None => {
                let attributes = self.wanted.iter().flat_map(|entity| &entity.attributes);
                attributes.map(|attribute| attribute.item_name().to_owned()).collect()
            }
        };
        names.retain(|name| !route.holds(name));
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(name.clone()));
        names
    }

    fn queries(
        &self,
        route: Route<'m>,
        groups: &[WantedGroup<'m>],
        reasons: &mut Vec<Reason>,
    ) -> (Vec<PlannedQuery>, Vec<Reason>) {
        let mut queries = Vec::new();
        let mut shortfalls = Vec::new();
        for group in groups {
            let lacks =
                group.entities.iter().filter_map(|wanted| sparseness(route, wanted, self.pattern));
            let (obstacles, lacks): (Vec<Reason>, Vec<Reason>) =
                lacks.partition(Reason::is_obstacle);
            reasons.extend(obstacles);
            shortfalls.extend(lacks);
            let (query, remainder) = GroupQuery::new(*self, route, group).planned();
            let obstacles = remainder.obstacles(route);
            if !obstacles.is_empty() {
                reasons.extend(remainder.reasons.iter().cloned().chain(obstacles));
            }
            shortfalls.extend(remainder.reasons);
            queries.push(query);
        }
        (queries, shortfalls)
    }
}

/// Why an entity's items are not on a route.
fn absence(route: Route<'_>, entity: &Entity) -> Option<Reason> {
    let name = entity.name.clone();
    match () {
        () if entity.is_embedded() => Some(Reason::Embedded { entity: name }),
        () if !entity.tables.contains(&route.table.name) => {
            Some(Reason::NotInTable { entity: name })
        }
        () if route.keys_of(entity).is_none() => Some(Reason::NotInIndex { entity: name }),
        () => None,
    }
}

/// The query of one group, while it is put together.
struct GroupQuery<'a, 'm> {
    search: Search<'a, 'm>,
    route: Route<'m>,
    group: &'a WantedGroup<'m>,
    /// The sort key attributes that all entities know wholly, and their texts.
    leading: Vec<KeyPart>,
    /// For each wanted, its sort keys up to the one with the condition.
    sort_keys: Vec<Vec<SortKey>>,
    /// The attribute with the condition.
    sort_attribute: Option<&'m KeyAttribute>,
}

impl<'a, 'm> GroupQuery<'a, 'm> {
    fn new(
        search: Search<'a, 'm>,
        route: Route<'m>,
        group: &'a WantedGroup<'m>,
    ) -> GroupQuery<'a, 'm> {
        let mut query = GroupQuery {
            search,
            route,
            group,
            leading: Vec::new(),
            sort_keys: vec![Vec::new(); group.entities.len()],
            sort_attribute: None,
        };
        let attributes = route.sort_key();
        for (position, attribute) in attributes.iter().enumerate() {
            query.add_sort_keys(position);
            query.sort_attribute = Some(attribute);
            let is_last = position + 1 == attributes.len();
            match query.shared_text() {
                Some(text) if !is_last => {
                    query.leading.push(KeyPart { attribute: attribute.name.clone(), text });
                }
                Some(_) | None => break,
            }
        }
        query
    }

    fn add_sort_keys(&mut self, position: usize) {
        let range = self.search.pattern.range.as_ref();
        for (wanted, sort_keys) in self.group.entities.iter().zip(&mut self.sort_keys) {
            let template = wanted.keys.sort.get(position);
            sort_keys.extend(template.map(|template| sort_key(template, &wanted.bindings, range)));
        }
    }

    /// The one sort key that all entities have, if it is wholly known.
    fn shared_text(&self) -> Option<KeyText> {
        let mut texts = self.sort_keys.iter().map(|keys| keys.last()?.interval.single());
        let first = texts.next()??;
        let is_same = |text: Option<&KeyText>| {
            text.is_some_and(|text| text.relation(first) == Relation::Same)
        };
        texts.all(is_same).then(|| first.clone())
    }

    fn planned(&self) -> (PlannedQuery, FilterRemainder) {
        let leading: Vec<KeyText> = self.leading.iter().map(|part| part.text.clone()).collect();
        let domains = self.group.domains();
        let queried =
            QueriedPartition { partition: &self.group.partition, leading: &leading, domains };
        let colocated =
            queried.colocated_entities(self.search.model, self.route, &self.group.names());
        let claims = self.claims();
        let selection = select(&claims, &Others { queried: &queried, colocated: &colocated });
        let mut remainder = FilterRemainder::default();
        let entities = self.group.entities.iter();
        for ((wanted, sort_keys), exact) in entities.zip(&self.sort_keys).zip(&selection.exact) {
            let when = self.route.when_of(wanted.entity);
            let condition =
                EntityCondition { pattern: self.search.pattern, when, sort_keys, is_exact: *exact };
            remainder.add(wanted, &condition);
        }
        remainder.pass_others(&self.group.entities);
        let mut filter = FilterPlan::declared(self.search.pattern);
        filter.added = remainder.filters.clone();
        let collection = self.collection(&colocated, &claims, &selection);
        (self.assemble(filter, collection, selection), remainder)
    }

    fn assemble(
        &self,
        filter: FilterPlan,
        collection: Collection,
        selection: Selection,
    ) -> PlannedQuery {
        let pattern = self.search.pattern;
        let parts = self.route.partition_key().iter().zip(&self.group.partition);
        let attribute = self.sort_attribute.map(|attribute| attribute.name.clone());
        let plan = QueryPlan {
            partition: parts
                .map(|(key, text)| KeyPart { attribute: key.name.clone(), text: text.clone() })
                .collect(),
            leading: self.leading.clone(),
            sort: attribute.zip(selection.condition),
            filter,
            project: pattern.project.clone(),
            order: pattern.order.unwrap_or(Order::Ascending),
            limit: pattern.limit,
            consistent: pattern.consistent,
            collection,
        };
        let entities =
            self.group.entities.iter().map(|wanted| wanted.entity.name.clone()).collect();
        PlannedQuery { entities, plan, fan_out: self.group.fan_out(pattern.range.as_ref()) }
    }

    fn claims(&self) -> Vec<Claim> {
        let entities = self.group.entities.iter().zip(&self.sort_keys);
        entities.map(|(wanted, sort_keys)| self.claim(wanted, sort_keys)).collect()
    }

    fn claim(&self, wanted: &WantedEntity<'m>, sort_keys: &[SortKey]) -> Claim {
        let delimiter = monotable_model::template::Delimiter::default();
        let Some((last, template)) = sort_keys.last().zip(wanted.keys.sort.get(self.leading.len()))
        else {
            return Claim {
                interval: Interval::everything(),
                extent: Interval::everything(),
                base: Interval::everything(),
                core: KeyText::empty(delimiter),
                is_range: false,
            };
        };
        Claim {
            interval: last.interval.clone(),
            extent: match last.range_use {
                RangeUse::None => extent(template, wanted.entity, &wanted.bindings),
                RangeUse::Coarse | RangeUse::Exact => last.interval.clone(),
            },
            base: self.base(wanted, template),
            core: last.core.clone(),
            is_range: last.range_use != RangeUse::None,
        }
    }

    /// Where all items of a wanted entity lie, once partition and leading sort keys are given.
    fn base(&self, wanted: &WantedEntity<'m>, template: &Template) -> Interval {
        let leading = wanted.keys.sort.iter().take(self.leading.len());
        let given: Vec<&str> = wanted
            .written_in_partition()
            .into_iter()
            .chain(leading.flat_map(|template| template.paths()).map(|path| path.root.as_str()))
            .collect();
        let constant = super::bindings::Bindings::of_entity(wanted.entity, &[]);
        let mut bindings = wanted.bindings.only(|name| given.contains(&name));
        bindings.extend(constant);
        sort_key(template, &bindings, None).interval
    }

    fn collection(
        &self,
        colocated: &[ColocatedEntity<'_>],
        claims: &[Claim],
        selection: &Selection,
    ) -> Collection {
        let wanted = self.group.entities.iter().zip(claims).map(|(wanted, claim)| Member {
            entity: wanted.entity.name.clone(),
            interval: claim.base.clone(),
            role: Role::Wanted,
        });
        let others = colocated.iter().zip(&selection.leaks).map(|(other, share)| Member {
            entity: other.entity.name.clone(),
            interval: other.interval.clone(),
            role: match share {
                Share::None => Role::Outside,
                Share::Some | Share::All => Role::Leaks(*share),
            },
        });
        Collection::of_members(wanted.chain(others).collect())
    }
}

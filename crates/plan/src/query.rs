//! Queries: the candidates of a pattern, and the best of them.

use monotable_model::document::{Each, Entity, IndexChoice, Model, Pattern, Table};

use super::answer::{Plan, Shortfall, Unserved};
use super::candidate::{Candidate, Search};
use super::reason::{Reason, Rejection};
use super::request_plan::{
    AddedFilter, FanOut, FilterComparison, FilterPlan, PlannedAction, PlannedRequest, ScanPlan,
};
use super::route::{Route, Target};

/// Plans a query.
pub(super) fn plan_query(model: &Model, pattern: &Pattern) -> Plan {
    let mut plan = Plan::empty(&pattern.name);
    let wanted = wanted(model, pattern);
    let search = Search { model, pattern, wanted: &wanted };
    let mut rejections = Vec::new();
    let mut candidates = Vec::new();
    for route in routes(model, pattern, &wanted) {
        match search.consider(route) {
            Ok(candidate) => candidates.push(candidate),
            Err(reasons) => rejections.push(Rejection { target: route.target(), reasons }),
        }
    }
    match candidates.into_iter().min_by_key(Candidate::rank) {
        Some(best) => serve(&mut plan, pattern, &wanted, best),
        None => {
            let rejections = with_embedded(rejections, &wanted);
            plan.unserved.push(Unserved::new(&pattern.name, rejections));
        }
    }
    plan
}

/// The entities that a pattern names.
pub(super) fn wanted<'m>(model: &'m Model, pattern: &Pattern) -> Vec<&'m Entity> {
    pattern.entities.iter().filter_map(|name| model.entity(name)).collect()
}

/// The tables and indexes that may serve a pattern.
pub(super) fn routes<'m>(
    model: &'m Model,
    pattern: &Pattern,
    wanted: &[&'m Entity],
) -> Vec<Route<'m>> {
    let named = pattern.table.as_deref().and_then(|name| model.table(name));
    let mut tables: Vec<&Table> = named.into_iter().collect();
    if tables.is_empty() {
        let firsts = wanted.iter().filter_map(|entity| model.tables_of(entity).next());
        for table in firsts {
            if !tables.iter().any(|known| known.name == table.name) {
                tables.push(table);
            }
        }
    }
    let routes = tables.into_iter().flat_map(Route::all);
    let is_meant = |route: &Route<'m>| match (&pattern.index, route.index) {
        (None, _) | (Some(IndexChoice::Table), None) => true,
        (Some(IndexChoice::Named(name)), Some(index)) => index.name == *name,
        (Some(IndexChoice::Table), Some(_)) | (Some(IndexChoice::Named(_)), None) => false,
    };
    routes.filter(is_meant).collect()
}

/// An embedded entity has no table whose candidates could be rejected.
fn with_embedded(mut rejections: Vec<Rejection>, wanted: &[&Entity]) -> Vec<Rejection> {
    if rejections.is_empty() {
        let embedded = wanted.iter().filter(|entity| entity.is_embedded());
        let reason = |entity: &&&Entity| Reason::Embedded { entity: entity.name.clone() };
        let reasons: Vec<Reason> = embedded.map(|entity| reason(&entity)).collect();
        let target = Target { table: String::new(), index: None };
        rejections.push(Rejection { target, reasons });
    }
    rejections
}

fn serve(plan: &mut Plan, pattern: &Pattern, wanted: &[&Entity], best: Candidate<'_>) {
    let shortfall = |reason| Shortfall { pattern: pattern.name.clone(), reason };
    plan.shortfalls = best.shortfalls.into_iter().map(shortfall).collect();
    let tables = table_fan_out(pattern, wanted);
    for mut query in best.queries {
        query.fan_out.extend(tables.clone());
        query.fan_out.extend(best.period_table.fan_out.clone());
        plan.steps.push(PlannedRequest {
            pattern: pattern.name.clone(),
            each: None,
            target: best.route.target(),
            table_name: best.period_table.name.clone(),
            entities: query.entities,
            action: PlannedAction::Query(query.plan),
            fan_out: query.fan_out,
            missing: best.missing.clone(),
            without_range: None,
        });
    }
    if best.route.is_global() && !best.missing.is_empty() {
        plan.steps.push(fetch(pattern, best.route, best.missing));
    }
}

/// Reads from the table what an index does not hold.
fn fetch(pattern: &Pattern, route: Route<'_>, missing: Vec<String>) -> PlannedRequest {
    PlannedRequest {
        pattern: pattern.name.clone(),
        each: Some(Each::Result),
        target: Target { table: route.table.name.clone(), index: None },
        table_name: None,
        entities: pattern.entities.clone(),
        action: PlannedAction::Fetch,
        fan_out: Vec::new(),
        missing,
        without_range: None,
    }
}

/// Entities that live in several tables are asked of each, unless the pattern names one.
pub(super) fn table_fan_out(pattern: &Pattern, wanted: &[&Entity]) -> Option<FanOut> {
    let tables = &wanted.first()?.tables;
    let several = tables.len() > 1 && pattern.table.is_none();
    several.then(|| FanOut::Tables(tables.clone()))
}

/// Plans a scan: of the tables and indexes that hold all wanted entities, the one with the fewest
/// others.
pub(super) fn plan_scan(model: &Model, pattern: &Pattern) -> Plan {
    let mut plan = Plan::empty(&pattern.name);
    let wanted = wanted(model, pattern);
    let search = Search { model, pattern, wanted: &wanted };
    let mut rejections = Vec::new();
    let mut fits = Vec::new();
    for route in routes(model, pattern, &wanted) {
        let reasons = search.scan_obstacles(route);
        if reasons.is_empty() {
            fits.push(route)
        } else {
            rejections.push(Rejection { target: route.target(), reasons })
        }
    }
    let leaks = |route: &Route<'_>| -> Vec<String> {
        let held = route.entities(model).into_iter().map(|entity| entity.name.clone());
        held.filter(|name| !pattern.entities.contains(name)).collect()
    };
    let rank = |route: &Route<'_>| (leaks(route).len(), route.kind_rank(), route.projection_rank());
    let Some(best) = fits.into_iter().min_by_key(rank) else {
        plan.unserved.push(Unserved::new(&pattern.name, with_embedded(rejections, &wanted)));
        return plan;
    };
    let of_period = search.period_table(best).unwrap_or_default();
    let tables = table_fan_out(pattern, &wanted).into_iter().chain(of_period.fan_out.clone());
    plan.steps.push(PlannedRequest {
        pattern: pattern.name.clone(),
        each: None,
        target: best.target(),
        table_name: of_period.name,
        entities: pattern.entities.clone(),
        action: PlannedAction::Scan(ScanPlan {
            filter: scan_filter(pattern, &wanted, of_period.fan_out.as_ref()),
            project: pattern.project.clone(),
            limit: pattern.limit,
            consistent: pattern.consistent,
            leaks: leaks(&best),
        }),
        fan_out: tables.collect(),
        missing: search.missing(best),
        without_range: None,
    });
    plan
}

/// What a scan throws away: a range that names tables names whole periods, of which the first and
/// the last hold more than was asked for.
fn scan_filter(pattern: &Pattern, wanted: &[&Entity], tables: Option<&FanOut>) -> FilterPlan {
    let mut filter = FilterPlan::declared(pattern);
    if let (Some(range), Some(_)) = (&pattern.range, tables) {
        let mut attributes = wanted.iter().filter_map(|entity| entity.attribute(&range.attribute));
        filter.added.extend(attributes.next().filter(|attribute| attribute.stored).map(
            |attribute| AddedFilter {
                attribute: attribute.item_name().to_owned(),
                comparison: FilterComparison::Range(range.comparison.clone()),
                passes_without: false,
            },
        ));
    }
    filter
}

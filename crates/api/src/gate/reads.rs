//! Reads of many items, some of which may be stale or not read at all.

use std::collections::BTreeSet;
use std::time::Duration;

use monotable_database::capacity::Consistency;
use monotable_database::{Got, Lookup, ReadError};
use monotable_storage::Engine;

use super::pass::Pass;
use crate::error::ApiError;
use crate::session::Session;

/// Reads items as the pass of their call lets it: some as they were, some not at all.
pub(crate) async fn get_many<E: Engine>(
    api: &Session<'_, E>,
    pass: &Pass<'_>,
    lookups: &[Lookup],
    consistency: Consistency,
) -> Result<Vec<Option<Got>>, ApiError> {
    let mut found: Vec<Option<Got>> = vec![None; lookups.len()];
    let ages: BTreeSet<Option<Duration>> =
        (0..lookups.len()).map(|member| pass.stale_age(member)).collect();
    for age in ages {
        let chosen = lookups.iter().enumerate();
        let chosen = chosen.filter(|(at, _)| pass.stale_age(*at) == age && !pass.is_refused(*at));
        let (positions, chosen): (Vec<usize>, Vec<Lookup>) =
            chosen.map(|(at, lookup)| (at, lookup.clone())).unzip();
        let got = match age {
            Some(age) => api.database.get_many_before(&chosen, age).await?,
            None => get_all(api, &chosen, consistency).await?,
        };
        for (at, got) in positions.into_iter().zip(got) {
            if let Some(place) = found.get_mut(at) {
                *place = Some(got);
            }
        }
    }
    Ok(found)
}

/// Reads all items, at one moment.
pub(crate) async fn get_all<E: Engine>(
    api: &Session<'_, E>,
    lookups: &[Lookup],
    consistency: Consistency,
) -> Result<Vec<Got>, ReadError> {
    match consistency {
        Consistency::Strong => api.database.get_many(lookups).await,
        Consistency::Eventual => api.database.get_many_eventual(lookups).await,
    }
}

//! Valid requests of every action, from `seeds.json`: an object of actions with lists of requests.
//!
//! Whoever adds an action adds a request there, and fuzzers send it from then on. A text such as
//! `$ShardIterator` stands for the latest value of that member in an answer ([`crate::harvest`]).

use serde_json::Value;

use crate::Call;

const SEEDS: &str = include_str!("../seeds.json");

/// All of them, those first that make tables.
///
/// # Panics
/// If the file is not of its form.
pub fn seeds() -> Vec<Call> {
    let seeds: Value = serde_json::from_str(SEEDS).expect("seeds.json is JSON");
    let actions = seeds.as_object().expect("seeds.json is an object of actions");
    let calls = |(action, requests): (&String, &Value)| {
        let requests = requests.as_array().expect("an action has a list of requests").clone();
        let action = action.clone();
        requests.into_iter().map(move |request| Call { action: action.clone(), request })
    };
    let mut seeds: Vec<Call> = actions.iter().flat_map(calls).collect();
    seeds.sort_by_key(|call| call.action != "CreateTable");
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_come_first_and_every_request_is_an_object() {
        let seeds = seeds();
        assert_eq!(seeds.first().map(|call| call.action.as_str()), Some("CreateTable"));
        assert!(seeds.iter().all(|call| call.request.is_object()));
    }
}

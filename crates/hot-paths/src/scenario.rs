//! The scenarios by name.

use anyhow::{Context, Result};

use crate::{expressions, items, judgement, recognition, requests, served, signatures};

/// One path: what it is called and what plays it so many times.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    play: fn(u64) -> Result<()>,
}

/// All scenarios, from the smallest part to whole requests.
pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario { name: "item-encode", play: items::encode },
    Scenario { name: "item-decode", play: items::decode },
    Scenario { name: "response-encode", play: items::encode_response },
    Scenario { name: "condition-parse", play: expressions::parse_condition },
    Scenario { name: "condition-evaluate", play: expressions::evaluate_condition },
    Scenario { name: "update-parse", play: expressions::parse_update },
    Scenario { name: "update-evaluate", play: expressions::evaluate_update },
    Scenario { name: "recognise-by-key", play: recognition::by_key },
    Scenario { name: "recognise-by-type", play: recognition::by_type },
    Scenario { name: "judge-model", play: judgement::judge },
    Scenario { name: "signature-verify", play: signatures::verify },
    Scenario { name: "get-item", play: requests::get_item },
    Scenario { name: "point-select", play: requests::point_select },
    Scenario { name: "query", play: requests::query },
    Scenario { name: "put-item", play: requests::put_item },
    Scenario { name: "update-item", play: requests::update_item },
    Scenario { name: "batch-write-item", play: requests::batch_write_item },
    Scenario { name: "transact-write-items", play: requests::transact_write_items },
    Scenario { name: "served-get-item", play: served::get_item },
    Scenario { name: "served-put-item", play: served::put_item },
    Scenario { name: "get-item-with-model", play: requests::with_model::get_item },
    Scenario { name: "query-with-model", play: requests::with_model::query },
    Scenario { name: "put-item-with-model", play: requests::with_model::put_item },
    Scenario { name: "update-item-with-model", play: requests::with_model::update_item },
    Scenario { name: "batch-write-item-with-model", play: requests::with_model::batch_write_item },
];

/// Plays the scenario of this name.
pub(crate) fn play(name: &str, iterations: u64) -> Result<()> {
    let scenario = SCENARIOS.iter().find(|scenario| scenario.name == name);
    let scenario = scenario.with_context(|| format!("there is no scenario {name}"))?;
    (scenario.play)(iterations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_can_be_played() {
        for scenario in SCENARIOS {
            play(scenario.name, 2).unwrap_or_else(|error| panic!("{}: {error:#}", scenario.name));
        }
    }

    #[test]
    fn a_scenario_that_is_not_there_is_an_error() {
        assert!(play("item", 1).is_err());
    }
}

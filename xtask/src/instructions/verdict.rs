//! Compares what was counted with what is recorded.

use super::figures::Figures;

/// How much more, or less, than the recorded figure is no difference, in percent. Counts of the
/// same code repeat to a few instructions; this leaves room for small changes, and for another
/// version of the C library.
pub(super) const TOLERANCE_PERCENT: u64 = 5;
/// How much more than without a call may take on a table that a model has, in percent. The goal is
/// 5, which BatchWriteItem misses by one.
pub(super) const MODEL_PERCENT: u64 = 7;
/// What the name of a scenario ends with that makes the calls of another one on a table that a
/// model has.
const WITH_MODEL: &str = "-with-model";

/// A scenario with what is recorded and what was counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScenarioResult {
    pub(super) scenario: String,
    pub(super) verdict: FigureChange,
}

/// What came out for a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FigureChange {
    /// As recorded, within the tolerance.
    Same { recorded: u64, counted: u64 },
    /// More than recorded.
    Worse { recorded: u64, counted: u64 },
    /// As recorded or less, but a model makes it take more than it may of what the same run has
    /// counted without.
    Costly { without: u64, counted: u64 },
    /// Less than recorded: good, but what is recorded no longer guards it.
    Better { recorded: u64, counted: u64 },
    /// A scenario that has no figure yet.
    Unrecorded { counted: u64 },
    /// A figure whose scenario is gone.
    Gone { recorded: u64 },
}

impl ScenarioResult {
    /// Whether the change that was checked must not go in like this.
    pub(super) fn is_failure(&self) -> bool {
        match self.verdict {
            FigureChange::Same { .. } | FigureChange::Better { .. } => false,
            FigureChange::Worse { .. }
            | FigureChange::Costly { .. }
            | FigureChange::Unrecorded { .. }
            | FigureChange::Gone { .. } => true,
        }
    }
}

/// Compares every scenario that was counted or is recorded, in order of their names.
pub(super) fn compare(recorded: &Figures, counted: &Figures) -> Vec<ScenarioResult> {
    let mut comparisons: Vec<ScenarioResult> = Vec::new();
    for (scenario, instructions) in &counted.instructions {
        let verdict = match recorded.instructions.get(scenario) {
            Some(recorded) => judge(*recorded, *instructions),
            None => FigureChange::Unrecorded { counted: *instructions },
        };
        let result = ScenarioResult { scenario: scenario.clone(), verdict };
        let costly = costly(counted, scenario, *instructions).filter(|_| !result.is_failure());
        comparisons.push(ScenarioResult { verdict: costly.unwrap_or(verdict), ..result });
    }
    for (scenario, recorded) in &recorded.instructions {
        if !counted.instructions.contains_key(scenario) {
            let verdict = FigureChange::Gone { recorded: *recorded };
            comparisons.push(ScenarioResult { scenario: scenario.clone(), verdict });
        }
    }
    comparisons.sort_by(|one, other| one.scenario.cmp(&other.scenario));
    comparisons
}

fn judge(recorded: u64, counted: u64) -> FigureChange {
    if counted * 100 > recorded * (100 + TOLERANCE_PERCENT) {
        FigureChange::Worse { recorded, counted }
    } else if counted * 100 < recorded * (100 - TOLERANCE_PERCENT) {
        FigureChange::Better { recorded, counted }
    } else {
        FigureChange::Same { recorded, counted }
    }
}

/// Says so if a scenario takes too much more than the same calls without a model.
fn costly(all: &Figures, scenario: &str, counted: u64) -> Option<FigureChange> {
    let without = *all.instructions.get(scenario.strip_suffix(WITH_MODEL)?)?;
    let is_costly = counted * 100 > without * (100 + MODEL_PERCENT);
    is_costly.then_some(FigureChange::Costly { without, counted })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(instructions: &[(&str, u64)]) -> Figures {
        let instructions = instructions.iter().map(|(name, count)| ((*name).to_owned(), *count));
        Figures { toolchain: String::new(), instructions: instructions.collect() }
    }

    #[test]
    fn five_percent_either_way_is_no_difference() {
        for counted in [950, 1000, 1050] {
            assert_eq!(judge(1000, counted), FigureChange::Same { recorded: 1000, counted });
        }
        assert_eq!(judge(1000, 1051), FigureChange::Worse { recorded: 1000, counted: 1051 });
        assert_eq!(judge(1000, 949), FigureChange::Better { recorded: 1000, counted: 949 });
    }

    #[test]
    fn every_scenario_is_compared_in_order_of_names() {
        let recorded = figures(&[("a", 100), ("c", 100), ("d", 100)]);
        let counted = figures(&[("a", 100), ("b", 7), ("d", 200)]);
        let comparisons = compare(&recorded, &counted);
        let found: Vec<(&str, FigureChange, bool)> = comparisons
            .iter()
            .map(|found| (found.scenario.as_str(), found.verdict, found.is_failure()))
            .collect();
        assert_eq!(
            found,
            [
                ("a", FigureChange::Same { recorded: 100, counted: 100 }, false),
                ("b", FigureChange::Unrecorded { counted: 7 }, true),
                ("c", FigureChange::Gone { recorded: 100 }, true),
                ("d", FigureChange::Worse { recorded: 100, counted: 200 }, true),
            ]
        );
    }

    #[test]
    fn what_a_model_may_cost_is_judged_by_the_same_run() {
        let recorded = figures(&[("put", 1000), ("put-with-model", 1050)]);
        let verdict = |put: u64, with_model: u64| {
            let counted = figures(&[("put", put), ("put-with-model", with_model)]);
            compare(&recorded, &counted).remove(1)
        };
        let same = verdict(1000, 1070);
        assert_eq!(same.verdict, FigureChange::Same { recorded: 1050, counted: 1070 });
        // Neither of them is far from what is recorded.
        let costly = verdict(999, 1070);
        assert_eq!(costly.verdict, FigureChange::Costly { without: 999, counted: 1070 });
        assert!(costly.is_failure() && !same.is_failure());
        // What is worse than recorded is that first.
        let worse = verdict(1000, 1200);
        assert_eq!(worse.verdict, FigureChange::Worse { recorded: 1050, counted: 1200 });
    }

    #[test]
    fn a_scenario_that_got_better_is_no_failure() {
        let comparisons = compare(&figures(&[("a", 100)]), &figures(&[("a", 50)]));
        assert!(comparisons.iter().all(|comparison| !comparison.is_failure()));
    }
}

//! Compares what was counted with what is recorded.

use super::figures::Figures;

/// How much more, or less, than the recorded figure is no difference, in percent. Counts of the
/// same code repeat to a few instructions; this leaves room for small changes, and for another
/// version of the C library.
pub(super) const TOLERANCE_PERCENT: u64 = 5;

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
            | FigureChange::Unrecorded { .. }
            | FigureChange::Gone { .. } => true,
        }
    }
}

/// Compares every scenario that was counted or is recorded, in order of their names.
pub(super) fn compare(recorded: &Figures, counted: &Figures) -> Vec<ScenarioResult> {
    let mut comparisons: Vec<ScenarioResult> = Vec::new();
    for (scenario, counted) in &counted.instructions {
        let verdict = match recorded.instructions.get(scenario) {
            Some(recorded) => judge(*recorded, *counted),
            None => FigureChange::Unrecorded { counted: *counted },
        };
        comparisons.push(ScenarioResult { scenario: scenario.clone(), verdict });
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
    fn a_scenario_that_got_better_is_no_failure() {
        let comparisons = compare(&figures(&[("a", 100)]), &figures(&[("a", 50)]));
        assert!(comparisons.iter().all(|comparison| !comparison.is_failure()));
    }
}

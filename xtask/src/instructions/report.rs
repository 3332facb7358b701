//! What the comparison says, and what to do about it.

use std::fmt::Write;
use std::path::Path;

use super::figures;
use super::verdict::{FigureChange, MODEL_PERCENT, ScenarioResult, TOLERANCE_PERCENT};
use super::{ACCEPT_COMMAND, FIGURES};

/// What a comparison is about, beside the figures.
pub(super) struct Circumstances<'a> {
    /// The compiler that the recorded figures belong to.
    pub(super) recorded_with: &'a str,
    /// The compiler of this run.
    pub(super) counted_with: &'a str,
    /// Where the profiles of this run are.
    pub(super) profiles: &'a Path,
}

/// The whole report: the table, then advice where there is something to do.
pub(super) fn text(comparisons: &[ScenarioResult], circumstances: &Circumstances) -> String {
    let is_any = |wanted: fn(&FigureChange) -> bool| comparisons.iter().any(|c| wanted(&c.verdict));
    let mut text = table(comparisons);
    if is_any(|verdict| matches!(verdict, FigureChange::Better { .. })) {
        text +=
            &format!("hint: what got better is guarded once it is recorded: {ACCEPT_COMMAND}\n");
    }
    let is_worse = is_any(|verdict| matches!(verdict, FigureChange::Worse { .. }));
    if is_worse {
        text += &format!("More than {TOLERANCE_PERCENT} % worse is a failure. ");
    }
    let is_costly = is_any(|verdict| matches!(verdict, FigureChange::Costly { .. }));
    if is_costly {
        text += &format!("More than {MODEL_PERCENT} % more with a model is a failure, ");
        text += "which no record accepts. ";
    }
    if is_worse || is_costly {
        text += "To see which functions the instructions are spent in: ";
        text += &format!("callgrind_annotate {}/SCENARIO.out\n", circumstances.profiles.display());
    }
    let can_be_accepted = |one: &ScenarioResult| {
        one.is_failure() && !matches!(one.verdict, FigureChange::Costly { .. })
    };
    if comparisons.iter().any(can_be_accepted) {
        text += &advice_on_failure(circumstances);
    }
    text
}

fn advice_on_failure(circumstances: &Circumstances) -> String {
    let Circumstances { recorded_with, counted_with, .. } = circumstances;
    let mut advice = String::new();
    if recorded_with != counted_with {
        advice += &format!("The figures were recorded with rustc {recorded_with}, and this is ");
        advice += &format!("{counted_with}: the compiler may be the reason.\n");
    }
    advice += &format!("To accept these figures: {ACCEPT_COMMAND}\n");
    advice += &format!("Then commit {FIGURES} with the change, and say why it is worth it.\n");
    advice
}

/// A line for each scenario.
pub(super) fn table(comparisons: &[ScenarioResult]) -> String {
    let mut table = String::new();
    let names = comparisons.iter().map(|comparison| comparison.scenario.as_str());
    let width = figures::name_width(names);
    for ScenarioResult { scenario, verdict } in comparisons {
        let outcome = match *verdict {
            FigureChange::Same { recorded, counted } => compared("ok", recorded, counted),
            FigureChange::Worse { recorded, counted } => compared("WORSE", recorded, counted),
            FigureChange::Costly { without, counted } => compared_with(without, counted),
            FigureChange::Better { recorded, counted } => compared("better", recorded, counted),
            FigureChange::Unrecorded { counted } => {
                format!("NEW     {:>9} instructions, no figure is recorded", grouped(counted))
            }
            FigureChange::Gone { recorded } => {
                format!("GONE    no such scenario, {} instructions are recorded", grouped(recorded))
            }
        };
        writeln!(table, "{scenario:width$}{outcome}").expect("a string takes all that is written");
    }
    table
}

fn compared(mark: &str, recorded: u64, counted: u64) -> String {
    let ratio = counted as f64 / recorded.max(1) as f64;
    let (counted, recorded) = (grouped(counted), grouped(recorded));
    format!("{mark:7} {counted:>9} instructions, {recorded:>9} recorded, ratio {ratio:.3}")
}

fn compared_with(without: u64, counted: u64) -> String {
    let ratio = counted as f64 / without.max(1) as f64;
    let (counted, without) = (grouped(counted), grouped(without));
    format!("COSTLY  {counted:>9} instructions, {without:>9} without a model, ratio {ratio:.3}")
}

/// Digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(verdicts: &[FigureChange], counted_with: &str, expected: &Expect) {
        let names = ["get-item", "put-item", "query", "update-item"];
        let comparisons: Vec<ScenarioResult> = names
            .iter()
            .zip(verdicts)
            .map(|(name, verdict)| ScenarioResult {
                scenario: (*name).to_owned(),
                verdict: *verdict,
            })
            .collect();
        let profiles = Path::new("target/instructions");
        let circumstances = Circumstances { recorded_with: "1.95.0", counted_with, profiles };
        expected.assert_eq(&text(&comparisons, &circumstances));
    }

    const SAME: FigureChange = FigureChange::Same { recorded: 16_519, counted: 16_520 };

    #[test]
    fn figures_that_hold_need_no_advice() {
        check(
            &[SAME],
            "1.96.0",
            &expect![[r#"
            get-item            ok         16,520 instructions,    16,519 recorded, ratio 1.000
        "#]],
        );
    }

    #[test]
    fn a_figure_that_got_worse_comes_with_the_command_that_accepts_it() {
        let worse = FigureChange::Worse { recorded: 45_300, counted: 1_045_300 };
        check(
            &[SAME, worse],
            "1.95.0",
            &expect![[r#"
            get-item            ok         16,520 instructions,    16,519 recorded, ratio 1.000
            put-item            WORSE   1,045,300 instructions,    45,300 recorded, ratio 23.075
            More than 5 % worse is a failure. To see which functions the instructions are spent in: callgrind_annotate target/instructions/SCENARIO.out
            To accept these figures: cargo xtask instructions --accept
            Then commit crates/hot-paths/instructions.txt with the change, and say why it is worth it.
        "#]],
        );
    }

    #[test]
    fn what_a_model_makes_too_costly_is_accepted_by_no_record() {
        check(
            &[SAME, FigureChange::Costly { without: 32_392, counted: 34_283 }],
            "1.95.0",
            &expect![[r#"
            get-item            ok         16,520 instructions,    16,519 recorded, ratio 1.000
            put-item            COSTLY     34,283 instructions,    32,392 without a model, ratio 1.058
            More than 7 % more with a model is a failure, which no record accepts. To see which functions the instructions are spent in: callgrind_annotate target/instructions/SCENARIO.out
        "#]],
        );
    }

    #[test]
    fn a_figure_that_got_better_comes_with_a_hint() {
        check(
            &[FigureChange::Better { recorded: 45_300, counted: 30_111 }],
            "1.96.0",
            &expect![[r#"
            get-item            better     30,111 instructions,    45,300 recorded, ratio 0.665
            hint: what got better is guarded once it is recorded: cargo xtask instructions --accept
        "#]],
        );
    }

    #[test]
    fn another_compiler_is_named_where_something_failed() {
        let verdicts =
            [FigureChange::Unrecorded { counted: 999 }, FigureChange::Gone { recorded: 1_000 }];
        check(
            &verdicts,
            "1.96.0",
            &expect![[r#"
            get-item            NEW           999 instructions, no figure is recorded
            put-item            GONE    no such scenario, 1,000 instructions are recorded
            The figures were recorded with rustc 1.95.0, and this is 1.96.0: the compiler may be the reason.
            To accept these figures: cargo xtask instructions --accept
            Then commit crates/hot-paths/instructions.txt with the change, and say why it is worth it.
        "#]],
        );
    }
}

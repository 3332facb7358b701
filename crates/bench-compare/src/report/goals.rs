//! The goals, each with what was reached.

use monotable_bench::columns::align;

use crate::goals::GoalResult;

/// The goals as a text to read.
pub(crate) fn render(verdicts: &[GoalResult]) -> String {
    let met = verdicts.iter().filter(|verdict| verdict.is_met).count();
    let row = |verdict: &GoalResult| {
        vec![verdict.goal.clone(), verdict.figure.clone(), word(verdict).to_owned()]
    };
    let rows: Vec<Vec<String>> = verdicts.iter().map(row).collect();
    format!("performance goals: {met} of {} met\n{}", verdicts.len(), align(&rows))
}

/// The goals as a table for a document.
pub(crate) fn render_markdown(verdicts: &[GoalResult]) -> String {
    let mut text = "| goal | reached | |\n|---|--:|---|\n".to_owned();
    for verdict in verdicts {
        let word = if verdict.is_met { "met" } else { "**missed**" };
        text += &format!("| {} | {} | {word} |\n", verdict.goal, verdict.figure);
    }
    text
}

/// The goals for other programs.
pub(crate) fn render_json(verdicts: &[GoalResult]) -> serde_json::Value {
    let verdict = |verdict: &GoalResult| {
        serde_json::json!({
            "goal": verdict.goal,
            "figure": verdict.figure,
            "met": verdict.is_met,
        })
    };
    verdicts.iter().map(verdict).collect()
}

fn word(verdict: &GoalResult) -> &'static str {
    if verdict.is_met { "met" } else { "missed" }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn goals_are_listed_with_what_was_reached() {
        let verdicts = [
            GoalResult::share("GetItem, in memory, of parsing", 0.6, 0.81),
            GoalResult::at_most("GetItem, durable, p99 of p50", 5.0, 7.2),
        ];
        expect![[r#"
            performance goals: 1 of 2 met
              GetItem, in memory, of parsing ≥ 60 %   81 %     met
              GetItem, durable, p99 of p50 ≤ 5.0 ×   7.2 ×  missed
        "#]]
        .assert_eq(&render(&verdicts));
        expect![[r#"
            | goal | reached | |
            |---|--:|---|
            | GetItem, in memory, of parsing ≥ 60 % | 81 % | met |
            | GetItem, durable, p99 of p50 ≤ 5.0 × | 7.2 × | **missed** |
        "#]]
        .assert_eq(&render_markdown(&verdicts));
    }
}

//! The goals, each with what was reached.

use serde_json::{Value, json};

use super::section::Section;
use crate::goals::GoalResult;

/// The goals as a table.
pub(super) fn section(goals: &[GoalResult]) -> Section {
    let met = goals.iter().filter(|goal| goal.is_met).count();
    let row = |goal: &GoalResult| {
        let word = if goal.is_met { "met" } else { "missed" };
        vec![goal.goal.clone(), goal.figure.clone(), word.to_owned()]
    };
    let title = format!("performance goals: {met} of {} met", goals.len());
    Section::new(title, &["goal", "reached", ""]).with(goals.iter().map(row))
}

/// The goals for other programs.
pub(super) fn figures(goals: &[GoalResult]) -> Value {
    let goal =
        |goal: &GoalResult| json!({ "goal": goal.goal, "figure": goal.figure, "met": goal.is_met });
    goals.iter().map(goal).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn goals_are_listed_with_what_was_reached() {
        let goals = [
            GoalResult::share("GetItem, in memory, of parsing", 0.6, 0.81),
            GoalResult::at_most("GetItem, durable, p99 of p50", 5.0, 7.2),
        ];
        expect![[r#"

            performance goals: 1 of 2 met
              goal                                   reached
              GetItem, in memory, of parsing ≥ 60 %     81 %     met
              GetItem, durable, p99 of p50 ≤ 5.0 ×     7.2 ×  missed
        "#]]
        .assert_eq(&section(&goals).render());
        expect![[r#"

            ## performance goals: 1 of 2 met

            | goal | reached |  |
            |---|--:|--:|
            | GetItem, in memory, of parsing ≥ 60 % | 81 % | met |
            | GetItem, durable, p99 of p50 ≤ 5.0 × | 7.2 × | missed |
        "#]]
        .assert_eq(&section(&goals).render_markdown());
    }
}

//! The goals, each with what was reached.

use super::table::{Rows, Table};
use crate::goals::GoalResult;

/// The goals as a table.
pub(super) fn table(goals: &[GoalResult]) -> Table {
    let met = goals.iter().filter(|goal| goal.is_met).count();
    let verdict = |is_met| if is_met { "met" } else { "missed" };
    Rows::new(format!("performance goals: {met} of {} met", goals.len()), goals)
        .words("goal", |goal| goal.goal.clone())
        .words("reached", |goal| goal.figure.clone())
        .words("verdict", |goal| verdict(goal.is_met).to_owned())
        .table()
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
              goal                                   reached  verdict
              GetItem, in memory, of parsing ≥ 60 %     81 %      met
              GetItem, durable, p99 of p50 ≤ 5.0 ×     7.2 ×   missed
        "#]]
        .assert_eq(&table(&goals).text());
    }
}

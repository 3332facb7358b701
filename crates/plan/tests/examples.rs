//! The plans of the models under `examples/models`, each in a file that a person can compare with
//! the source.

use expect_test::expect_file;
use monotable_model::document::{Format, read};
use monotable_model_fixture::{Example, examples};
use monotable_plan::plan_all;

#[test]
fn the_plans_of_the_examples_are_as_written_down() {
    for Example { name, text } in examples() {
        let document = read(&text, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}"));
        let mut shown = String::new();
        for plan in plan_all(&document.model) {
            assert!(plan.is_served(), "{name}: {:#?}", plan.lines());
            shown += &format!("{}\n", plan.pattern);
            for line in plan.lines() {
                shown += &format!("    {line}\n");
            }
            for shortfall in &plan.shortfalls {
                shown += &format!("    since {}\n", shortfall.reason);
            }
        }
        let name = format!("plans/{}.txt", document.model.name);
        expect_file![name].assert_eq(&shown);
    }
}

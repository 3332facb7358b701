//! The plans of the models under `examples/models`, each in a file that a person can compare with the source.

use std::path::{Path, PathBuf};

use expect_test::expect_file;
use monotable_model::document::{Format, read};
use monotable_model::plan::plan_all;

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

#[test]
fn the_plans_of_the_examples_are_as_written_down() {
    for file in models() {
        let text = std::fs::read_to_string(&file).unwrap();
        let document = read(&text, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}"));
        let mut shown = String::new();
        for plan in plan_all(&document.model) {
            assert!(plan.is_served(), "{}: {:#?}", file.display(), plan.lines());
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

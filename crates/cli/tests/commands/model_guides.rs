//! Every command of the guides on the tables, the data and the access patterns of a model works as
//! it stands.

use std::path::Path;

use crate::support::{Server, monotable};

/// The commands of a guide, in its order.
fn commands(guide: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide").join(guide);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| line.starts_with("monotable "));
    lines.filter(|line| *line != "monotable serve &").map(str::to_owned).collect()
}

/// The words of a command as a shell parts them: quotes keep a word together.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for character in command.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words
}

fn check(guide: &str) {
    let server = Server::in_memory();
    let endpoint = format!("http://{}", server.address());
    let commands = commands(guide);
    assert!(!commands.is_empty());
    for command in commands {
        let words = words(&command);
        let mut arguments: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let asks = arguments.contains(&"apply") && !arguments.contains(&"--dry-run");
        if asks && !arguments.contains(&"--yes") {
            // There is nobody to ask here.
            arguments.push("--yes");
        }
        let mut process = monotable(&arguments);
        process.env("AWS_ENDPOINT_URL", &endpoint);
        process.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
        let output = process.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}: {output:?}");
    }
}

#[test]
fn the_guide_on_tables_works() {
    check("model-apply.md");
}

#[test]
fn the_guide_on_sample_data_works() {
    check("model-seed.md");
}

#[test]
fn the_guide_on_access_patterns_works() {
    check("model-run.md");
}

#[test]
fn the_guide_on_tests_works() {
    check("model-test.md");
}

#[test]
fn the_guide_on_tables_for_periods_works() {
    check("model-periods.md");
}

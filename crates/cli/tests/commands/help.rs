//! What the binary says about itself, and about arguments that it does not take.

use crate::support::{monotable, run, run_to_error};

fn help(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_help_of_serve_teaches_with_examples() {
    let text = help(&["serve", "--help"]);
    for part in [
        "Examples:",
        "monotable serve --in-memory --port 0",
        "AWS_ENDPOINT_URL=http://127.0.0.1:8000",
        "aws dynamodb list-tables",
        "--host",
        "--port",
        "--credentials",
        "--insecure",
        "--allow-origin",
        "--allow-host",
        "--data",
        "--in-memory",
        "--durability",
        "--store",
        "--store-connections",
        "--store-standby",
        "MONOTABLE_STORE",
        "--log",
        "MONOTABLE_LOG",
        "--region",
        "--clock",
        "--clock-start",
        "--ttl-interval",
        "--control-plane-delay",
        "--stream-shards",
        "--stream-shard-age",
        "--triggers",
        "--model",
        "--model-check",
        "--log-format",
        "--slow-requests",
        "--metrics-tables",
        "--metrics-token-file",
        "--audit",
        "--audit-keys",
        "--traces",
        "--trace-sample",
        "--disk-reserve",
        "--tls-cert",
        "--tls-client-ca",
        "--tls self-signed",
        "--memory-max",
        "--vector-memory",
        "--connections-per-peer",
        "[default: 512MB]",
        "[default: 127.0.0.1]",
        "[default: 8000]",
        "[default: ./monotable-data]",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn the_help_lists_the_commands() {
    let text = help(&["--help"]);
    for command in [
        "serve",
        "sql",
        "tail",
        "trigger",
        "keys",
        "clock",
        "check",
        "store",
        "healthcheck",
        "model",
        "policy",
        "bench",
    ] {
        assert!(text.contains(command), "{command} is not in {text}");
    }
}

#[test]
fn the_help_of_every_command_teaches_with_examples() {
    for (command, example) in [
        ("sql", "monotable sql < orders.sql"),
        ("tail", "monotable tail orders --from trim-horizon"),
        ("trigger", "monotable trigger --table likes --command 'python3 count.py'"),
        ("keys", "monotable keys list --credentials keys.toml"),
        ("clock", "monotable clock advance 7d"),
        ("check", "monotable check ./monotable-data --repair"),
        ("store", "monotable store init postgres://monotable@db1/monotable"),
        ("policy", "monotable policy check tenants.json"),
        ("healthcheck", "monotable healthcheck --ready"),
        ("bench", "monotable bench --workload mixed --rate 2000,5000"),
    ] {
        let text = help(&[command, "--help"]);
        assert!(text.contains("Examples:") && text.contains(example), "{text}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(help(&["--version"]), format!("monotable {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn without_a_command_the_help_is_shown_as_an_error() {
    assert!(run_to_error(&[]).contains("Usage: monotable"));
}

#[test]
fn arguments_that_mean_nothing_are_refused() {
    for (arguments, said) in [
        (&["serve", "--port", "99999"][..], "99999"),
        (&["serve", "--durability", "never"], "possible values: sync, interval"),
        (&["serve", "--in-memory", "--data", "d"], "cannot be used with"),
        (&["serve", "--in-memory", "--durability", "sync"], "cannot be used with"),
        (&["serve", "--region", "Here"], "such as us-east-1"),
        (&["serve", "--in-memory", "--log", "loud=loud"], "is not a log filter"),
        (&["serve", "--in-memory", "--traces", "https://collector"], "plain HTTP"),
        (&["serve", "--in-memory", "--trace-sample", "2"], "between 0 and 1"),
        (&["serve", "--in-memory", "--audit-keys"], "--audit <FILE>"),
        (&["serve", "--in-memory", "--disk-reserve", "1GB"], "cannot be used with"),
        (&["serve", "--store", "postgres://h/db", "--in-memory"], "cannot be used with"),
        (&["serve", "--store", "postgres://h/db", "--data", "d"], "cannot be used with"),
        (&["serve", "--store", "postgres://h/db", "--disk-reserve", "1GB"], "cannot be used with"),
        (&["serve", "--store-connections", "3"], "3 is not in 14..=1000"),
        (&["serve", "--disk-reserve", "much"], "such as 0, 512MB"),
    ] {
        let error = run_to_error(arguments);
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn paragraphs_of_the_help_are_broken_once_at_the_width_of_the_terminal() {
    let mut command = monotable(&["model", "check", "--help"]);
    let output = command.env("COLUMNS", "60").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let paragraph = "Exits with 0 if the model is consistent and every access\npattern is served, \
                     and with 1 if not.";
    assert!(text.contains(paragraph), "{text}");
}

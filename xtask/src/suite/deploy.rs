//! The set-ups in `deploy`: they can be read, and the binary takes every command line in them.

use std::fs;

use anyhow::{Context, Result, bail, ensure};
use saphyr_parser::{Event, Parser};

use super::server_binary;
use crate::counts::Counts;
use crate::workspace::Workspace;

const COMPOSE: &str = "deploy/compose/compose.yaml";
const BALANCER: &str = "deploy/compose/haproxy.cfg";
const UNIT: &str = "deploy/systemd/monotable@.service";

/// Where the unit has the binary.
const INSTALLED: &str = "/usr/local/bin/monotable";

pub(super) fn all(workspace: &Workspace) -> Result<Counts> {
    let read = |path: &str| fs::read_to_string(workspace.root.join(path)).context(path.to_owned());
    let mut lines = compose_lines(&read(COMPOSE)?)?;
    let unit = read(UNIT)?.replace("%i", "8001");
    lines.push(unit_line(&unit)?);
    let mut counts = Counts::default();
    for line in &lines {
        counts += Counts::one(is_taken(workspace, line)?);
    }
    counts += read_by_systemd(workspace, &unit)?;
    counts += is_answered(workspace, &read(BALANCER)?, &lines)?;
    Ok(counts)
}

/// Whether the binary takes a command line. Asked for help at its end, it reads all of the line and
/// does nothing.
fn is_taken(workspace: &Workspace, line: &[String]) -> Result<bool> {
    workspace.say(format!("$ monotable {}", line.join(" ")));
    let program = workspace.program(server_binary(workspace)?).args(line).args(["--help"]);
    let taken = program.output();
    if let Err(error) = &taken {
        workspace.say(format!("{error:#}"));
    }
    Ok(taken.is_ok())
}

/// The command lines of Monotable in a file of Docker Compose: what its containers run, and how
/// their health is found out.
fn compose_lines(yaml: &str) -> Result<Vec<Vec<String>>> {
    let (mut lines, mut line, mut last) = (Vec::new(), None::<Vec<String>>, String::new());
    for event in Parser::new_from_str(yaml) {
        match event.context(COMPOSE)?.0 {
            Event::SequenceStart(..) if ["command", "test"].contains(&last.as_str()) => {
                line = Some(Vec::new());
            }
            Event::SequenceEnd => lines.extend(line.take()),
            Event::Scalar(text, ..) => match &mut line {
                Some(line) => line.push(text.into_owned()),
                None => last = text.into_owned(),
            },
            _ => {}
        }
    }
    // The image of the database has commands of its own.
    let foreign = ["postgres", "CMD-SHELL"];
    lines.retain(|line| line.first().is_some_and(|word| !foreign.contains(&word.as_str())));
    for line in &mut lines {
        // The container names the program where it does not run its entry point.
        if let Some(program) = line.iter().position(|word| word == "monotable") {
            line.drain(..=program);
        }
    }
    ensure!(!lines.is_empty(), "{COMPOSE} runs nothing of ours");
    Ok(lines)
}

/// The command line of the unit, without the program.
fn unit_line(unit: &str) -> Result<Vec<String>> {
    let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart="));
    let arguments = line.and_then(|line| line.strip_prefix(INSTALLED));
    let arguments = arguments.with_context(|| format!("{UNIT} does not start {INSTALLED}"))?;
    Ok(arguments.split_whitespace().map(str::to_owned).collect())
}

/// Has systemd read the unit, where there is one to ask.
fn read_by_systemd(workspace: &Workspace, unit: &str) -> Result<Counts> {
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let path = folder.path().join("monotable@8001.service");
    let binary = server_binary(workspace)?.display().to_string();
    fs::write(&path, unit.replace(INSTALLED, &binary))?;
    let verify = workspace.program("systemd-analyze").args(["--man=no", "verify"]).args([&path]);
    match verify.tee() {
        // It warns of what it does not know, and ends as if all were well.
        Ok(finished) => {
            let is_read = finished.status.success() && finished.output.trim().is_empty();
            Ok(Counts::one(is_read))
        }
        Err(_) => {
            workspace.say(format!("there is no systemd here that could read {UNIT}"));
            Ok(Counts::default())
        }
    }
}

/// Starts a server in a network of its own, and asks it there by an address that is not one of
/// loopback. The server is the last to be named, after what asks it.
const STRANGER: &str = r#"
    set -e
    ip link set lo up
    ip address add 192.0.2.1/32 dev lo
    folder=$(mktemp -d)
    trap 'kill $server; rm -r "$folder"' EXIT
    mkfifo "$folder/said"
    binary=$1 asked=$2
    shift 2
    "$binary" "$@" > "$folder/said" &
    server=$!
    exec 3< "$folder/said"
    # The first line says that it listens.
    read -r line <&3
    "$binary" healthcheck $asked --endpoint http://192.0.2.1:8000
"#;

/// Whether the servers that Compose starts answer what the load balancer asks them from another
/// container.
fn is_answered(workspace: &Workspace, balancer: &str, lines: &[Vec<String>]) -> Result<Counts> {
    let question =
        balancer.lines().find_map(|line| line.trim().strip_prefix("option httpchk GET "));
    let asked = match question {
        Some("/_monotable/ready") => "--ready",
        other => bail!("{BALANCER} does not ask whether a server is ready, but {other:?}"),
    };
    let serve = lines.iter().find(|line| line.first().is_some_and(|word| word == "serve"));
    let serve = serve.with_context(|| format!("{COMPOSE} starts no server"))?;
    let own_network = || workspace.program("unshare").args(["-rn"]);
    if own_network().args(["ip", "link", "set", "lo", "up"]).output().is_err() {
        workspace.say(format!("no network can be made here to ask {COMPOSE} in"));
        return Ok(Counts::default());
    }
    let binary = server_binary(workspace)?;
    let script = own_network().args(["sh", "-c", STRANGER, "sh"]).args([&binary]);
    let asking = script.args([asked]).args(serve).args(["--in-memory"]);
    Ok(Counts::one(asking.tee().is_ok_and(|finished| finished.status.success())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_checks_of_health_are_found_and_those_of_the_database_are_not() {
        let yaml = "
x: &server
  command: [serve, --host, 0.0.0.0]
  healthcheck:
    test: [CMD, monotable, healthcheck, --ready]
services:
  database:
    command: [postgres, -c, max_connections=200]
    volumes: [data:/var]
  one: *server
";
        let lines = compose_lines(yaml).unwrap();
        assert_eq!(lines, [vec!["serve", "--host", "0.0.0.0"], vec!["healthcheck", "--ready"]]);
        assert!(compose_lines("services: [a, b").is_err());
        assert!(compose_lines("services: {}").is_err());
    }

    #[test]
    fn the_line_of_a_unit_begins_with_the_program() {
        let line = unit_line("[Service]\nExecStart=/usr/local/bin/monotable serve --port 1\n");
        assert_eq!(line.unwrap(), ["serve", "--port", "1"]);
        assert!(unit_line("[Service]\nExecStart=/bin/true\n").is_err());
    }
}

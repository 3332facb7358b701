//! PostgreSQL with a synchronous standby, under Patroni, which promotes the standby when the
//! leader is gone.
//!
//! Two nodes with a database each, and a third voter without one: Patroni agrees by Raft, so
//! nothing else has to run. All of it is in a scratch directory, on the loopback interface, and
//! belongs to an unprivileged user.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use monotable_postgres_fixture::{Programs, unprivileged_user};

use crate::clock::until;

/// How many databases there are.
pub(crate) const NODES: usize = 2;

/// After so long without a sign of life the leader has lost its office. Patroni takes no less.
const TTL_SECS: u32 = 20;

const START_LIMIT: Duration = Duration::from_secs(120);
const ASK_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs a program until the standard input ends, and then ends it and the database below it, all
/// at once and without a warning, as a machine ends that loses its power.
const SCRIPT: &str = r#"
    "$PROGRAM" "$DIR/$NAME.yml" >>"$DIR/$NAME.log" 2>&1 </dev/null &
    echo started
    exec >/dev/null 2>&1
    cat
    database=$(head -n 1 "$DIR/$NAME/postmaster.pid")
    kill -9 $! $database $(pgrep -P "$database")
"#;

/// A process of the cluster, which ends when this is dropped or the process that started it ends.
struct Node {
    script: Child,
}

impl Node {
    fn start(cluster: &Files, program: &str, name: &str) -> Result<Node> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT]).current_dir(&cluster.directory);
        command.env("DIR", &cluster.directory).env("NAME", name);
        command.env("PROGRAM", cluster.patroni.join(program));
        command.env("HOME", &cluster.directory);
        if let Some((user, group)) = cluster.user {
            command.uid(user).gid(group);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut script = command.spawn().context("sh starts")?;
        let mut line = String::new();
        if let Some(stdout) = script.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        ensure!(line.trim() == "started", "{program} does not start");
        Ok(Node { script })
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        drop(self.script.stdin.take());
        let _ = self.script.wait();
    }
}

/// Where the files of the cluster are, and whose they are.
struct Files {
    directory: PathBuf,
    /// The directory of Patroni's programs.
    patroni: PathBuf,
    /// Whom to run as, if not as oneself.
    user: Option<(u32, u32)>,
}

/// The ports of a node.
#[derive(Clone, Copy)]
struct Ports {
    database: u16,
    rest: u16,
    raft: u16,
}

/// The databases.
pub(crate) struct Cluster {
    nodes: [Option<Node>; NODES],
    _voter: Node,
    ports: Vec<Ports>,
    files: Files,
}

impl Cluster {
    /// Makes a database, starts it with its standby, and waits until that is synchronous.
    pub(crate) fn start(directory: &Path, patroni: &Path, programs: &Programs) -> Result<Cluster> {
        let user = unprivileged_user()?;
        let files = Files { directory: directory.to_owned(), patroni: patroni.to_owned(), user };
        if let Some((user, group)) = user {
            std::os::unix::fs::chown(directory, Some(user), Some(group))?;
        }
        let ports = free_ports(3 * (NODES + 1))?;
        let ports: Vec<Ports> = ports
            .chunks_exact(3)
            .filter_map(|chunk| match chunk {
                [database, rest, raft] => {
                    Some(Ports { database: *database, rest: *rest, raft: *raft })
                }
                _ => None,
            })
            .collect();
        for number in 0..=NODES {
            let text = settings(directory, programs, &ports, number);
            fs::write(directory.join(format!("{}.yml", name(number))), text)?;
        }
        let voter = Node::start(&files, "patroni_raft_controller", &name(NODES))?;
        let mut cluster = Cluster { nodes: [None, None], _voter: voter, ports, files };
        cluster.restart(0)?;
        let leads = until(START_LIMIT, || (cluster.leader() == Some(0)).then_some(()));
        leads.with_context(|| cluster.log(0))?;
        cluster.restart(1)?;
        cluster.wait_for_standby()?;
        Ok(cluster)
    }

    /// The ports of the databases.
    pub(crate) fn database_ports(&self) -> Vec<u16> {
        self.ports.iter().take(NODES).map(|ports| ports.database).collect()
    }

    /// The node whose database takes writes.
    pub(crate) fn leader(&self) -> Option<usize> {
        (0..NODES).find(|node| self.answers(*node, "/primary"))
    }

    /// Waits until a standby has everything that is answered.
    pub(crate) fn wait_for_standby(&self) -> Result<()> {
        let is_there = || (0..NODES).any(|node| self.answers(node, "/synchronous")).then_some(());
        until(START_LIMIT, is_there)
            .with_context(|| format!("no synchronous standby\n{}\n{}", self.log(0), self.log(1)))
    }

    /// Ends a node as a loss of power does.
    pub(crate) fn kill(&mut self, node: usize) {
        self.nodes.get_mut(node).into_iter().for_each(|node| drop(node.take()));
    }

    pub(crate) fn restart(&mut self, node: usize) -> Result<()> {
        let started = Node::start(&self.files, "patroni", &name(node))?;
        self.nodes.get_mut(node).context("there is such a node")?.replace(started);
        Ok(())
    }

    /// What a node says about itself.
    fn answers(&self, node: usize, path: &str) -> bool {
        let Some(ports) = self.ports.get(node) else { return false };
        is_ok(ports.rest, path).unwrap_or(false)
    }

    fn log(&self, node: usize) -> String {
        let path = self.files.directory.join(format!("{}.log", name(node)));
        let text = fs::read_to_string(path).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines.get(lines.len().saturating_sub(15)..).unwrap_or_default().join("\n")
    }
}

fn name(node: usize) -> String {
    format!("node{node}")
}

/// Asks for the status of a page, which is all that is wanted of it.
fn is_ok(port: u16, path: &str) -> Result<bool> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(ASK_TIMEOUT))?;
    stream.write_all(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes())?;
    let mut answer = String::new();
    stream.take(64).read_to_string(&mut answer)?;
    Ok(answer.split(' ').nth(1) == Some("200"))
}

/// Ports that nobody uses at present.
fn free_ports(count: usize) -> Result<Vec<u16>> {
    let bind = |_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let listeners = (0..count).map(bind).collect::<Result<Vec<_>, _>>()?;
    let ports = listeners.iter().map(|listener| Ok(listener.local_addr()?.port()));
    ports.collect()
}

/// The settings of a node, or of the voter, which needs the first part only.
fn settings(directory: &Path, programs: &Programs, ports: &[Ports], number: usize) -> String {
    let addresses: Vec<String> =
        ports.iter().map(|ports| format!("127.0.0.1:{}", ports.raft)).collect();
    let (own, others): (Vec<_>, Vec<_>) =
        addresses.iter().enumerate().partition(|(node, _)| *node == number);
    let own: String = own.into_iter().map(|(_, address)| address.as_str()).collect();
    let others: Vec<&str> = others.into_iter().map(|(_, address)| address.as_str()).collect();
    let (directory, bin) = (directory.display(), programs.directory().display());
    let (database, rest) = ports.get(number).map_or((0, 0), |it| (it.database, it.rest));
    let name = name(number);
    format!(
        "\
scope: failover
name: {name}
raft:
  data_dir: {directory}/raft-{name}
  self_addr: {own}
  partner_addrs: [{others}]
restapi:
  listen: 127.0.0.1:{rest}
  connect_address: 127.0.0.1:{rest}
bootstrap:
  dcs:
    ttl: {TTL_SECS}
    loop_wait: 1
    retry_timeout: 3
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 300
        wal_log_hints: 'on'
        wal_keep_size: 512MB
  initdb: [encoding: UTF8, no-locale, {{auth: trust}}]
postgresql:
  listen: 127.0.0.1:{database}
  connect_address: 127.0.0.1:{database}
  data_dir: {directory}/{name}
  bin_dir: {bin}
  pgpass: {directory}/pgpass-{name}
  authentication:
    superuser: {{username: postgres, password: unused}}
    replication: {{username: replicator, password: unused}}
    rewind: {{username: postgres, password: unused}}
  pg_hba:
    - local all all trust
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
  parameters:
    unix_socket_directories: {directory}
    shared_buffers: 64MB
",
        others = others.join(", ")
    )
}

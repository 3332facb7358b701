//! Plays the pages of the guide that are walks: every file that they show is written, every command
//! is run, and what a page shows as its output is what came out.
//!
//! The fences of a walk say what a block is:
//!
//! | fence | meaning |
//! |---|---|
//! | `sh` | commands, run one after the other in an empty folder; `# ends with 1` after one says how it ends |
//! | `sh server` | the server, which the player has started already |
//! | `text in shop.html` | lines that stand in a page that a command wrote, in this order |
//! | `text` | what the last block of commands printed; a line `…` stands for any lines |
//! | `toml shop.toml` | a file, written as it stands |
//! | `toml >> shop.toml` | what comes at the end of a file |

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use monotable_conformance::server::{Server, Storage};

use super::{python, start_server};
use crate::counts::Counts;
use crate::workspace::Workspace;

const WALKS: &[&str] = &["docs/guide/design-in-an-hour.md"];

/// The endpoint that documents show; commands run against the server of the test instead.
const SHOWN_ENDPOINT: &str = "http://127.0.0.1:8000";

pub(super) fn walks(workspace: &Workspace) -> Result<Counts> {
    let mut counts = Counts::default();
    for page in WALKS {
        let text = fs::read_to_string(workspace.root.join(page)).context(*page)?;
        let steps = steps(&text);
        ensure!(steps.iter().any(|step| matches!(step, Step::Run(_))), "{page} has no commands");
        counts += Walk::begin(workspace)?.play(&steps)?;
    }
    Ok(counts)
}

/// A block of a page.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Write { file: String, text: String },
    Append { file: String, text: String },
    Run(Vec<ShellCommand>),
    Expect(String),
    Find { file: String, lines: String },
}

#[derive(Debug, PartialEq, Eq)]
struct ShellCommand {
    text: String,
    ends_with: i32,
}

struct Walk<'w> {
    workspace: &'w Workspace,
    server: Server,
    folder: tempfile::TempDir,
    /// What the last block of commands printed.
    printed: String,
}

impl<'w> Walk<'w> {
    fn begin(workspace: &'w Workspace) -> Result<Walk<'w>> {
        let server = start_server(workspace, Storage::Disk)?;
        let folder = tempfile::tempdir().context("no temporary folder")?;
        Ok(Walk { workspace, server, folder, printed: String::new() })
    }

    fn play(mut self, steps: &[Step]) -> Result<Counts> {
        let mut counts = Counts::default();
        for step in steps {
            match step {
                Step::Write { file, text } => write(self.folder.path(), file, text)?,
                Step::Append { file, text } => append(self.folder.path(), file, text)?,
                Step::Run(commands) => counts += self.run(commands)?,
                Step::Expect(shown) => {
                    let is_true = matches(shown, &self.printed);
                    if !is_true {
                        self.workspace.say(format!("the page shows something else:\n{shown}"));
                    }
                    counts += Counts::one(is_true);
                }
                Step::Find { file, lines } => counts += self.find(file, lines)?,
            }
        }
        Ok(counts)
    }

    /// Looks for lines in what a page shows.
    fn find(&self, file: &str, lines: &str) -> Result<Counts> {
        let path = self.folder.path().join(file);
        let page = fs::read_to_string(path).with_context(|| format!("cannot read {file}"))?;
        let shown = shown(&page);
        let mut rest = shown.as_str();
        for line in lines.lines() {
            let Some((_, after)) = rest.split_once(line) else {
                self.workspace.say(format!("{file} does not show {line}"));
                return Ok(Counts::one(false));
            };
            rest = after;
        }
        Ok(Counts::one(true))
    }

    fn run(&mut self, commands: &[ShellCommand]) -> Result<Counts> {
        self.printed.clear();
        let mut counts = Counts::default();
        for command in commands {
            self.workspace.say(format!("$ {}", command.text));
            let finished = self.shell(&command.text)?;
            let code = finished.status.code();
            if code != Some(command.ends_with) {
                self.workspace.say(format!("ended with {code:?}, not with {}", command.ends_with));
            }
            counts += Counts::one(code == Some(command.ends_with));
            self.printed.push_str(&finished.output);
        }
        Ok(counts)
    }

    fn shell(&self, command: &str) -> Result<crate::command::Finished> {
        let binary = self.workspace.server_binary();
        let release = binary.parent().context("the server is in a folder")?.to_owned();
        let path = python::path_with([release])?;
        let script = command.replace(SHOWN_ENDPOINT, self.server.endpoint());
        let program = self.workspace.program("sh").directory(self.folder.path());
        let program = program.args(["-c", &script]).env("PATH", path).env("NO_COLOR", "1");
        program.env("AWS_ENDPOINT_URL", self.server.endpoint()).env("COLUMNS", "120").tee()
    }
}

fn write(folder: &Path, file: &str, text: &str) -> Result<()> {
    fs::write(folder.join(file), text).with_context(|| format!("cannot write {file}"))
}

fn append(folder: &Path, file: &str, text: &str) -> Result<()> {
    let path = folder.join(file);
    let before = fs::read_to_string(&path).with_context(|| format!("cannot read {file}"))?;
    write(folder, file, &format!("{before}\n{text}"))
}

/// The blocks of a page that are played.
fn steps(markdown: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        let Some(fence) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        steps.extend(step(fence.trim(), &block.join("\n")));
    }
    steps
}

fn step(fence: &str, block: &str) -> Option<Step> {
    match fence.split_once(' ') {
        None if fence == "sh" => Some(Step::Run(commands(block))),
        None if fence == "text" => Some(Step::Expect(block.to_owned())),
        Some(("text", file)) => {
            Some(Step::Find { file: file.strip_prefix("in ")?.to_owned(), lines: block.to_owned() })
        }
        Some(("toml", file)) => {
            let text = format!("{block}\n");
            Some(match file.strip_prefix(">> ") {
                Some(file) => Step::Append { file: file.to_owned(), text },
                None => Step::Write { file: file.to_owned(), text },
            })
        }
        None | Some(_) => None,
    }
}

/// What a page of HTML shows: its text without tags.
fn shown(page: &str) -> String {
    let parts = page.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    parts.collect()
}

/// The commands of a block, with continued lines joined.
fn commands(block: &str) -> Vec<ShellCommand> {
    let joined = block.replace("\\\n", " ");
    let lines = joined.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.filter(|line| !line.starts_with('#')).map(command).collect()
}

fn command(line: &str) -> ShellCommand {
    let (text, remark) = line.split_once(" # ").unwrap_or((line, ""));
    let code = remark.trim().strip_prefix("ends with ").and_then(|code| code.parse().ok());
    ShellCommand { text: text.trim().to_owned(), ends_with: code.unwrap_or(0) }
}

/// Whether the text is what is shown, where a line `…` stands for any lines. Spaces at the ends of
/// lines do not count.
fn matches(shown: &str, printed: &str) -> bool {
    fn rest(shown: &[&str], printed: &[&str]) -> bool {
        match shown.split_first() {
            None => printed.is_empty(),
            Some((&"…", shown)) => (0..=printed.len())
                .any(|skipped| printed.get(skipped..).is_some_and(|tail| rest(shown, tail))),
            Some((line, shown)) => printed
                .split_first()
                .is_some_and(|(first, printed)| first == line && rest(shown, printed)),
        }
    }
    let lines = |text: &'_ str| -> Vec<String> {
        text.trim().lines().map(|line| line.trim_end().to_owned()).collect()
    };
    let (shown, printed) = (lines(shown), lines(printed));
    let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
    let printed: Vec<&str> = printed.iter().map(String::as_str).collect();
    rest(&shown, &printed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_files_commands_and_outputs() {
        let page = "```toml a.toml\nx = 1\n```\n```toml >> a.toml\ny = 2\n```\n```sh \
                    server\nmonotable serve\n```\n```sh\n# why\na \\\n b # ends with \
                    1\n```\n```text\nout\n```\n```text in a.html\nA#1\n```\n";
        assert_eq!(
            steps(page),
            [
                Step::Write { file: "a.toml".to_owned(), text: "x = 1\n".to_owned() },
                Step::Append { file: "a.toml".to_owned(), text: "y = 2\n".to_owned() },
                Step::Run(vec![ShellCommand { text: "a   b".to_owned(), ends_with: 1 }]),
                Step::Expect("out".to_owned()),
                Step::Find { file: "a.html".to_owned(), lines: "A#1".to_owned() },
            ]
        );
    }

    #[test]
    fn a_page_shows_its_text_without_tags() {
        assert_eq!(shown("<td><code>A#<wbr/>1</code></td> x"), "A#1 x");
    }

    #[test]
    fn an_ellipsis_stands_for_any_lines_and_nothing_else_does() {
        assert!(matches("a\n…\nd", "a\nb\nc\nd\n"));
        assert!(matches("a\n…\nd", "a\nd"));
        assert!(matches("  a", "a   \n"));
        assert!(!matches("a\n…\nd", "a\nb"));
        assert!(!matches("a", "a\nb"));
    }
}

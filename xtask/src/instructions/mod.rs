//! Instructions per call on the hot paths, counted by callgrind and compared with the recorded
//! figures.
//!
//! Time says little on a machine that is shared, but how many instructions a call takes hardly
//! differs between runs. So a change that makes a hot path longer is found here, at the change, by
//! a count that is more than 5 % above the figure in `crates/hot-paths/instructions.txt`. Such a
//! change may still be right: then
//! `cargo xtask instructions --accept` records the new figure, which is reviewed as code is.
//!
//! - [`valgrind`] finds or installs the program, and runs a scenario of `crates/hot-paths` under
//!   it,
//! - [`profile`] reads what it wrote,
//! - [`figures`] is the file of recorded figures,
//! - [`verdict`] compares, and [`report`] says what came out and what to do.

mod figures;
mod profile;
mod report;
mod valgrind;
mod verdict;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use self::figures::Figures;
use self::report::Circumstances;
use self::valgrind::Valgrind;
use crate::counts::Counts;
use crate::workspace::Workspace;

/// Where the figures are recorded, relative to the root.
const FIGURES: &str = "crates/hot-paths/instructions.txt";
/// What records the figures of a run.
const ACCEPT_COMMAND: &str = "cargo xtask instructions --accept";
/// How often a scenario makes its call while it is counted. The count of a call is the mean of
/// these.
const ITERATIONS: u64 = 200;

/// Counts, compares and prints; each scenario is one check.
pub(crate) fn check(workspace: &Workspace) -> Result<Counts> {
    let Some(counted) = count(workspace)? else { return Ok(Counts::default()) };
    let recorded = read_figures(workspace)?;
    let comparisons = verdict::compare(&recorded, &counted);
    let circumstances = Circumstances {
        recorded_with: &recorded.toolchain,
        counted_with: &counted.toolchain,
        profiles: &valgrind::profiles(workspace),
    };
    print!("{}", report::text(&comparisons, &circumstances));
    let failed = comparisons.iter().filter(|comparison| comparison.is_failure()).count() as u64;
    Ok(Counts { passed: comparisons.len() as u64 - failed, failed })
}

/// Counts, and records what was counted.
pub(crate) fn accept(workspace: &Workspace) -> Result<()> {
    let counted = count(workspace)?.context("figures are recorded on x86-64 Linux only")?;
    let recorded = read_figures(workspace).unwrap_or_default();
    let comparisons = verdict::compare(&recorded, &counted);
    print!("{}", report::table(&comparisons));
    fs::write(workspace.root.join(FIGURES), counted.to_string())?;
    println!("recorded in {FIGURES}; say why in the message of the commit");
    Ok(())
}

/// What every scenario takes, or nothing on a system whose instructions are not those of the
/// figures.
fn count(workspace: &Workspace) -> Result<Option<Figures>> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        ensure!(std::env::var_os("CI").is_none(), "instructions are counted on x86-64 Linux only");
        println!("not compared: the figures are those of x86-64 Linux");
        return Ok(None);
    }
    let valgrind = Valgrind::find(workspace)?;
    let binary = build(workspace)?;
    let mut figures = Figures { toolchain: toolchain(workspace)?, ..Figures::default() };
    for scenario in workspace.program(&binary).output()?.lines() {
        let total = valgrind.count(&binary, scenario, ITERATIONS)?;
        figures.instructions.insert(scenario.to_owned(), total / ITERATIONS);
    }
    Ok(Some(figures))
}

/// Builds the scenarios, which are there already if the step `build` has run.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    let built = workspace.release_build().tee()?;
    ensure!(built.status.success(), "the scenarios do not compile");
    Ok(workspace.target.join("release").join("hot-paths"))
}

fn toolchain(workspace: &Workspace) -> Result<String> {
    let version = workspace.program("rustc").args(["--version"]).output()?;
    let version = version.split_whitespace().nth(1);
    Ok(version.context("rustc says no version")?.to_owned())
}

fn read_figures(workspace: &Workspace) -> Result<Figures> {
    let missing = || format!("{FIGURES} cannot be read; {ACCEPT_COMMAND} writes it");
    let text = fs::read_to_string(workspace.root.join(FIGURES)).with_context(missing)?;
    text.parse().with_context(|| format!("{FIGURES} is not a file of figures"))
}

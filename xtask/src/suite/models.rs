//! The models of `crates/conformance/models`, played on both engines. The server's clock stands
//! still but for the steps that move it to where items expire.

use anyhow::Result;
use monotable_conformance::models;
use monotable_conformance::server::Storage;

use super::start_server_with;
use crate::counts::Counts;
use crate::workspace::Workspace;

pub(super) fn on_disk(workspace: &Workspace) -> Result<Counts> {
    play(workspace, Storage::Disk)
}

pub(super) fn in_memory(workspace: &Workspace) -> Result<Counts> {
    play(workspace, Storage::Memory)
}

fn play(workspace: &Workspace, storage: Storage) -> Result<Counts> {
    let server = start_server_with(workspace, storage, &["--clock", "manual"])?;
    play_at(workspace, server.endpoint(), |_| true)
}

/// Plays the models whose names are wanted at an endpoint.
pub(super) fn play_at(
    workspace: &Workspace,
    endpoint: &str,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Counts> {
    let mut total = models::Tally::default();
    for model in models::load_all()?.into_iter().filter(|model| is_wanted(&model.name)) {
        let report = models::play(&model, endpoint)?;
        workspace.say(&report);
        total += report.tally;
    }
    workspace.say(total);
    Ok(Counts { passed: total.passed, failed: total.failed })
}

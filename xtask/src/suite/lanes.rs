//! Steps side by side: each lane takes the next step that nobody has begun.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Step, StepResult};
use crate::counts::Counts;
use crate::transcript::Transcript;
use crate::workspace::Workspace;

/// Runs steps, and returns what they counted in their order. One step alone shows what it does
/// while it does it; of several each is shown when it is done.
pub(super) fn run(workspace: &Workspace, steps: &[&Step]) -> Vec<StepResult> {
    if let [step] = steps {
        return vec![play(workspace, step)];
    }
    let lanes = thread::available_parallelism().map_or(1, NonZero::get).min(steps.len());
    let waiting: Mutex<VecDeque<(usize, &Step)>> =
        Mutex::new(steps.iter().copied().enumerate().collect());
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..lanes {
            scope.spawn(|| {
                while let Some((place, step)) = next(&waiting) {
                    workspace.say(format!("... {} has begun", step.name));
                    let transcript = Transcript::kept();
                    let result = play(&workspace.with_transcript(&transcript), step);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    transcript.show();
                    done.push((place, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

fn next<'s>(waiting: &Mutex<VecDeque<(usize, &'s Step)>>) -> Option<(usize, &'s Step)> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
}

fn play(workspace: &Workspace, step: &Step) -> StepResult {
    workspace.say(format!("\n=== {}: {}", step.name, step.title));
    let (counts, took) = timed(|| outcome(workspace, step));
    workspace.say(format!(
        "--- {}: {} passed, {} failed, {took:.1?}",
        step.name, counts.passed, counts.failed
    ));
    (step.name, counts, took)
}

/// What a step counted. A step that could not run at all counts as one failure, never as nothing.
fn outcome(workspace: &Workspace, step: &Step) -> Counts {
    (step.run)(workspace).unwrap_or_else(|error| {
        workspace.say(format!("error: {error:#}"));
        Counts::one(false)
    })
}

#[expect(clippy::disallowed_methods, reason = "the report says how long each step really took")]
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

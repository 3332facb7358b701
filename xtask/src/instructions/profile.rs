//! What callgrind writes: costs by function, and the sum of them at the end.

use anyhow::{Context, Result, ensure};

/// The instructions that a profile counts in all.
///
/// ```text
/// events: Ir
/// …
/// totals: 569486
/// ```
pub(super) fn total_instructions(profile: &str) -> Result<u64> {
    let line = |name: &str| profile.lines().find_map(|line| line.strip_prefix(name));
    let events = line("events:").context("the profile names no events")?.trim();
    ensure!(events == "Ir", "the profile counts {events}, not instructions alone");
    let total = line("totals:").context("the profile has no totals; was it written to its end?")?;
    let total = total.trim().parse().with_context(|| format!("totals:{total}"))?;
    // Nothing is counted if the function whose instructions count is not found by its name.
    ensure!(total > 0, "the profile counts no instruction: the counted function was not found");
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILE: &str = "# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 30185
cmd:  target/release/hot-paths item-encode 100
part: 1

desc: I1 cache:
desc: Trigger: Program termination

positions: line
events: Ir
summary: 569486


ob=(1) target/release/hot-paths
fl=(1) ???
fn=(1) hot_paths::repeat::counted
0 12
cfn=(2)
calls=100 0
0 569474

totals: 569486
";

    #[test]
    fn the_total_is_what_was_counted() {
        assert_eq!(total_instructions(PROFILE).unwrap(), 569_486);
    }

    #[test]
    fn a_profile_without_a_count_is_an_error() {
        let cut = PROFILE.split("totals:").next().unwrap();
        let empty = PROFILE.replace("totals: 569486", "totals: 0");
        let others = PROFILE.replace("events: Ir", "events: Ir Dr Dw");
        for (profile, expected) in [
            (cut, "the profile has no totals; was it written to its end?"),
            (&empty, "the profile counts no instruction: the counted function was not found"),
            (&others, "the profile counts Ir Dr Dw, not instructions alone"),
            ("", "the profile names no events"),
        ] {
            assert_eq!(total_instructions(profile).unwrap_err().to_string(), expected);
        }
    }
}

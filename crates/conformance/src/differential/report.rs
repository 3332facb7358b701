//! Findings as text: a script to read and to play by hand.

use std::fmt::Write;

use super::{Answer, Aspect, Finding, Findings};

/// All findings, the most frequent first.
pub fn text(findings: &Findings) -> String {
    let mut listed: Vec<&Finding> = findings.by_signature.values().collect();
    listed.sort_by_key(|finding| std::cmp::Reverse(finding.count));
    let mut text = String::new();
    for (number, finding) in listed.into_iter().enumerate() {
        write_finding(&mut text, number + 1, finding).expect("a string takes all");
    }
    let (differences, histories, calls) =
        (findings.by_signature.len(), findings.histories, findings.calls);
    text.push_str(&format!(
        "{differences} differences in {calls} calls of {histories} histories\n"
    ));
    text
}

fn write_finding(text: &mut String, number: usize, finding: &Finding) -> std::fmt::Result {
    let Finding { count, seed, calls, difference } = finding;
    let what = match &difference.aspect {
        Aspect::NoAnswer => "one endpoint does not answer".to_owned(),
        Aspect::Status => "the status differs".to_owned(),
        Aspect::ErrorType => "the error differs".to_owned(),
        Aspect::Message => "the text of the error differs".to_owned(),
        Aspect::Body(place) => format!("the answer differs at {place}"),
    };
    writeln!(text, "## {number}. {}: {what}", difference.action)?;
    writeln!(text, "met in {count} histories, first in that of seed {seed}\n")?;
    for (step, call) in calls.iter().enumerate() {
        writeln!(text, "{}. {} {}", step + 1, call.action, call.request)?;
    }
    let answer = |answer: &Answer| format!("{} {}", answer.status, answer.body);
    writeln!(text, "\nours:      {}", answer(&difference.ours))?;
    writeln!(text, "reference: {}\n", answer(&difference.theirs))
}

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
    let differences = counted(findings.by_signature.len() as u64, "difference", "differences");
    let calls = counted(findings.calls, "call", "calls");
    let histories = counted(findings.histories, "history", "histories");
    text.push_str(&format!("{differences} in {calls} of {histories}\n"));
    text
}

/// A number with its noun.
fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
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
    let histories = counted(*count as u64, "history", "histories");
    writeln!(text, "met in {histories}, first in that of seed {seed}\n")?;
    for (step, call) in calls.iter().enumerate() {
        writeln!(text, "{}. {} {}", step + 1, call.action, call.request)?;
    }
    let answer = |answer: &Answer| format!("{} {}", answer.status, answer.body);
    writeln!(text, "\nours:      {}", answer(&difference.ours))?;
    writeln!(text, "reference: {}\n", answer(&difference.theirs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_agree_with_their_numbers() {
        let mut findings = Findings { histories: 103, calls: 4120, ..Findings::default() };
        assert_eq!(text(&findings), "0 differences in 4120 calls of 103 histories\n");
        findings.histories = 1;
        findings.calls = 1;
        assert_eq!(text(&findings), "0 differences in 1 call of 1 history\n");
        assert_eq!(counted(1, "difference", "differences"), "1 difference");
    }
}

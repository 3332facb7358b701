//! A decision with its reasons, for people.

use std::io;

use monotable_policy::{
    Decision, Effect, Explanation, PolicyKind, Question, StatementRef, StatementTrace,
};

use crate::output::{self, Style};

pub(super) fn print(question: &Question<'_>, explanation: &Explanation<'_>) -> io::Result<()> {
    let (style, word, modal) = if explanation.decision.is_allowed() {
        (Style::Added, "allowed", "may")
    } else {
        (Style::Failure, "denied", "may not")
    };
    let Question { principal, action, resource, .. } = question;
    let on = if *resource == "*" { String::new() } else { format!(" on {resource}") };
    let word = output::styled(style, word);
    output::line(&format!("{word}: {} {modal} {action}{on}", principal.arn()))?;
    for line in reasons(question, &explanation.decision) {
        output::line(&format!("  {line}"))?;
    }
    let near = near_misses(explanation);
    if !near.is_empty() {
        output::line("\nNearly:")?;
    }
    near.into_iter().try_for_each(print_trace)
}

/// What made the decision.
fn reasons(question: &Question<'_>, decision: &Decision<'_>) -> Vec<String> {
    let by = |place: &StatementRef<'_>| format!("by {}", statement(place));
    match decision {
        Decision::Allowed { identity, resource } => {
            identity.iter().chain(resource).map(by).collect()
        }
        Decision::DeniedBy(place) => vec![by(place)],
        Decision::NotAllowed { missing } => {
            let who = match missing {
                PolicyKind::Identity => "no policy of the user allows it",
                PolicyKind::Resource => "no policy of the resource allows it",
            };
            let why = match (question.is_cross_account(), missing) {
                (false, _) => "",
                (true, _) => "; across accounts both the user's and the resource's must",
            };
            vec![format!("{who}{why}")]
        }
    }
}

/// The statements that would have changed the decision, had a little been different: those that are
/// about the action and could have allowed it. If there are none, those that are about other
/// actions.
fn near_misses<'e, 'p>(explanation: &'e Explanation<'p>) -> Vec<&'e StatementTrace<'p>> {
    if !matches!(explanation.decision, Decision::NotAllowed { .. }) {
        let would_deny = |trace: &&StatementTrace<'_>| {
            explanation.decision.is_allowed()
                && trace.statement.effect() == Effect::Deny
                && trace.nearly_applies()
        };
        return explanation.statements.iter().filter(would_deny).collect();
    }
    let allows = || {
        let statements = explanation.statements.iter();
        statements.filter(|trace| trace.statement.effect() == Effect::Allow)
    };
    let is_near = |trace: &&StatementTrace<'_>| {
        trace.nearly_applies() || trace.applies() && trace.names_only_account
    };
    let near: Vec<_> = allows().filter(is_near).collect();
    if near.is_empty() { allows().filter(|trace| !trace.applies()).collect() } else { near }
}

fn print_trace(trace: &StatementTrace<'_>) -> io::Result<()> {
    output::line(&format!("  {}", statement(&trace.statement)))?;
    for mismatch in &trace.mismatches {
        output::line(&format!("    {mismatch}"))?;
    }
    if trace.applies() && trace.names_only_account {
        output::line(
            "    Principal is the user's own account, which only lets the user's policies allow",
        )?;
    }
    Ok(())
}

fn statement(place: &StatementRef<'_>) -> String {
    let effect = match place.effect() {
        Effect::Allow => output::styled(Style::Added, "Allow"),
        Effect::Deny => output::styled(Style::Removed, "Deny"),
    };
    format!("{effect} {place}")
}

//! A decision with its reasons, for programs.

use std::io;

use monotable_policy::{
    Decision, Effect, Explanation, PolicyKind, Question, StatementRef, StatementTrace,
};
use serde_json::{Value, json};

use crate::output;

pub(super) fn print(question: &Question<'_>, explanation: &Explanation<'_>) -> io::Result<()> {
    let decision = &explanation.decision;
    let statements: Vec<Value> =
        explanation.statements.iter().map(|trace| statement(trace, decision)).collect();
    let object = json!({
        "decision": if decision.is_allowed() { "allowed" } else { "denied" },
        "reason": reason(decision),
        "principal": question.principal.arn(),
        "action": question.action,
        "resource": question.resource,
        "statements": statements,
    });
    output::line(&format!("{object:#}"))
}

fn reason(decision: &Decision<'_>) -> &'static str {
    match decision {
        Decision::Allowed { .. } => "allow",
        Decision::DeniedBy(_) => "explicit-deny",
        Decision::NotAllowed { missing: PolicyKind::Identity } => "no-identity-policy-allows",
        Decision::NotAllowed { missing: PolicyKind::Resource } => "no-resource-policy-allows",
    }
}

fn statement(trace: &StatementTrace<'_>, decision: &Decision<'_>) -> Value {
    let place = &trace.statement;
    let mismatches: Vec<String> = trace.mismatches.iter().map(ToString::to_string).collect();
    json!({
        "policy": place.policy().name(),
        "kind": match place.policy().kind() {
            PolicyKind::Identity => "identity",
            PolicyKind::Resource => "resource",
        },
        "index": place.index(),
        "sid": place.sid(),
        "effect": match place.effect() {
            Effect::Allow => "Allow",
            Effect::Deny => "Deny",
        },
        "applies": trace.applies(),
        "decides": decides(place, decision),
        "mismatches": mismatches,
    })
}

fn decides(place: &StatementRef<'_>, decision: &Decision<'_>) -> bool {
    match decision {
        Decision::Allowed { identity, resource } => {
            [identity, resource].into_iter().flatten().any(|by| by == place)
        }
        Decision::DeniedBy(by) => by == place,
        Decision::NotAllowed { .. } => false,
    }
}

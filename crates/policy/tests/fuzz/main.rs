//! Random policies and requests, against a model that is as plain as possible.
//!
//! Every run plays the same histories. `MONOTABLE_FUZZ_SECONDS=600` plays on for that long, and
//! `MONOTABLE_FUZZ_SEED=7` begins elsewhere; a failure names the seed of its history.

mod generator;
mod model;
mod mutation;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use generator::{Random, Scene};
use monotable_policy::{
    Decision, FactTable, Facts, Policy, PolicyKind, Question, Values, decide, explain,
};

const DENY_ALL: &str = r#"{"Statement":{"Effect":"Deny","Action":"*","Resource":"*"}}"#;
const ALLOW_ALL: &str = r#"{"Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}"#;
const ITERATIONS: u64 = 5_000;

/// Plays histories until there are enough of them.
fn play(history: impl Fn(u64)) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("MONOTABLE_FUZZ_SEED").unwrap_or(1);
    let mut played = 0;
    let is_enough: Box<dyn Fn(u64) -> bool> = match number("MONOTABLE_FUZZ_SECONDS") {
        None => Box::new(|played| played == ITERATIONS),
        Some(seconds) => {
            let end = now() + Duration::from_secs(seconds);
            Box::new(move |played| played.is_multiple_of(256) && now() > end)
        }
    };
    while !is_enough(played) {
        history(first + played);
        played += 1;
    }
    println!("{played} histories");
}

#[expect(clippy::disallowed_methods, reason = "only the length of a run depends on it")]
fn now() -> Instant {
    Instant::now()
}

/// Facts that remember what was asked for.
struct Recorded<'a> {
    facts: &'a FactTable,
    asked: RefCell<BTreeSet<String>>,
}

impl Facts for Recorded<'_> {
    fn values(&self, key: &str) -> Option<Values<'_>> {
        self.asked.borrow_mut().insert(key.to_owned());
        self.facts.values(key)
    }
}

fn check_scene(seed: u64) {
    let scene = Scene::random(&mut Random::new(seed));
    let parse = |kind, json: &String| {
        Policy::parse(kind, "p", json)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{json}"))
    };
    let mut identity: Vec<Policy> =
        scene.identity_documents().iter().map(|json| parse(PolicyKind::Identity, json)).collect();
    let resource = scene.resource_document().map(|json| parse(PolicyKind::Resource, &json));
    let table = scene.facts();
    let facts = Recorded { facts: &table, asked: RefCell::default() };
    let question = Question {
        principal: &scene.principal,
        action: &scene.action,
        resource: &scene.resource,
        facts: &facts,
    };

    let decision = decide(&identity, resource.as_ref(), &question);
    let verdict = model::decide(&scene);
    assert_eq!(verdict, model::verdict_of(&decision), "seed {seed}: {scene:#?}");
    let explanation = explain(&identity, resource.as_ref(), &question);
    assert_eq!(explanation.decision, decision, "seed {seed}");
    for key in facts.asked.borrow().iter() {
        let is_mentioned = identity.iter().chain(&resource).any(|policy| policy.mentions(key));
        assert!(is_mentioned, "seed {seed}: {key} was asked for");
    }

    let was_denied = matches!(decision, Decision::DeniedBy(_));
    let was_allowed = decision.is_allowed();
    identity.push(Policy::parse_identity("all", ALLOW_ALL).unwrap());
    let after_allow = decide(&identity, resource.as_ref(), &question);
    assert!(!was_allowed || after_allow.is_allowed(), "seed {seed}: an allow took a right away");
    assert!(!was_denied || !after_allow.is_allowed(), "seed {seed}: an allow won over a deny");
    identity.push(Policy::parse_identity("none", DENY_ALL).unwrap());
    let after_deny = decide(&identity, resource.as_ref(), &question);
    assert!(matches!(after_deny, Decision::DeniedBy(_)), "seed {seed}: a deny did not win");
}

fn check_mutation(seed: u64) {
    let random = &mut Random::new(seed);
    let scene = Scene::random(random);
    let mut documents = scene.identity_documents();
    documents.extend(scene.resource_document());
    let Some(document) = documents.first() else { return };
    let mutated = mutation::mutate(document, random);
    for kind in [PolicyKind::Identity, PolicyKind::Resource] {
        let Ok(policy) = Policy::parse(kind, "p", &mutated) else { continue };
        let facts = scene.facts();
        let question = Question {
            principal: &scene.principal,
            action: &scene.action,
            resource: &scene.resource,
            facts: &facts,
        };
        let policies = [&policy];
        let decision = decide(&policies, None, &question);
        assert_eq!(
            decision,
            explain(&policies, None, &question).decision,
            "seed {seed}: {mutated}"
        );
        policy.findings();
    }
}

#[test]
fn decisions_are_those_of_the_model_and_a_deny_wins() {
    play(check_scene);
}

#[test]
fn a_document_that_was_tampered_with_is_read_or_refused() {
    play(check_mutation);
}

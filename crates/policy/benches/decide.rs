//! How long a decision takes: `cargo bench -p monotable-policy`.
//!
//! On Linux the time is that of the processor, so that other work on the machine does not count.

use std::hint::black_box;
use std::time::Instant;

use monotable_policy::{FactTable, Policy, PrincipalName, Question, decide};

const ROUNDS: u32 = 2_000_000;

const PLAIN: &str = r#"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"}}"#;

const TENANTS: &str = include_str!("../../../examples/policies/tenants.json");

const DENIALS: &str = include_str!("../../../examples/policies/safeguards.json");

fn main() {
    let plain = [Policy::parse_identity("plain", PLAIN).expect("a policy")];
    let read_only = [Policy::managed("AmazonDynamoDBReadOnlyAccess").expect("a known name")];
    let tenants = [Policy::parse_identity("tenants", TENANTS).expect("a policy")];
    let [allow] = plain.clone();
    let guarded = [allow, Policy::parse_identity("denials", DENIALS).expect("a policy")];
    measure("everything is allowed", &plain);
    measure("read only, by nine actions", &read_only);
    measure("leading keys by the user's name", &tenants);
    measure("allowed, with three denials that do not apply", &guarded);
}

fn measure(name: &str, policies: &[Policy]) {
    let mut facts = FactTable::new();
    facts.add("dynamodb:LeadingKeys", "TENANT#alice#ORDERS");
    facts.add("aws:SecureTransport", "true");
    facts.add("aws:SourceIp", "192.0.2.17");
    let principal = PrincipalName::user("000000000000", "alice");
    let question = Question {
        principal: &principal,
        action: "dynamodb:Query",
        resource: "arn:aws:dynamodb:us-east-1:000000000000:table/Shop",
        facts: &facts,
    };
    assert!(decide(policies, None, &question).is_allowed());
    let start = (Instant::now(), processor_nanos());
    for _ in 0..ROUNDS {
        black_box(decide(black_box(policies), None, black_box(&question)));
    }
    let on_processor = processor_nanos().zip(start.1).map(|(end, start)| end - start);
    let nanos = on_processor.unwrap_or_else(|| start.0.elapsed().as_nanos() as f64);
    let nanos = nanos / f64::from(ROUNDS);
    println!("{nanos:8.1} ns  {name}");
}

/// The time that this thread has had on a processor.
fn processor_nanos() -> Option<f64> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    statistics.split(' ').next()?.parse().ok()
}

//! Decisions that AWS documents, in the files of `tests/cases`.
//!
//! A file begins with `source:` and the page that its facts are known from; comments name others.
//! Then:
//!
//! ```text
//! policy NAME:            a policy of a user, and `resource-policy NAME:` one of a resource, up to
//! an empty line condition NAME: …       a policy of a user that allows everything under these
//! conditions
//!
//! POLICIES+RESOURCE-POLICY | USER@ACCOUNT ACTION RESOURCE | KEY=VALUE KEY=VALUE => EXPECTED
//! ```
//!
//! Of a case, the resource's policy and the account may be missing, `-` is a user without policies,
//! and policies that AWS manages are known by their names.

use std::collections::BTreeMap;
use std::path::Path;

use monotable_policy::{
    Decision, FactTable, Policy, PolicyKind, PrincipalName, Question, StatementRef, decide, explain,
};

const ACCOUNT: &str = "123456789012";
const ARN_LEAD: &str = "arn:aws:dynamodb:us-west-2:123456789012:";

struct Case {
    line: usize,
    text: String,
    identity: Vec<Policy>,
    resource_policy: Option<Policy>,
    principal: PrincipalName,
    action: String,
    resource: String,
    facts: FactTable,
    expected: String,
}

impl Case {
    /// Says what is wrong, if anything is.
    fn failure(&self) -> Option<String> {
        let question = Question {
            principal: &self.principal,
            action: &self.action,
            resource: &self.resource,
            facts: &self.facts,
        };
        let decision = decide(&self.identity, self.resource_policy.as_ref(), &question);
        let explanation = explain(&self.identity, self.resource_policy.as_ref(), &question);
        let found = text_of(&decision);
        if explanation.decision != decision {
            return Some(format!("decided {found}, explained {:?}", explanation.decision));
        }
        (found != self.expected).then(|| format!("expected {}, found {found}", self.expected))
    }
}

fn text_of(decision: &Decision<'_>) -> String {
    let name = |place: &StatementRef<'_>| format!("{}[{}]", place.policy().name(), place.index());
    match decision {
        Decision::Allowed { identity, resource } => {
            let names: Vec<String> = identity.iter().chain(resource).map(name).collect();
            format!("allowed by {}", names.join(" and "))
        }
        Decision::DeniedBy(place) => format!("denied by {}", name(place)),
        Decision::NotAllowed { missing: PolicyKind::Identity } => "not allowed".to_owned(),
        Decision::NotAllowed { missing: PolicyKind::Resource } => {
            "not allowed by resource".to_owned()
        }
    }
}

/// Reads the cases of a file.
fn cases(text: &str) -> Vec<Case> {
    let mut policies: BTreeMap<String, Policy> = BTreeMap::new();
    let mut cases = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if line.is_empty() || line.starts_with('#') || line.starts_with("source: https://") {
            continue;
        }
        if line.contains("=>") {
            cases.push(case(index + 1, line, &policies));
            continue;
        }
        let (head, rest) = line.split_once(':').unwrap_or_else(|| panic!("{line}"));
        let (word, name) = head.split_once(' ').unwrap_or_else(|| panic!("{line}"));
        let document = match word {
            "condition" => format!(
                r#"{{"Version":"2012-10-17","Statement":{{"Effect":"Allow","Action":"*","Resource":"*","Condition":{{{rest}}}}}}}"#
            ),
            _ => lines.by_ref().map(|(_, line)| line).take_while(|line| !line.is_empty()).collect(),
        };
        let policy = match word {
            "policy" | "condition" => Policy::parse_identity(name, &document),
            "resource-policy" => Policy::parse_resource(name, &document),
            _ => panic!("{line}"),
        };
        let policy = policy.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(policies.insert(name.to_owned(), policy).is_none(), "{name} is there twice");
    }
    cases
}

fn case(line: usize, text: &str, policies: &BTreeMap<String, Policy>) -> Case {
    let (question, expected) = text.split_once("=>").unwrap_or_else(|| panic!("{text}"));
    let parts: Vec<&str> = question.split('|').map(str::trim).collect();
    let [names, request, facts] = parts[..] else { panic!("{text}") };
    let find = |name: &str| {
        let known = || policies.get(name).cloned().or_else(|| Policy::managed(name));
        known().unwrap_or_else(|| panic!("no policy {name}"))
    };
    let (identity, resource_policy) = match names.split_once('+') {
        Some((identity, resource)) => (identity, Some(find(resource))),
        None => (names, None),
    };
    let identity = identity.split(',').filter(|name| !matches!(*name, "" | "-")).map(find);
    let words: Vec<&str> = request.split(' ').collect();
    let [who, action, resource] = words[..] else { panic!("{text}") };
    let (user, account) = who.split_once('@').unwrap_or((who, ACCOUNT));
    let mut table = FactTable::new();
    for fact in facts.split(' ').filter(|fact| !fact.is_empty()) {
        let (key, value) = fact.split_once('=').unwrap_or_else(|| panic!("{text}"));
        table.add(key, value);
    }
    let is_whole = resource == "*" || resource.starts_with("arn:");
    Case {
        line,
        text: text.to_owned(),
        identity: identity.collect(),
        resource_policy,
        principal: PrincipalName::user(account, user),
        action: format!("dynamodb:{action}"),
        resource: if is_whole { resource.to_owned() } else { format!("{ARN_LEAD}{resource}") },
        facts: table,
        expected: expected.trim().to_owned(),
    }
}

#[test]
fn decisions_are_those_that_aws_documents() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut failures = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("source: https://docs.aws.amazon.com/"), "{name} has no source");
        for case in cases(&text) {
            count += 1;
            let failure = case.failure();
            failures
                .extend(failure.map(|why| format!("{name}:{}: {why}\n  {}", case.line, case.text)));
        }
    }
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    assert!(count >= 300, "only {count} cases were found");
}

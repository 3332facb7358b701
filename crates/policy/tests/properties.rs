//! What holds for any text and for any policy.

use monotable_policy::{
    FactTable, NoFacts, Policy, PolicyKind, PrincipalName, Question, decide, explain,
};
use proptest::prelude::*;

/// JSON whose names and texts are often those of policies.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let words = prop::sample::select(vec![
        "2012-10-17",
        "Allow",
        "Deny",
        "*",
        "dynamodb:*",
        "dynamodb:GetItem",
        "arn:aws:dynamodb:*:*:table/*",
        "${aws:username}",
        "${",
        "true",
        "10.0.0.0/8",
        "2020-01-01",
        "123456789012",
    ]);
    let names = prop::sample::select(vec![
        "Version",
        "Statement",
        "Effect",
        "Action",
        "NotAction",
        "Resource",
        "NotResource",
        "Principal",
        "AWS",
        "Condition",
        "Sid",
        "StringLike",
        "ForAllValues:StringEquals",
        "IpAddress",
        "DateLessThan",
        "Null",
        "aws:username",
        "dynamodb:LeadingKeys",
    ]);
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        words.prop_map(Into::into),
        ".{0,12}".prop_map(Into::into),
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        let member = (names.clone(), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Into::into),
            prop::collection::vec(member, 0..6).prop_map(|members| {
                members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
            }),
        ]
    })
}

fn ask(policy: &Policy) {
    let principal = PrincipalName::user("123456789012", "alice");
    let resource = "arn:aws:dynamodb:us-west-2:123456789012:table/t";
    let question =
        Question { principal: &principal, action: "dynamodb:GetItem", resource, facts: &NoFacts };
    let policies = [policy];
    let decision = decide(&policies, None, &question);
    assert_eq!(decision, explain(&policies, None, &question).decision);
    policy.findings();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_text_is_a_policy_or_an_error(text in ".{0,200}") {
        for kind in [PolicyKind::Identity, PolicyKind::Resource] {
            let _ = Policy::parse(kind, "p", &text);
        }
    }

    #[test]
    fn any_bytes_are_a_policy_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Policy::parse_identity("p", &String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_json_is_a_policy_or_an_error(value in json()) {
        for kind in [PolicyKind::Identity, PolicyKind::Resource] {
            if let Ok(policy) = Policy::parse(kind, "p", &value.to_string()) {
                ask(&policy);
            }
        }
    }

    #[test]
    fn any_member_of_a_statement_is_read_or_refused(
        action in json(), resource in json(), condition in json(), principal in json(),
    ) {
        let statement = serde_json::json!({
            "Effect": "Allow", "Action": action, "Resource": resource, "Condition": condition,
        });
        let mut of_resource = statement.clone();
        of_resource["Principal"] = principal;
        for (kind, statement) in [(PolicyKind::Identity, statement),
            (PolicyKind::Resource, of_resource)] {
            let document = serde_json::json!({ "Version": "2012-10-17", "Statement": statement });
            if let Ok(policy) = Policy::parse(kind, "p", &document.to_string()) {
                ask(&policy);
            }
        }
    }

    #[test]
    fn values_of_any_form_can_be_compared(value in ".{0,40}", operator in 0_usize..9) {
        let conditions = [
            r#""StringLike":{"a:k":"a*b?"}"#, r#""StringEqualsIgnoreCase":{"a:k":"ÄÖ"}"#,
            r#""NumericLessThan":{"a:k":"5"}"#, r#""DateGreaterThan":{"a:k":"2020"}"#,
            r#""Bool":{"a:k":"true"}"#, r#""BinaryEquals":{"a:k":"AAAA"}"#,
            r#""NotIpAddress":{"a:k":"10.0.0.0/8"}"#, r#""ArnLike":{"a:k":"arn:*:*:*:*:*"}"#,
            r#""StringEquals":{"a:x":"${a:k}"}"#,
        ];
        let json = format!(
            r#"{{"Version":"2012-10-17","Statement":{{"Effect":"Allow","Action":"*","Resource":"*","Condition":{{{}}}}}}}"#,
            conditions[operator],
        );
        let policy = [Policy::parse_identity("p", &json).unwrap()];
        let mut facts = FactTable::new();
        facts.add("a:k", &value);
        facts.add("a:x", &value);
        let principal = PrincipalName::user("123456789012", "alice");
        let question = Question { principal: &principal, action: "dynamodb:Query", resource: "*",
            facts: &facts };
        let is_allowed = decide(&policy, None, &question).is_allowed();
        // A value is equal to itself through a variable, whatever it is.
        prop_assert!(operator != 8 || is_allowed);
    }
}

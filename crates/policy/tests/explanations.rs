//! What is said about statements that do not apply.

use expect_test::{Expect, expect};
use monotable_policy::{FactTable, Policy, PrincipalName, Question, explain};

#[track_caller]
fn explained(
    policy: &str,
    resource_policy: Option<&str>,
    facts: &[(&str, &str)],
    expected: &Expect,
) {
    let policy = [Policy::parse_identity("mine", policy).unwrap()];
    let resource_policy =
        resource_policy.map(|json| Policy::parse_resource("table", json).unwrap());
    let mut table = FactTable::new();
    facts.iter().for_each(|(key, value)| table.add(key, value));
    let principal = PrincipalName::user("000000000000", "alice");
    let question = Question {
        principal: &principal,
        action: "dynamodb:GetItem",
        resource: "arn:aws:dynamodb:eu-west-2:000000000000:table/Orders",
        facts: &table,
    };
    let explanation = explain(&policy, resource_policy.as_ref(), &question);
    let mut text = format!("{:?}\n", explanation.decision);
    for trace in &explanation.statements {
        let word = match (trace.applies(), trace.nearly_applies()) {
            (true, _) => "applies",
            (false, true) => "nearly applies",
            (false, false) => "does not apply",
        };
        text += &format!("{} {word}\n", trace.statement);
        trace.mismatches.iter().for_each(|mismatch| text += &format!("  {mismatch}\n"));
    }
    expected.assert_eq(&text);
}

#[test]
fn every_reason_is_given() {
    explained(
        r#"{"Version":"2012-10-17","Statement":[
            {"Sid":"Tenant","Effect":"Allow","Action":"dynamodb:Get*","Resource":"*",
             "Condition":{"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["TENANT#${aws:PrincipalTag/tenant}#*"]},
                          "Bool":{"aws:SecureTransport":"true"}}},
            {"Effect":"Allow","Action":["dynamodb:Query","dynamodb:Scan"],"Resource":"arn:aws:dynamodb:*:*:table/Other"},
            {"Effect":"Allow","Action":"dynamodb:GetItem","Resource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/t}"},
            {"Effect":"Deny","NotAction":"dynamodb:Get*","Resource":"*"}]}"#,
        Some(
            r#"{"Statement":[{"Effect":"Allow","Principal":{"AWS":["000000000000"]},"Action":"dynamodb:*","Resource":"*"},
                {"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::000000000000:user/bob"},"Action":"dynamodb:*","Resource":"*"}]}"#,
        ),
        &[("dynamodb:LeadingKeys", "TENANT#1#a"), ("aws:SecureTransport", "false")],
        &expect![[r#"
            NotAllowed { missing: Identity }
            Statement[0] (Tenant) of mine nearly applies
              ForAllValues:StringLike wants dynamodb:LeadingKeys to be TENANT#${aws:PrincipalTag/tenant}#*, but it is TENANT#1#a; ${aws:principaltag/tenant} has no value
              Bool wants aws:SecureTransport to be true, but it is false
            Statement[1] of mine does not apply
              Action is dynamodb:Query, dynamodb:Scan
              Resource is arn:aws:dynamodb:*:*:table/Other
            Statement[2] of mine nearly applies
              Resource is arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/t}; ${aws:principaltag/t} has no value
            Statement[3] of mine does not apply
              NotAction is dynamodb:Get*
            Statement[0] of table applies
            Statement[1] of table nearly applies
              Principal is arn:aws:iam::000000000000:user/bob
        "#]],
    );
}

#[test]
fn a_statement_that_decides_is_named() {
    explained(
        r#"{"Version":"2012-10-17","Statement":[
            {"Effect":"Allow","Action":"*","Resource":"*"},
            {"Sid":"NotOrders","Effect":"Deny","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/Orders"}]}"#,
        None,
        &[],
        &expect![[r#"
            DeniedBy(Statement[1] (NotOrders) of mine)
            Statement[0] of mine applies
            Statement[1] (NotOrders) of mine applies
        "#]],
    );
}

//! What is no policy, where, and what to do about it.

use expect_test::{Expect, expect};
use monotable_policy::{
    IDENTITY_POLICY_BYTES_MAX, Policy, PolicyError, PolicyKind, RESOURCE_POLICY_BYTES_MAX,
};

#[track_caller]
fn refused(json: &str, expected: &Expect) {
    let error = Policy::parse_identity("p", json).unwrap_err();
    expected.assert_eq(&error.to_string());
}

/// A document with one statement that has these members.
fn statement(members: &str) -> String {
    format!(r#"{{"Version":"2012-10-17","Statement":[{{{members}}}]}}"#)
}

#[test]
fn text_that_is_no_json_is_refused_with_line_and_column() {
    refused("", &expect!["not JSON: EOF while parsing a value at line 1 column 0"]);
    refused("{\n  \"Version\" 1", &expect!["not JSON: expected `:` at line 2 column 13"]);
    refused("[]", &expect!["document: a list stands where an object belongs"]);
    let deep = "[".repeat(10_000);
    refused(&deep, &expect!["not JSON: recursion limit exceeded at line 1 column 128"]);
}

#[test]
fn members_are_known_needed_and_there_once() {
    refused("{}", &expect!["document: Statement is missing"]);
    refused(
        r#"{"version":"2012-10-17","Statement":[]}"#,
        &expect!["document: version means nothing here; did you mean Version?"],
    );
    refused(
        r#"{"Version":"2012-10-17","Version":"2008-10-17","Statement":[]}"#,
        &expect!["document: Version occurs twice; put all of it into one"],
    );
    refused(
        r#"{"Version":"2021-01-01","Statement":[]}"#,
        &expect![[r#"Version: "2021-01-01" is no version; use "2012-10-17""#]],
    );
    refused(r#"{"Statement":[]}"#, &expect!["Statement: a policy needs at least one statement"]);
    refused(
        r#"{"Statement":["x"]}"#,
        &expect!["Statement[0]: a string stands where an object belongs"],
    );
    refused(&statement(""), &expect!["Statement[0]: Action or NotAction is missing"]);
    refused(
        &statement(r#""Action":"*","Resource":"*""#),
        &expect!["Statement[0]: Effect is missing"],
    );
    refused(
        &statement(r#""Effect":"Allow","Action":"*""#),
        &expect!["Statement[0]: Resource or NotResource is missing"],
    );
    refused(
        &statement(r#""Effect":"Allow","Action":"*","NotAction":"*","Resource":"*""#),
        &expect!["Statement[0]: Action and NotAction exclude each other; keep one of them"],
    );
    refused(
        &statement(r#""Effect":"alow","Action":"*","Resource":"*""#),
        &expect![[
            r#"Statement[0].Effect: "alow" is no effect; use "Allow" or "Deny"; did you mean Allow?"#
        ]],
    );
    refused(
        &statement(r#""Effect":"Allow","Action":"*","Resource":"*","Conditions":{}"#),
        &expect!["Statement[0]: Conditions means nothing here; did you mean Condition?"],
    );
}

#[test]
fn actions_resources_and_sids_have_their_forms() {
    let with_action =
        |action: &str| statement(&format!(r#""Effect":"Allow","Action":{action},"Resource":"*""#));
    refused(
        &with_action(r#"["dynamodb:GetItem","GetItem"]"#),
        &expect![[
            r#"Statement[0].Action[1]: "GetItem" is no action; write "*" or a service and a name, such as "dynamodb:GetItem""#
        ]],
    );
    for action in [
        r#""*:*""#,
        r#""dynamodb:""#,
        r#"":x""#,
        r#""dynamo*:GetItem""#,
        r#""a:b c""#,
        "7",
        "{}",
        "null",
    ] {
        assert!(Policy::parse_identity("p", &with_action(action)).is_err(), "{action}");
    }
    let with_resource = |resource: &str| {
        statement(&format!(r#""Effect":"Allow","Action":"*","Resource":{resource}"#))
    };
    refused(
        &with_resource(r#""Orders""#),
        &expect![[
            r#"Statement[0].Resource: "Orders" is no resource; write "*" or an ARN, such as "arn:aws:dynamodb:*:*:table/Orders""#
        ]],
    );
    refused(
        &with_resource(r#""arn:aws:dynamodb:*:*:table/${aws:username""#),
        &expect![[
            r#"Statement[0].Resource: the variable in "arn:aws:dynamodb:*:*:table/${aws:username" does not end; close it with }, or write ${$} for a dollar sign"#
        ]],
    );
    refused(
        &with_resource(r#""arn:aws:dynamodb:*:*:table/${user}""#),
        &expect![
            "Statement[0].Resource: ${user} is no variable; write a condition key, such as \
             ${aws:username}, or one with a default, such as ${aws:PrincipalTag/team, 'none'}"
        ],
    );
    refused(
        &statement(r#""Sid":"a b","Effect":"Allow","Action":"*","Resource":"*""#),
        &expect![[r#"Statement[0].Sid: "a b" is no Sid; use letters and digits"#]],
    );
    let twice = r#"{"Statement":[{"Sid":"a","Effect":"Deny","Action":"*","Resource":"*"},{"Sid":"a","Effect":"Deny","Action":"*","Resource":"*"}]}"#;
    refused(
        twice,
        &expect![[
            r#"Statement[1].Sid: another statement has the Sid "a"; a Sid names one statement"#
        ]],
    );
}

#[test]
fn conditions_have_known_operators_keys_and_values() {
    let with = |condition: &str| {
        statement(&format!(
            r#""Effect":"Allow","Action":"*","Resource":"*","Condition":{condition}"#
        ))
    };
    refused(
        &with(r#"{"StringEqual":{"aws:username":"a"}}"#),
        &expect![[
            r#"Statement[0].Condition.StringEqual: "StringEqual" is no condition operator; did you mean StringEquals?"#
        ]],
    );
    refused(
        &with(r#"{"StringEquals":{"username":"a"}}"#),
        &expect![[
            r#"Statement[0].Condition.StringEquals.username: "username" is no condition key; write a service and a name, such as "aws:SourceIp""#
        ]],
    );
    refused(
        &with(r#"{"NumericLessThan":{"a:b":["1","many"]}}"#),
        &expect![[
            r#"Statement[0].Condition.NumericLessThan["a:b"][1]: "many" is no number, such as 100"#
        ]],
    );
    refused(
        &with(r#"{"DateLessThan":{"aws:CurrentTime":"tomorrow"}}"#),
        &expect![[
            r#"Statement[0].Condition.DateLessThan["aws:CurrentTime"]: "tomorrow" is no date; write it as 2026-01-31T12:00:00Z or in seconds since 1970"#
        ]],
    );
    refused(
        &with(r#"{"IpAddress":{"aws:SourceIp":"10.0.0.0/40"}}"#),
        &expect![[
            r#"Statement[0].Condition.IpAddress["aws:SourceIp"]: "10.0.0.0/40" is no range of addresses, such as 203.0.113.0/24 or 2001:db8::/32"#
        ]],
    );
    refused(
        &with(r#"{"ArnLike":{"aws:PrincipalArn":"alice"}}"#),
        &expect![[
            r#"Statement[0].Condition.ArnLike["aws:PrincipalArn"]: "alice" is no ARN; it has six parts, such as arn:aws:iam::000000000000:user/alice"#
        ]],
    );
    refused(
        &with(r#"{"Bool":{"aws:SecureTransport":"no"}}"#),
        &expect![[
            r#"Statement[0].Condition.Bool["aws:SecureTransport"]: "no" is no true or false"#
        ]],
    );
    refused(
        &with(r#"{"StringEquals":{"a:b":"1","a:b":"2"}}"#),
        &expect!["Statement[0].Condition.StringEquals: a:b occurs twice; put all of it into one"],
    );
    refused(
        &with(r#"{"StringEquals":{"a:b":null}}"#),
        &expect![[
            r#"Statement[0].Condition.StringEquals["a:b"]: null stands where a value belongs"#
        ]],
    );
    refused(
        &with(r#"{"StringEquals":["a:b"]}"#),
        &expect!["Statement[0].Condition.StringEquals: a list stands where an object belongs"],
    );
}

#[test]
fn principals_belong_to_policies_of_resources_and_only_there() {
    let with = |members: &str| {
        statement(&format!(r#""Effect":"Allow","Action":"*","Resource":"*"{members}"#))
    };
    refused(
        &with(r#","Principal":"*""#),
        &expect![
            "Statement[0].Principal: Principal belongs to policies of resources; the policy of a \
             user is about that user"
        ],
    );
    let refused = |json: &str, expected: &Expect| {
        expected.assert_eq(&Policy::parse_resource("p", json).unwrap_err().to_string());
    };
    refused(&with(""), &expect!["Statement[0]: Principal or NotPrincipal is missing"]);
    refused(
        &with(r#","Principal":"alice""#),
        &expect![[
            r#"Statement[0].Principal: a string stands where "*" or an object such as {"AWS": …} belongs"#
        ]],
    );
    refused(
        &with(r#","Principal":{"AWS":["123456789012","alice"]}"#),
        &expect![[
            r#"Statement[0].Principal.AWS[1]: "alice" is no principal; write "*", an account id of 12 digits, or an ARN such as "arn:aws:iam::000000000000:user/alice""#
        ]],
    );
    refused(
        &with(r#","NotPrincipal":{"AWS":"*"}"#),
        &expect![
            "Statement[0].NotPrincipal: NotPrincipal is for statements that deny; list in \
             Principal whom you allow"
        ],
    );
    refused(
        &with(r#","Principal":{"aws":"*"}"#),
        &expect!["Statement[0].Principal: aws means nothing here; did you mean AWS?"],
    );
}

#[test]
fn documents_have_a_greatest_size() {
    for (kind, max_bytes) in [
        (PolicyKind::Identity, IDENTITY_POLICY_BYTES_MAX),
        (PolicyKind::Resource, RESOURCE_POLICY_BYTES_MAX),
    ] {
        let principal = if kind == PolicyKind::Resource { r#""Principal":"*","# } else { "" };
        let json = statement(&format!(r#"{principal}"Effect":"Deny","Action":"*","Resource":"*""#));
        let padded = |size: usize| format!("{json}{}", " ".repeat(size - json.len()));
        assert!(Policy::parse(kind, "p", &padded(max_bytes)).is_ok());
        let error = Policy::parse(kind, "p", &padded(max_bytes + 1)).unwrap_err();
        assert_eq!(error, PolicyError::TooLarge { size_bytes: max_bytes + 1, max_bytes });
    }
}

#[test]
fn a_policy_knows_which_keys_it_asks_for() {
    let json = r#"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*",
        "Resource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/Team}",
        "Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["${aws:username}"]}}}}"#;
    let policy = Policy::parse_identity("p", json).unwrap();
    let keys: Vec<&str> = policy.mentioned_keys().collect();
    assert_eq!(keys, ["aws:principaltag/team", "aws:username", "dynamodb:leadingkeys"]);
    assert!(policy.mentions("DynamoDB:LeadingKeys"));
    assert!(!policy.mentions("dynamodb:Attributes"));
    let plain = Policy::managed("AmazonDynamoDBFullAccess").unwrap();
    assert!(!plain.has_conditions() && !plain.mentions("dynamodb:LeadingKeys"));
}

#[test]
fn what_is_hardly_meant_is_found() {
    let json = r#"{"Statement":[
        {"Effect":"Allow","Action":["dynamodb:GetItems","dynamodb:TransactWriteItems","s3:GetObject","dynamodb:Sing"],
         "Resource":["arn:aws:dynamodb:*:*:Orders","arn:aws:s3:::b/*","arn:aws:dynamodb:*:*:table/${aws:username}"]},
        {"Effect":"Allow","Action":"dynamodb:*","Resource":"*",
         "Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"a"}}},
        {"Effect":"Allow","NotAction":"dynamodb:DeleteTable","Resource":"*",
         "Condition":{"StringEquals":{"dynamodb:LeadingKey":"a","dynamodb:Attributes":[]}}},
        {"Effect":"Allow","Action":"dynamodb:*","Resource":"*","Condition":{
         "ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"a"},"Null":{"dynamodb:LeadingKeys":"false"}}}]}"#;
    let policy = Policy::parse_identity("p", json).unwrap();
    let found: Vec<String> = policy.findings().iter().map(|finding| finding.to_string()).collect();
    expect![[r#"
        Statement[0].Action: dynamodb:GetItems is no action of DynamoDB; did you mean GetItem?
        Statement[0].Action: dynamodb:TransactWriteItems is no action of DynamoDB; did you mean PutItem, UpdateItem, DeleteItem or ConditionCheckItem?
        Statement[0].Action: s3:GetObject belongs to another service and never happens here
        Statement[0].Action: dynamodb:Sing is no action of DynamoDB
        Statement[0].Resource: arn:aws:dynamodb:*:*:Orders is no resource of DynamoDB; tables are arn:aws:dynamodb:REGION:ACCOUNT:table/NAME
        Statement[0].Resource: arn:aws:s3:::b/* is no resource of DynamoDB; tables are arn:aws:dynamodb:REGION:ACCOUNT:table/NAME
        Statement[0].Resource: arn:aws:dynamodb:*:*:table/${aws:username} has a variable, which needs "Version": "2012-10-17"
        Statement[1].Condition.ForAllValues:StringEquals: requests without dynamodb:LeadingKeys, such as a Scan, are allowed as well; leave their actions out or add "Null": {"dynamodb:LeadingKeys": "false"}
        Statement[2].NotAction: NotAction with Allow allows everything that is not listed
        Statement[2].Condition.StringEquals: no request has the condition key dynamodb:LeadingKey; did you mean dynamodb:LeadingKeys?
        Statement[2].Condition.StringEquals: the list is empty
        Statement[2].Condition.StringEquals: dynamodb:Attributes can have several values; write ForAllValues:StringEquals or ForAnyValue:StringEquals"#]]
    .assert_eq(&found.join("\n"));
}

#[test]
fn actions_that_have_no_leading_keys_are_found_beside_those_that_have_some() {
    let found = |actions: &str, more: &str| {
        let keys = r#""ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"${aws:username}"}"#;
        let json = statement(&format!(
            r#""Effect":"Allow","Action":[{actions}],"Resource":"*","Condition":{{{keys}{more}}}"#
        ));
        let policy = Policy::parse_identity("p", &json).unwrap();
        policy.findings().iter().map(|finding| finding.to_string()).collect::<Vec<_>>()
    };
    for action in ["Scan", "SearchVectors", "PartiQLSelect"] {
        let actions = format!(r#""dynamodb:GetItem","dynamodb:{action}""#);
        let findings = found(&actions, "");
        let said = format!("without dynamodb:LeadingKeys, such as a {action}, are allowed");
        assert!(matches!(&findings[..], [only] if only.contains(&said)), "{findings:?}");
        let guard = r#","Null":{"dynamodb:LeadingKeys":"false"}"#;
        assert_eq!(found(&actions, guard), [""; 0], "{action}");
    }
    let no_scans = r#","Bool":{"dynamodb:FullTableScan":"false"}"#;
    assert_eq!(found(r#""dynamodb:PartiQLSelect""#, no_scans), [""; 0]);
    assert_eq!(found(r#""dynamodb:SearchVectors""#, no_scans).len(), 1);
    assert_eq!(found(r#""dynamodb:GetItem","dynamodb:Query""#, ""), [""; 0]);
}

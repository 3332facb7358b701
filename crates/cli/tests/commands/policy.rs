//! `monotable policy`: decisions and what is said about them.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::{monotable, run_to_error};
use expect_test::{Expect, expect};
use serde_json::Value;
use tempfile::TempDir;

const TENANTS: &str = r#"{"Version":"2012-10-17","Statement":[
    {"Sid":"Own","Effect":"Allow","Action":["dynamodb:Query","dynamodb:GetItem"],
     "Resource":"arn:aws:dynamodb:*:*:table/Orders","Condition":{
        "ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["${aws:username}"]},
        "Null":{"dynamodb:LeadingKeys":"false"}}},
    {"Effect":"Deny","Action":"dynamodb:*","Resource":"*","Condition":{"Bool":{"aws:SecureTransport":"false"}}}]}"#;

const TABLE: &str = r#"{"Version":"2012-10-17","Statement":[
    {"Effect":"Allow","Principal":{"AWS":"000000000000"},"Action":"dynamodb:*","Resource":"*"},
    {"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111122223333:user/bob"},"Action":"dynamodb:Query","Resource":"*"}]}"#;

/// A folder with both policies.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tenants.json"), TENANTS).unwrap();
    std::fs::write(folder.path().join("table.json"), TABLE).unwrap();
    folder
}

fn run_in(folder: &Path, arguments: &str) -> Output {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    monotable(&words).current_dir(folder).output().unwrap()
}

#[track_caller]
fn prints(arguments: &str, code: i32, expected: &Expect) {
    let folder = folder();
    let output = run_in(folder.path(), arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    expected.assert_eq(&String::from_utf8(output.stdout).unwrap());
}

#[test]
fn an_allowed_request_names_the_statement_that_allows_it() {
    prints(
        "policy simulate --policy tenants.json --user alice --action Query --resource table/Orders \
         --context dynamodb:LeadingKeys=alice --context aws:SecureTransport=true",
        0,
        &expect![[r#"
            allowed: arn:aws:iam::000000000000:user/alice may dynamodb:Query on arn:aws:dynamodb:us-east-1:000000000000:table/Orders
              by Allow Statement[0] (Own) of tenants.json

            Nearly:
              Deny Statement[1] of tenants.json
                Bool wants aws:SecureTransport to be false, but it is true
        "#]],
    );
}

#[test]
fn a_denied_request_says_what_nearly_allowed_it() {
    prints(
        "policy simulate --policy tenants.json --user alice --action dynamodb:Query \
         --resource table/Orders --context dynamodb:LeadingKeys=bob",
        1,
        &expect![[r#"
            denied: arn:aws:iam::000000000000:user/alice may not dynamodb:Query on arn:aws:dynamodb:us-east-1:000000000000:table/Orders
              no policy of the user allows it

            Nearly:
              Allow Statement[0] (Own) of tenants.json
                ForAllValues:StringEquals wants dynamodb:LeadingKeys to be ${aws:username}, but it is bob
        "#]],
    );
    prints(
        "policy simulate --policy tenants.json --user alice --action PutItem --resource \
         table/Orders",
        1,
        &expect![[r#"
            denied: arn:aws:iam::000000000000:user/alice may not dynamodb:PutItem on arn:aws:dynamodb:us-east-1:000000000000:table/Orders
              no policy of the user allows it

            Nearly:
              Allow Statement[0] (Own) of tenants.json
                Action is dynamodb:Query, dynamodb:GetItem
                Null wants dynamodb:LeadingKeys to be false, but the request has no dynamodb:LeadingKeys
        "#]],
    );
}

#[test]
fn an_explicit_denial_names_its_statement() {
    prints(
        "policy simulate --policy tenants.json --user alice --action Query --resource table/Orders \
         --context dynamodb:LeadingKeys=alice --context aws:SecureTransport=false",
        1,
        &expect![[r#"
            denied: arn:aws:iam::000000000000:user/alice may not dynamodb:Query on arn:aws:dynamodb:us-east-1:000000000000:table/Orders
              by Deny Statement[1] of tenants.json
        "#]],
    );
}

#[test]
fn the_policy_of_the_table_counts_across_accounts_and_within() {
    let table = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders";
    prints(
        &format!(
            "policy simulate --policy AmazonDynamoDBFullAccess --resource-policy table.json \
             --user bob --account 111122223333 --action Query --resource {table}"
        ),
        0,
        &expect![[r#"
            allowed: arn:aws:iam::111122223333:user/bob may dynamodb:Query on arn:aws:dynamodb:us-east-1:000000000000:table/Orders
              by Allow Statement[0] of AmazonDynamoDBFullAccess
              by Allow Statement[1] of table.json
        "#]],
    );
    prints(
        &format!(
            "policy simulate --policy AmazonDynamoDBFullAccess --resource-policy table.json \
             --user bob --account 111122223333 --action Scan --resource {table}"
        ),
        1,
        &expect![[r#"
            denied: arn:aws:iam::111122223333:user/bob may not dynamodb:Scan on arn:aws:dynamodb:us-east-1:000000000000:table/Orders
              no policy of the resource allows it; across accounts both the user's and the resource's must

            Nearly:
              Allow Statement[0] of table.json
                Principal is 000000000000
        "#]],
    );
    prints(
        "policy simulate --resource-policy table.json --action Scan --resource table/Orders",
        1,
        &expect![[r#"
            denied: arn:aws:iam::000000000000:user/user may not dynamodb:Scan on arn:aws:dynamodb:us-east-1:000000000000:table/Orders
              no policy of the user allows it

            Nearly:
              Allow Statement[0] of table.json
                Principal is the user's own account, which only lets the user's policies allow
        "#]],
    );
}

#[test]
fn json_has_every_statement_with_its_reasons() {
    let folder = folder();
    let output = run_in(
        folder.path(),
        "policy simulate --policy tenants.json --user alice --action Query --resource table/Orders \
         --output json",
    );
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["decision"], "denied");
    assert_eq!(report["reason"], "no-identity-policy-allows");
    assert_eq!(report["principal"], "arn:aws:iam::000000000000:user/alice");
    let own = &report["statements"][0];
    assert_eq!(own["sid"], "Own");
    assert_eq!(own["applies"], false);
    assert_eq!(
        own["mismatches"][0],
        "Null wants dynamodb:LeadingKeys to be false, but the request has no dynamodb:LeadingKeys"
    );
}

#[test]
fn mistakes_in_a_request_are_errors_that_help() {
    let folder = folder();
    for (arguments, said) in [
        ("--policy none.json --action Query --resource *", "AmazonDynamoDBReadOnlyAccess"),
        ("--policy table.json --action Query --resource *", "Statement[0].Principal"),
        ("--policy tenants.json --action Querry --resource *", "did you mean Query?"),
        ("--policy tenants.json --action TransactGetItems --resource *", "did you mean GetItem?"),
        ("--policy tenants.json --action Query --resource Orders", "write table/Orders"),
        (
            "--policy tenants.json --action Query --resource * --context LeadingKeys=a",
            "such as dynamodb:LeadingKeys=alice",
        ),
        (
            "--policy tenants.json --action Query --resource * --context dynamodb:LeadingKey=a",
            "did you mean dynamodb:LeadingKeys?",
        ),
        ("--policy tenants.json --action Query --resource * --account 12", "12 digits"),
        ("--action Query --resource *", "--policy"),
    ] {
        let output = run_in(folder.path(), &format!("policy simulate {arguments}"));
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(said), "{arguments}: {error}");
    }
}

#[test]
fn check_says_what_a_file_is_and_what_is_hardly_meant() {
    prints(
        "policy check tenants.json table.json",
        0,
        &expect![[r#"
        tenants.json: the policy of a user, with 2 statements
        table.json: the policy of a resource, with 2 statements
    "#]],
    );
    let folder = folder();
    let wrong = TENANTS.replace("dynamodb:GetItem", "dynamodb:GetItems");
    std::fs::write(folder.path().join("tenants.json"), wrong).unwrap();
    std::fs::write(folder.path().join("table.json"), TABLE.replace("Allow", "Alow")).unwrap();
    let output = run_in(folder.path(), "policy check tenants.json table.json");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    expect![[r#"
        tenants.json: the policy of a user, with 2 statements
          warning: Statement[0].Action: dynamodb:GetItems is no action of DynamoDB; did you mean GetItem?
        table.json: no policy: Statement[0].Effect: "Alow" is no effect; use "Allow" or "Deny"; did you mean Allow?
    "#]].assert_eq(&String::from_utf8(output.stdout).unwrap());
    let output = run_in(folder.path(), "policy check tenants.json table.json --output json");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["files"][0]["kind"], "identity");
    assert_eq!(report["files"][0]["warnings"].as_array().unwrap().len(), 1);
    assert!(report["files"][1]["error"].as_str().unwrap().contains("Statement[0].Effect"));
    assert!(run_to_error(&["policy", "check", "/none.json"]).contains("cannot open /none.json"));
}

/// The commands of the guide, with what their comments say about them.
fn guide_commands(root: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root.join("docs/guide/policies.md")).unwrap();
    let text = text.replace("\\\n", " ");
    let commands = text.lines().filter(|line| line.starts_with("monotable "));
    let parted = commands.map(|line| line.rsplit_once(" # ").unwrap_or_else(|| panic!("{line}")));
    parted.map(|(command, says)| (command.to_owned(), says.to_owned())).collect()
}

#[test]
fn the_commands_of_the_guide_end_as_it_says() {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let commands = guide_commands(&root);
    assert!(commands.len() > 15, "{commands:?}");
    for (command, says) in commands {
        let output = run_in(&root, command.strip_prefix("monotable ").unwrap());
        let code = match says.as_str() {
            "allowed" | "clean" => 0,
            "denied" => 1,
            other => panic!("{other}"),
        };
        assert_eq!(output.status.code(), Some(code), "{command}: {output:?}");
    }
}

#[test]
fn a_user_of_a_credentials_file_has_the_policies_and_the_account_of_the_file() {
    let folder = folder();
    let file = folder.path().join("keys.toml");
    std::fs::write(
        &file,
        r#"
[[key]]
access_key_id = "AKIAALICE00000000001"
secret_access_key = "alice-secret-12345678"
user = "alice"
account = "111122223333"
policies = ["tenants"]

[[key]]
access_key_id = "AKIABOB0000000000001"
secret_access_key = "bob-secret-12345678"
user = "bob"

[[policy]]
name = "tenants"
file = "tenants.json"
"#,
    )
    .unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    let simulate = |who: &str, key: &str| {
        let output = run_in(
            folder.path(),
            &format!(
                "policy simulate --credentials keys.toml {who} --action Query \
                 --resource table/Orders --context dynamodb:LeadingKeys={key} --output json"
            ),
        );
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text + &String::from_utf8(output.stderr).unwrap())
    };
    for who in ["--user alice", "--access-key AKIAALICE00000000001"] {
        let (code, text) = simulate(who, "alice");
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("arn:aws:dynamodb:us-east-1:111122223333:table/Orders"), "{text}");
        assert_eq!(simulate(who, "bob").0, Some(1));
    }
    assert_eq!(simulate("--user bob", "bob").0, Some(1), "a user without policies may do nothing");
    let (code, text) = simulate("--user carol", "carol");
    assert_eq!(code, Some(2));
    assert!(text.contains("keys.toml has no key of carol"), "{text}");
    assert_eq!(simulate("", "alice").0, Some(2), "somebody must be named");
}

//! Policies of tables and streams: kept, given back, and asked. The texts were measured in October
//! 2026, but for those that moto's tests give, which ran on AWS.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use monotable_identity::{Caller, Principal, Source};
use monotable_policy::Policy;
use serde_json::{Value, json};

use crate::harness::{Harness, code_and_text};

const OWNER: &str = "111122223333";
const OTHER: &str = "444455556666";
const ARN: &str = "arn:aws:dynamodb:us-east-1:111122223333:table/shop";

/// A user of an account whose own policy allows these actions on everything.
fn user(account: &str, name: &str, actions: &[&str]) -> Caller {
    let statement = json!({"Effect": "Allow", "Action": actions, "Resource": "*"});
    let document = json!({"Version": "2012-10-17", "Statement": [statement]}).to_string();
    let principal = Principal {
        account: account.to_owned(),
        user: name.to_owned(),
        access_key_id: "AKIATEST".to_owned(),
        policies: vec![Arc::new(Policy::parse_identity("test", &document).unwrap())],
        is_admin: false,
    };
    let address = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));
    Caller::new(Arc::new(principal), Source { address, is_encrypted: true, user_agent: None })
}

fn owner() -> Caller {
    user(OWNER, "owner", &["dynamodb:*"])
}

fn policy(statement: &Value) -> String {
    json!({"Version": "2012-10-17", "Statement": [statement]}).to_string()
}

fn statement(effect: &str, principal: &str, action: &str) -> Value {
    json!({
        "Effect": effect,
        "Principal": {"AWS": principal},
        "Action": action,
        "Resource": "*",
    })
}

async fn call(
    harness: &Harness,
    caller: &Caller,
    operation: &str,
    request: &Value,
) -> Result<Value, (String, String)> {
    let body = harness.send_as(caller, operation, request.to_string().as_bytes()).await;
    Ok(serde_json::from_slice(&body.map_err(code_and_text)?).unwrap())
}

async fn put(harness: &Harness, document: &str) -> Result<Value, (String, String)> {
    let request = json!({"ResourceArn": ARN, "Policy": document});
    call(harness, &owner(), "PutResourcePolicy", &request).await
}

fn shop() -> Value {
    json!({
        "TableName": "shop",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"},
        "BillingMode": "PAY_PER_REQUEST",
        "Tags": [{"Key": "team", "Value": "sales"}],
    })
}

async fn with_shop() -> Harness {
    let harness = Harness::new().await;
    call(&harness, &owner(), "CreateTable", &shop()).await.unwrap();
    harness
}

#[tokio::test]
async fn a_policy_is_given_back_in_its_one_form_and_other_spellings_change_nothing() {
    let harness = with_shop().await;
    let get = json!({"ResourceArn": ARN});
    let (code, text) = call(&harness, &owner(), "GetResourcePolicy", &get).await.unwrap_err();
    assert_eq!(code, "PolicyNotFoundException");
    assert_eq!(
        text,
        format!("Resource-based policy not found for the provided ResourceArn: {ARN}")
    );
    let first =
        put(&harness, &policy(&statement("Allow", OTHER, "dynamodb:GetItem"))).await.unwrap();
    assert_eq!(first, json!({"RevisionId": "1794744000250"}));
    let canonical = format!(
        "{{\"Version\":\"2012-10-17\",\"Statement\":[{{\"Effect\":\"Allow\",\"Principal\":\
         {{\"AWS\":\"arn:aws:iam::{OTHER}:root\"}},\"Action\":\"dynamodb:GetItem\",\
         \"Resource\":\"*\"}}]}}"
    );
    let got = call(&harness, &owner(), "GetResourcePolicy", &get).await.unwrap();
    assert_eq!(got, json!({"Policy": canonical, "RevisionId": "1794744000250"}));
    assert_eq!(put(&harness, &format!(" {canonical} ")).await.unwrap(), first);
    let second =
        put(&harness, &policy(&statement("Allow", OTHER, "dynamodb:Query"))).await.unwrap();
    assert_eq!(second, json!({"RevisionId": "1794744000251"}));
    let delete = call(&harness, &owner(), "DeleteResourcePolicy", &get).await.unwrap();
    assert_eq!(delete, second);
    let again = call(&harness, &owner(), "DeleteResourcePolicy", &get).await.unwrap();
    assert_eq!(again, json!({"RevisionId": "1794744000252"}));
}

#[tokio::test]
async fn a_change_can_name_the_revision_that_it_is_about() {
    let harness = with_shop().await;
    let document = policy(&statement("Allow", OTHER, "dynamodb:GetItem"));
    let expecting = |revision: &str| {
        json!({"ResourceArn": ARN, "Policy": document,
            "ExpectedRevisionId": revision})
    };
    let put = async |revision: &str| {
        call(&harness, &owner(), "PutResourcePolicy", &expecting(revision)).await
    };
    let lead = "Resource-based policy not found for the provided ResourceArn:";
    assert_eq!(
        put("7").await.unwrap_err().1,
        format!(
            "{lead} Requested update for policy with revision id 7, but table shop has no \
             associated policy."
        )
    );
    let revision = put("NO_POLICY").await.unwrap()["RevisionId"].as_str().unwrap().to_owned();
    assert_eq!(
        put("NO_POLICY").await.unwrap_err().1,
        format!(
            "{lead} Requested policy update expecting none to be present for table shop, but a \
             policy exists with revision id {revision}."
        )
    );
    let delete = json!({"ResourceArn": ARN, "ExpectedRevisionId": "unknown"});
    assert_eq!(
        call(&harness, &owner(), "DeleteResourcePolicy", &delete).await.unwrap_err().1,
        format!(
            "{lead} Requested update for policy with revision id unknown, but the policy \
             associated to target table shop has revision id {revision}."
        )
    );
    put(&revision).await.unwrap();
}

#[tokio::test]
async fn documents_are_checked_as_aws_checks_them() {
    let harness = with_shop().await;
    let lead = "One or more parameter values were invalid:";
    let invalid = format!("{lead} Invalid policy document:");
    let sid = json!({"Sid": "a", "Effect": "Deny", "Principal": "*", "Action": "dynamodb:Scan",
        "Resource": "*"});
    let mut open = statement("Allow", "*", "dynamodb:GetItem");
    let mut no_resource = statement("Deny", OTHER, "dynamodb:Scan");
    no_resource.as_object_mut().unwrap().remove("Resource");
    for (document, expected) in [
        ("{not json".to_owned(), format!("{invalid} This policy contains invalid Json")),
        (" ".repeat(20_481), format!("{lead} Maximum policy size of 20480 bytes exceeded")),
        (
            json!({"Version": "2012-10-17", "Statement": []}).to_string(),
            format!("{invalid} Could not parse the policy: Statement is empty!"),
        ),
        (policy(&no_resource), format!("{invalid} Missing required field Resource")),
        (
            json!({"Version": "2012-10-17", "Statement": [sid, sid]}).to_string(),
            format!("{invalid} The Statement Ids in the policy are not unique"),
        ),
        (
            policy(&statement("Deny", OTHER, "dynamodb:GetRecords")),
            format!("{invalid} The following action names are invalid: \"dynamodb:GetRecords\""),
        ),
        (
            policy(&open),
            "Resource-based policy grants unbounded access in one or more elements. Please revise \
             the policy to ensure least-privilege form of access"
                .to_owned(),
        ),
    ] {
        let (code, text) = put(&harness, &document).await.unwrap_err();
        assert_eq!((code.as_str(), text), ("ValidationException", expected));
    }
    open["Effect"] = json!("Deny");
    open["Action"] = json!("dynamodb:DeleteItem");
    put(&harness, &policy(&open)).await.unwrap();
}

#[tokio::test]
async fn within_an_account_one_allow_is_enough_and_a_deny_wins() {
    let harness = with_shop().await;
    let guest = user(OWNER, "guest", &["s3:GetObject"]);
    let get = json!({"TableName": "shop", "Key": {"pk": {"S": "a"}}});
    let (code, _) = call(&harness, &guest, "GetItem", &get).await.unwrap_err();
    assert_eq!(code, "AccessDeniedException");
    let arn = format!("arn:aws:iam::{OWNER}:user/guest");
    put(&harness, &policy(&statement("Allow", &arn, "dynamodb:GetItem"))).await.unwrap();
    call(&harness, &guest, "GetItem", &get).await.unwrap();
    let deny = json!({
        "Effect": "Deny", "Principal": "*", "Action": "dynamodb:GetItem", "Resource": "*",
    });
    put(&harness, &policy(&deny)).await.unwrap();
    let (code, text) = call(&harness, &owner(), "GetItem", &get).await.unwrap_err();
    assert_eq!(code, "AccessDeniedException");
    assert!(text.ends_with("with an explicit deny in a resource-based policy"), "{text}");
}

#[tokio::test]
async fn across_accounts_both_must_allow_and_the_table_is_named_by_its_arn() {
    let harness = with_shop().await;
    let stranger = user(OTHER, "stranger", &["dynamodb:*"]);
    let get = json!({"TableName": ARN, "Key": {"pk": {"S": "a"}}});
    let (code, text) = call(&harness, &stranger, "GetItem", &get).await.unwrap_err();
    assert_eq!(code, "AccessDeniedException");
    assert!(text.contains("because no resource-based policy allows"), "{text}");
    put(&harness, &policy(&statement("Allow", OTHER, "dynamodb:GetItem"))).await.unwrap();
    call(&harness, &stranger, "GetItem", &get).await.unwrap();
    let nobody = user(OTHER, "nobody", &["s3:GetObject"]);
    assert!(call(&harness, &nobody, "GetItem", &get).await.is_err());
    let own = json!({"ResourceArn": ARN});
    assert_eq!(
        call(&harness, &stranger, "GetResourcePolicy", &own).await.unwrap_err().1,
        "This action is only supported by accounts that match the resource owner\u{2019}s account."
    );
}

#[tokio::test]
async fn nobody_shuts_themselves_out_without_saying_so() {
    let harness = with_shop().await;
    let deny = json!({
        "Effect": "Deny", "Principal": "*", "Action": "dynamodb:PutResourcePolicy", "Resource": "*",
    });
    let (code, text) = put(&harness, &policy(&deny)).await.unwrap_err();
    assert_eq!(code, "AccessDeniedException");
    assert_eq!(
        text,
        "The new resource policy will not allow you to update the resource policy in the future."
    );
    let confirmed = json!({
        "ResourceArn": ARN,
        "Policy": policy(&deny),
        "ConfirmRemoveSelfResourceAccess": true,
    });
    call(&harness, &owner(), "PutResourcePolicy", &confirmed).await.unwrap();
    assert!(put(&harness, &policy(&deny)).await.is_err());
}

#[tokio::test]
async fn a_stream_has_a_policy_of_its_own() {
    let harness = with_shop().await;
    let stream = format!("{ARN}/stream/2026-11-15T12:00:00.250");
    let stranger = user(OTHER, "stranger", &["dynamodb:*"]);
    let describe = json!({"StreamArn": stream});
    let target = "DynamoDBStreams_20120810.DescribeStream";
    assert!(call(&harness, &stranger, target, &describe).await.is_err());
    let document = policy(&statement("Allow", OTHER, "dynamodb:DescribeStream"));
    let request = json!({"ResourceArn": stream, "Policy": document});
    call(&harness, &owner(), "PutResourcePolicy", &request).await.unwrap();
    call(&harness, &stranger, target, &describe).await.unwrap();
    let table = json!({"ResourceArn": ARN});
    let (code, _) = call(&harness, &owner(), "GetResourcePolicy", &table).await.unwrap_err();
    assert_eq!(code, "PolicyNotFoundException");
    let absent = json!({"ResourceArn": format!("{ARN}/stream/2000-01-01T00:00:00.000")});
    assert_eq!(
        call(&harness, &owner(), "GetResourcePolicy", &absent).await.unwrap_err().1,
        "Requested resource not found: Stream: 2000-01-01T00:00:00.000 not found for Table: shop"
    );
}

#[tokio::test]
async fn policies_can_be_about_the_tags_of_a_table() {
    let harness = with_shop().await;
    let tagged = |team: &str| {
        let document = json!({"Version": "2012-10-17", "Statement": [{
            "Effect": "Allow",
            "Action": "dynamodb:*",
            "Resource": "*",
            "Condition": {"StringEquals": {"aws:ResourceTag/team": team}},
        }]});
        let policy = Policy::parse_identity("test", &document.to_string()).unwrap();
        let principal = Principal {
            account: OWNER.to_owned(),
            user: "alice".to_owned(),
            access_key_id: "AKIATEST".to_owned(),
            policies: vec![Arc::new(policy)],
            is_admin: false,
        };
        let address = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));
        Caller::new(Arc::new(principal), Source { address, is_encrypted: true, user_agent: None })
    };
    let get = json!({"TableName": "shop", "Key": {"pk": {"S": "a"}}});
    call(&harness, &tagged("sales"), "GetItem", &get).await.unwrap();
    assert!(call(&harness, &tagged("support"), "GetItem", &get).await.is_err());
}

#[tokio::test]
async fn a_table_can_have_a_policy_from_its_first_moment() {
    let harness = Harness::new().await;
    let mut shop = shop();
    shop["ResourcePolicy"] = json!(policy(&statement("Allow", OTHER, "dynamodb:GetItem")));
    call(&harness, &owner(), "CreateTable", &shop).await.unwrap();
    let got = call(&harness, &owner(), "GetResourcePolicy", &json!({"ResourceArn": ARN})).await;
    assert_eq!(got.unwrap()["RevisionId"], "1794744000250");
}

#[tokio::test]
async fn without_credentials_policies_are_kept_and_keep_nobody_out() {
    let harness = Harness::new().await;
    harness.call("CreateTable", shop()).await;
    let deny = json!({
        "Effect": "Deny", "Principal": "*", "Action": "dynamodb:*", "Resource": "*",
    });
    let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/shop";
    harness.call("PutResourcePolicy", json!({"ResourceArn": arn, "Policy": policy(&deny)})).await;
    harness.call("Scan", json!({"TableName": "shop"})).await;
    let absent = json!({"ResourceArn": format!("{arn}-absent")});
    let (code, text) = harness.error("GetResourcePolicy", absent).await;
    assert_eq!(code, "ResourceNotFoundException");
    assert_eq!(text, "Requested resource not found: Table: shop-absent not found");
}

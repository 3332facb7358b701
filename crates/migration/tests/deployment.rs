//! Tables of a model on an endpoint: what is made, what is changed, and what cannot be.

use expect_test::{Expect, expect};
use monotable_exchange::read_description;
use monotable_migration::deployment::{changes, create_table};
use monotable_model::document::{Format, Model, Table, Tree, inline_tree, read, read_members};

fn model(tables: &str) -> Model {
    let text = format!("format = 1\nname = \"shop\"\n{tables}");
    read(&text, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}")).model
}

fn table(members: &str) -> Table {
    model(&format!("[tables.Main]\n{members}")).tables.remove(0)
}

const KEYS: &str = "partition_key = \"PK\"\nsort_key = \"SK\"\n";
const INDEX: &str =
    "[tables.Main.global_indexes.GSI1]\npartition_key = \"GSI1PK\"\nsort_key = \"GSI1SK\"\n";

#[track_caller]
fn check(wanted: &Table, found: Option<&Table>, expect: &Expect) {
    let shown: Vec<String> = match changes(wanted, found) {
        Ok(changes) => changes
            .iter()
            .map(|change| {
                let sign = change.sign.character();
                let (subject, detail) = (&change.subject, &change.detail);
                let body = inline_tree(&change.body);
                format!("{sign} {subject}: {detail}\n  {} {body}\n", change.operation)
            })
            .collect(),
        Err(obstacles) => obstacles.iter().map(|obstacle| format!("{obstacle}\n")).collect(),
    };
    expect.assert_eq(&shown.concat());
}

#[test]
fn a_table_that_is_not_there_is_made() {
    let wanted = table(&format!("{KEYS}ttl = \"expires\"\nstream = \"new-image\"\n{INDEX}"));
    check(
        &wanted,
        None,
        &expect![[r#"
        + table: key PK and SK, on demand, index GSI1, stream NEW_IMAGE
          CreateTable { "TableName": "Main", "AttributeDefinitions": [{ "AttributeName": "PK", "AttributeType": "S" }, { "AttributeName": "SK", "AttributeType": "S" }, { "AttributeName": "GSI1PK", "AttributeType": "S" }, { "AttributeName": "GSI1SK", "AttributeType": "S" }], "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }, { "AttributeName": "SK", "KeyType": "RANGE" }], "GlobalSecondaryIndexes": [{ "IndexName": "GSI1", "KeySchema": [{ "AttributeName": "GSI1PK", "KeyType": "HASH" }, { "AttributeName": "GSI1SK", "KeyType": "RANGE" }], "Projection": { "ProjectionType": "ALL" } }], "BillingMode": "PAY_PER_REQUEST", "StreamSpecification": { "StreamEnabled": true, "StreamViewType": "NEW_IMAGE" } }
        + expiry: by expires
          UpdateTimeToLive { "TableName": "Main", "TimeToLiveSpecification": { "Enabled": true, "AttributeName": "expires" } }
    "#]],
    );
}

#[test]
fn a_table_that_is_as_it_should_be_is_left_alone() {
    let wanted = table(&format!("{KEYS}{INDEX}"));
    check(&wanted, Some(&wanted), &expect![[""]]);
}

#[test]
fn indexes_go_and_come_one_at_a_time() {
    let found = table(&format!("{KEYS}{INDEX}{}", INDEX.replace('1', "2")));
    let keys_only = format!("{INDEX}projection = \"keys-only\"\n");
    let wanted = table(&format!("{KEYS}{keys_only}{}", INDEX.replace('1', "3")));
    check(
        &wanted,
        Some(&found),
        &expect![[r#"
        - index GSI1: to be made again with another definition
          UpdateTable { "TableName": "Main", "GlobalSecondaryIndexUpdates": [{ "Delete": { "IndexName": "GSI1" } }] }
        - index GSI2: not in the model
          UpdateTable { "TableName": "Main", "GlobalSecondaryIndexUpdates": [{ "Delete": { "IndexName": "GSI2" } }] }
        + index GSI1: key GSI1PK (text), GSI1SK (text), keys only
          UpdateTable { "TableName": "Main", "AttributeDefinitions": [{ "AttributeName": "GSI1PK", "AttributeType": "S" }, { "AttributeName": "GSI1SK", "AttributeType": "S" }, { "AttributeName": "PK", "AttributeType": "S" }, { "AttributeName": "SK", "AttributeType": "S" }], "GlobalSecondaryIndexUpdates": [{ "Create": { "IndexName": "GSI1", "KeySchema": [{ "AttributeName": "GSI1PK", "KeyType": "HASH" }, { "AttributeName": "GSI1SK", "KeyType": "RANGE" }], "Projection": { "ProjectionType": "KEYS_ONLY" } } }] }
        + index GSI3: key GSI3PK (text), GSI3SK (text), all attributes
          UpdateTable { "TableName": "Main", "AttributeDefinitions": [{ "AttributeName": "GSI3PK", "AttributeType": "S" }, { "AttributeName": "GSI3SK", "AttributeType": "S" }, { "AttributeName": "PK", "AttributeType": "S" }, { "AttributeName": "SK", "AttributeType": "S" }], "GlobalSecondaryIndexUpdates": [{ "Create": { "IndexName": "GSI3", "KeySchema": [{ "AttributeName": "GSI3PK", "KeyType": "HASH" }, { "AttributeName": "GSI3SK", "KeyType": "RANGE" }], "Projection": { "ProjectionType": "ALL" } } }] }
    "#]],
    );
}

#[test]
fn streams_and_expiry_are_turned_off_before_they_change() {
    let found = table(&format!("{KEYS}ttl = \"old\"\nstream = \"new-image\"\n"));
    let wanted = table(&format!("{KEYS}ttl = \"new\"\nstream = \"keys-only\"\n"));
    check(
        &wanted,
        Some(&found),
        &expect![[r#"
        ~ stream: NEW_IMAGE → off
          UpdateTable { "TableName": "Main", "StreamSpecification": { "StreamEnabled": false } }
        ~ stream: off → KEYS_ONLY
          UpdateTable { "TableName": "Main", "StreamSpecification": { "StreamEnabled": true, "StreamViewType": "KEYS_ONLY" } }
        ~ expiry: no more by old
          UpdateTimeToLive { "TableName": "Main", "TimeToLiveSpecification": { "Enabled": false, "AttributeName": "old" } }
        + expiry: by new
          UpdateTimeToLive { "TableName": "Main", "TimeToLiveSpecification": { "Enabled": true, "AttributeName": "new" } }
    "#]],
    );
}

#[test]
fn what_is_paid_for_and_protected_changes() {
    let found = table(&format!("{KEYS}{INDEX}"));
    let wanted = table(&format!(
        "{KEYS}billing = {{ read_units = 5, write_units = 6 }}\nclass = \"infrequent-access\"\n\
         deletion_protection = true\n{INDEX}"
    ));
    check(
        &wanted,
        Some(&found),
        &expect![[r#"
        ~ deletion protection: off → on
          UpdateTable { "TableName": "Main", "DeletionProtectionEnabled": true }
        ~ class: STANDARD → STANDARD_INFREQUENT_ACCESS
          UpdateTable { "TableName": "Main", "TableClass": "STANDARD_INFREQUENT_ACCESS" }
        ~ billing: on demand → 5 read and 6 write units, GSI1 5 read and 6 write units
          UpdateTable { "TableName": "Main", "BillingMode": "PROVISIONED", "ProvisionedThroughput": { "ReadCapacityUnits": 5, "WriteCapacityUnits": 6 }, "GlobalSecondaryIndexUpdates": [{ "Update": { "IndexName": "GSI1", "ProvisionedThroughput": { "ReadCapacityUnits": 5, "WriteCapacityUnits": 6 } } }] }
    "#]],
    );
    check(
        &found,
        Some(&wanted),
        &expect![[r#"
        ~ deletion protection: on → off
          UpdateTable { "TableName": "Main", "DeletionProtectionEnabled": false }
        ~ class: STANDARD_INFREQUENT_ACCESS → STANDARD
          UpdateTable { "TableName": "Main", "TableClass": "STANDARD" }
        ~ billing: 5 read and 6 write units → on demand
          UpdateTable { "TableName": "Main", "BillingMode": "PAY_PER_REQUEST" }
    "#]],
    );
}

#[test]
fn keys_and_local_indexes_cannot_be_changed() {
    let local = "[tables.Main.local_indexes.LSI1]\nsort_key = \"at\"\n";
    let found = table(&format!("{KEYS}{local}"));
    let wanted = table("partition_key = \"id\"\n");
    check(
        &wanted,
        Some(&found),
        &expect![[r#"
        the key of Main is PK (text), SK (text), and the model says id (text): a key cannot be changed. Give the table another name in the model, apply it, and move the items
        Main has a local index LSI1 that the model does not have: local indexes go only with their table. Add it to the model, or give the table another name and move the items
    "#]],
    );
}

#[test]
fn a_table_that_the_service_describes_as_it_was_made_is_left_alone() {
    let provisioned = format!("{KEYS}billing = {{ read_units = 5, write_units = 6 }}\n{INDEX}");
    let own = format!("{provisioned}billing = {{ read_units = 1, write_units = 1 }}\n");
    for members in [format!("{KEYS}{INDEX}"), provisioned, own] {
        let wanted = table(&members);
        let answer = Tree::Map(vec![("Table".to_owned(), create_table(&wanted))]);
        let answer = Tree::Map(read_members(&inline_tree(&answer)).unwrap());
        let found = read_description(&answer).unwrap().table;
        check(&wanted, Some(&found), &expect![[""]]);
    }
}

#[test]
fn a_table_without_a_sort_key_has_one_key_attribute() {
    let body = inline_tree(&create_table(&table("partition_key = \"id\"\n")));
    let schema = r#""KeySchema": [{ "AttributeName": "id", "KeyType": "HASH" }]"#;
    assert!(body.contains(schema), "{body}");
}

//! Vector indexes with CreateTable and UpdateTable: what is refused, and how they are described.
//!
//! The texts were recorded on AWS in August 2026 by public test suites (eu-west-2 and us-east-1),
//! but where a test says otherwise.

use crate::harness::Harness;
use serde_json::{Value, json};

fn index(changes: Value) -> Value {
    let mut index = json!({
        "IndexName": "vix",
        "VectorAttribute": {"AttributeName": "embedding"},
        "Dimensions": 3,
        "DistanceFunction": "COSINE",
        "Projection": {"ProjectionType": "KEYS_ONLY"},
    });
    merge(&mut index, changes);
    index
}

fn table(changes: Value) -> Value {
    let mut table = json!({
        "TableName": "shop",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    merge(&mut table, changes);
    table
}

fn merge(into: &mut Value, mut changes: Value) {
    into.as_object_mut().unwrap().append(changes.as_object_mut().unwrap());
}

fn defined(names: &[&str]) -> Value {
    let define = |name: &&str| json!({"AttributeName": name, "AttributeType": "S"});
    names.iter().map(define).collect()
}

fn searching(elements: &[(&str, &str)]) -> Value {
    let element = |(name, role): &(&str, &str)| {
        json!({"AttributeName": name,
            "SearchSchemaElementType": role})
    };
    elements.iter().map(element).collect()
}

#[track_caller]
fn assert_refused((code, text): (String, String), expected: &str) {
    assert_eq!((code.as_str(), text.as_str()), ("ValidationException", expected));
}

#[tokio::test]
async fn a_table_is_refused_whose_vector_indexes_cannot_be() {
    let harness = Harness::new().await;
    let many: Vec<Value> = (0..6).map(|n| index(json!({"IndexName": format!("vix{n}")}))).collect();
    let hashes = [("a", "HASH"), ("b", "HASH")];
    let filters: Vec<String> = (0..19).map(|n| format!("f{n}")).collect();
    let filters: Vec<(&str, &str)> =
        filters.iter().map(|name| (&**name, "INLINE_FILTER")).collect();
    let invalid = "One or more parameter values were invalid: ";
    for (changes, expected) in [
        (
            json!({
                "BillingMode": "PROVISIONED",
                "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
                "VectorIndexes": [index(json!({}))],
            }),
            "Vector indexes are only supported for PAY_PER_REQUEST tables",
        ),
        (
            json!({"VectorIndexes": [
                index(json!({"SearchSchema": searching(&[("tenant", "HASH")])}))
            ]}),
            "One element in SearchSchema is not defined in attribute definitions",
        ),
        (
            json!({"VectorIndexes": [index(json!({"Dimensions": 4097}))]}),
            "Number of dimensions must be between 1 and 4096 inclusive.",
        ),
        (json!({"VectorIndexes": many}), "VectorIndex count exceeds the per-table limit of 5"),
        (
            json!({"VectorIndexes": [
                index(json!({})),
                index(json!({"IndexName": "vix2", "Dimensions": 4})),
            ]}),
            "Conflicting attribute definition for 'embedding'. All VectorIndexes on the same \
             vector attribute must use the same dimensions.",
        ),
        (
            json!({
                "AttributeDefinitions": defined(&["pk", "embedding"]),
                "VectorIndexes": [index(json!({}))],
            }),
            "Conflicting attribute definition for 'embedding'. An attribute cannot be defined in \
             AttributeDefinitions when used as a VectorAttribute.",
        ),
        (
            json!({
                "AttributeDefinitions": defined(&["pk", "a", "b"]),
                "VectorIndexes": [index(json!({"SearchSchema": searching(&hashes)}))],
            }),
            "Value '2' at 'SearchSchema' failed to satisfy constraint: Member must have HASH count \
             less than or equal to 1",
        ),
        (
            json!({"VectorIndexes": [index(json!({"SearchSchema": searching(&filters)}))]}),
            "Value '19' at 'SearchSchema' failed to satisfy constraint: Member must have \
             INLINE_FILTER count less than or equal to 18",
        ),
        (
            json!({"VectorIndexes": [index(json!({})), index(json!({}))]}),
            "Duplicate index name: vix",
        ),
        (
            json!({"VectorIndexes": [index(json!({"Projection": {"ProjectionType": "INCLUDE"}}))]}),
            "ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
        ),
    ] {
        let refused = harness.error("CreateTable", table(changes)).await;
        assert_refused(refused, &format!("{invalid}{expected}"));
    }
    assert_eq!(harness.call("ListTables", json!({})).await["TableNames"], json!([]));
}

#[tokio::test]
async fn members_are_checked_by_themselves_and_answered_together() {
    let harness = Harness::new().await;
    let wrong = json!({
        "IndexName": "ab",
        "Dimensions": 0,
        "DistanceFunction": "MANHATTAN",
        "SearchSchema": [],
    });
    let refused = harness.error("CreateTable", table(json!({"VectorIndexes": [wrong]}))).await;
    assert_refused(
        refused,
        "6 validation errors detected: Value 'ab' at 'vectorIndexes.1.member.indexName' failed to \
         satisfy constraint: Member must have length greater than or equal to 3; Value null at \
         'vectorIndexes.1.member.vectorAttribute' failed to satisfy constraint: Member must not be \
         null; Value '[]' at 'vectorIndexes.1.member.searchSchema' failed to satisfy constraint: \
         Member must have length greater than or equal to 1; Value null at \
         'vectorIndexes.1.member.projection' failed to satisfy constraint: Member must not be \
         null; Value '0' at 'vectorIndexes.1.member.dimensions' failed to satisfy constraint: \
         Member must have value greater than or equal to 1; Value 'MANHATTAN' at \
         'vectorIndexes.1.member.distanceFunction' failed to satisfy constraint: Member must \
         satisfy enum value set: [COSINE, DOT_PRODUCT, EUCLIDEAN]",
    );
}

#[tokio::test]
async fn an_index_is_described_as_it_was_asked_for() {
    let harness = Harness::new().await;
    let search = searching(&[("tenant", "HASH"), ("kind", "INLINE_FILTER")]);
    let request = table(json!({
        "AttributeDefinitions": defined(&["pk", "tenant", "kind"]),
        "VectorIndexes": [index(json!({"SearchSchema": search, "Dimensions": 4096}))],
    }));
    let created = harness.call("CreateTable", request).await;
    let shown = &created["TableDescription"]["VectorIndexes"][0];
    assert_eq!(shown["IndexStatus"], "CREATING");
    assert_eq!(shown["Backfilling"], Value::Null);
    let described = harness.call("DescribeTable", json!({"TableName": "shop"})).await;
    let expected = json!([{
        "IndexName": "vix",
        "SearchSchema": search,
        "Projection": {"ProjectionType": "KEYS_ONLY"},
        "VectorAttribute": {"AttributeName": "embedding"},
        "Dimensions": 4096,
        "DistanceFunction": "COSINE",
        "IndexStatus": "ACTIVE",
        "IndexSizeBytes": 0,
        "ItemCount": 0,
        "IndexArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop/index/vix",
    }]);
    assert_eq!(described["Table"]["VectorIndexes"], expected);
}

async fn update(harness: &Harness, changes: Value) -> Value {
    let mut request = json!({"TableName": "shop"});
    merge(&mut request, changes);
    harness.call("UpdateTable", request).await
}

async fn update_error(harness: &Harness, changes: Value) -> (String, String) {
    let mut request = json!({"TableName": "shop"});
    merge(&mut request, changes);
    harness.error("UpdateTable", request).await
}

fn create(name: &str) -> Value {
    json!({"VectorIndexUpdates": [{"Create": index(json!({"IndexName": name}))}]})
}

/// Lets the background fill or remove what it has to.
async fn wait_for_rest(harness: &Harness) -> Value {
    for _ in 0..100_000 {
        let described = harness.call("DescribeTable", json!({"TableName": "shop"})).await;
        let indexes = described["Table"]["VectorIndexes"].as_array().cloned().unwrap_or_default();
        if indexes.iter().all(|index| index["IndexStatus"] == "ACTIVE") {
            return described["Table"].clone();
        }
        tokio::task::yield_now().await;
    }
    panic!("the table does not come to rest");
}

#[tokio::test]
async fn an_index_is_added_filled_and_removed() {
    let harness = Harness::new().await;
    harness.call("CreateTable", table(json!({}))).await;
    for number in 0..3 {
        let vector = json!({"L": [{"N": number.to_string()}, {"N": "1"}, {"N": "0"}]});
        let item = json!({"pk": {"S": number.to_string()}, "embedding": vector});
        harness.call("PutItem", json!({"TableName": "shop", "Item": item})).await;
    }
    let answer = update(&harness, create("vix")).await;
    let shown = &answer["TableDescription"];
    assert_eq!(shown["TableStatus"], "UPDATING");
    assert_eq!(shown["VectorIndexes"][0]["IndexStatus"], "CREATING");
    assert_eq!(shown["VectorIndexes"][0]["Backfilling"], false);
    // One that is being created keeps the table from other changes of indexes, and from going.
    let in_use = "Attempt to change a resource which is still in use: ";
    assert_eq!(
        update_error(&harness, create("vix2")).await,
        (
            "LimitExceededException".to_owned(),
            "Subscriber limit exceeded: Only 1 online index can be created or deleted \
             simultaneously per table"
                .to_owned()
        )
    );
    assert_eq!(
        update_error(&harness, create("vix")).await,
        (
            "ResourceInUseException".to_owned(),
            format!("{in_use}Index is being created.  Table: shop Index: vix")
        )
    );
    assert_eq!(
        harness.error("DeleteTable", json!({"TableName": "shop"})).await,
        (
            "ResourceInUseException".to_owned(),
            format!(
                "{in_use}Cannot delete table while indexes are being created, updated, or deleted."
            )
        )
    );
    let search = json!({
        "TableName": "shop", "IndexName": "vix", "TopK": 9,
        "SearchVector": [{"N": "1"}, {"N": "1"}, {"N": "0"}],
    });
    let refused = harness.error("SearchVectors", search.clone()).await;
    assert_refused(refused, "Cannot search backfilling vector index: vix");

    let table = wait_for_rest(&harness).await;
    assert_eq!(table["VectorIndexes"][0]["ItemCount"], 3);
    assert_eq!(table["VectorIndexes"][0]["Backfilling"], Value::Null);
    let found = harness.call("SearchVectors", search.clone()).await;
    assert_eq!(found["SearchResults"].as_array().unwrap().len(), 3);
    let exists = "Attempting to create an index which already exists";
    assert_refused(update_error(&harness, create("vix")).await, exists);

    let delete = json!({"VectorIndexUpdates": [{"Delete": {"IndexName": "vix"}}]});
    update(&harness, delete.clone()).await;
    let table = wait_for_rest(&harness).await;
    assert_eq!(table["VectorIndexes"], Value::Null);
    let refused = harness.error("SearchVectors", search).await;
    assert_refused(refused, "The table does not have the specified index: vix");
    let (code, _) = update_error(&harness, delete).await;
    assert_eq!(code, "ResourceNotFoundException");
}

#[tokio::test]
async fn changes_are_refused_that_do_not_fit_the_table() {
    let harness = Harness::new().await;
    let five: Vec<Value> = (0..5).map(|n| index(json!({"IndexName": format!("vix{n}")}))).collect();
    harness.call("CreateTable", table(json!({"VectorIndexes": five}))).await;
    assert_eq!(
        update_error(&harness, create("vix5")).await,
        (
            "LimitExceededException".to_owned(),
            "Subscriber limit exceeded: Number of vector secondary indexes exceeds per-table limit \
             of 5"
                .to_owned()
        )
    );
    let two = json!({"VectorIndexUpdates": [
        {"Delete": {"IndexName": "vix0"}}, {"Delete": {"IndexName": "vix1"}},
    ]});
    let (code, _) = update_error(&harness, two).await;
    assert_eq!(code, "LimitExceededException");
    let provisioned = json!({
        "BillingMode": "PROVISIONED",
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
    });
    let invalid = "One or more parameter values were invalid: ";
    let only = format!("{invalid}Vector indexes are only supported for PAY_PER_REQUEST tables");
    assert_refused(update_error(&harness, provisioned).await, &only);

    update(&harness, json!({"VectorIndexUpdates": [{"Delete": {"IndexName": "vix0"}}]})).await;
    wait_for_rest(&harness).await;
    let other = index(json!({"IndexName": "other", "Dimensions": 4}));
    let conflict = format!(
        "{invalid}Conflicting attribute definition for 'embedding'. All VectorIndexes on the same \
         vector attribute must use the same dimensions."
    );
    let create = |index: Value| json!({"VectorIndexUpdates": [{"Create": index}]});
    assert_refused(update_error(&harness, create(other)).await, &conflict);
    let key = index(json!({"IndexName": "other", "VectorAttribute": {"AttributeName": "pk"}}));
    let redefined = format!(
        "{invalid}Attributes cannot be redefined. Please check that your attribute has the same \
         type as previously defined. Existing schema: Schema:[SchemaElement: key{{pk:S:HASH}}] New \
         schema: VectorIndexSchema:[VectorAttribute: key{{pk:L:3}}]"
    );
    assert_refused(update_error(&harness, create(key)).await, &redefined);
    // The definitions must come with the request, also if the table knows them.
    let search = index(json!({"IndexName": "other", "SearchSchema": searching(&[("pk", "HASH")])}));
    let undefined =
        format!("{invalid}One element in SearchSchema is not defined in attribute definitions");
    assert_refused(update_error(&harness, create(search)).await, &undefined);
}

#[tokio::test]
async fn only_a_search_reads_a_vector_index() {
    let harness = Harness::new().await;
    harness.call("CreateTable", table(json!({"VectorIndexes": [index(json!({}))]}))).await;
    let query = |changes: Value| {
        let mut request = json!({
            "TableName": "shop", "IndexName": "vix", "KeyConditionExpression": "pk = :v",
            "ExpressionAttributeValues": {":v": {"S": "a"}},
        });
        merge(&mut request, changes);
        request
    };
    let refused = harness.error("Query", query(json!({}))).await;
    assert_refused(refused, "Query operation not supported on this index type.");
    let refused = harness.error("Query", query(json!({"ConsistentRead": true}))).await;
    assert_refused(refused, "Consistent reads are not supported on global secondary indexes");
    let scan = json!({"TableName": "shop", "IndexName": "vix", "ConsistentRead": true});
    let refused = harness.error("Scan", scan).await;
    assert_refused(refused, "Scan operation not supported on this index type");
    // AWS documents that a statement cannot reach it either; that it says so in Scan's words is a
    // guess.
    for statement in
        ["SELECT * FROM \"shop\".\"vix\"", "SELECT * FROM \"shop\".\"vix\" WHERE pk = 'a'"]
    {
        let refused = harness.error("ExecuteStatement", json!({"Statement": statement})).await;
        assert_refused(refused, "Scan operation not supported on this index type");
    }
}

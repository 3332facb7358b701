"""Encryption, warm throughput and table class, as descriptions show them."""
from tables import definitions, index, key_schema


def described(client, table):
    return client.describe_table(TableName=table)["Table"]


def test_encryption_is_shown_as_it_was_asked_for(client, create):
    key = "arn:aws:kms:us-east-1:111122223333:key/1234abcd"
    table = create(
        KeySchema=key_schema("pk"),
        AttributeDefinitions=definitions(pk="S"),
        SSESpecification={"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": key},
    )
    expected = {"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": key}
    assert described(client, table)["SSEDescription"] == expected
    answer = client.update_table(TableName=table, SSESpecification={"Enabled": False})
    assert answer["TableDescription"]["SSEDescription"]["Status"] == "UPDATING"
    assert "SSEDescription" not in described(client, table)


def test_warm_throughput_is_shown_as_it_was_asked_for(client, create):
    warm = {"ReadUnitsPerSecond": 13_000, "WriteUnitsPerSecond": 5_000}
    table = create(
        KeySchema=key_schema("pk"),
        AttributeDefinitions=definitions(pk="S", state="S"),
        WarmThroughput=warm,
        GlobalSecondaryIndexes=[{**index("by-state", "state"), "WarmThroughput": warm}],
    )
    shown = described(client, table)
    assert shown["WarmThroughput"] == {**warm, "Status": "ACTIVE"}
    assert shown["GlobalSecondaryIndexes"][0]["WarmThroughput"] == {**warm, "Status": "ACTIVE"}
    answer = client.update_table(TableName=table, WarmThroughput={"ReadUnitsPerSecond": 14_000})
    before = answer["TableDescription"]["WarmThroughput"]
    assert before == {**warm, "Status": "UPDATING"}
    assert described(client, table)["WarmThroughput"]["ReadUnitsPerSecond"] == 14_000


def test_a_change_of_the_class_has_a_date(client, table):
    client.update_table(TableName=table, TableClass="STANDARD")
    assert "TableClassSummary" not in described(client, table)
    client.update_table(TableName=table, TableClass="STANDARD_INFREQUENT_ACCESS")
    summary = described(client, table)["TableClassSummary"]
    assert summary["TableClass"] == "STANDARD_INFREQUENT_ACCESS"
    assert "LastUpdateDateTime" in summary

"""UpdateTable: billing and throughput."""
from tables import definitions, describe, index, key_schema, string_sorted, wait_active

UNITS = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}


def test_throughput_changes(client, create):
    table = create(ProvisionedThroughput=UNITS, **string_sorted())
    client.update_table(
        TableName=table, ProvisionedThroughput={"ReadCapacityUnits": 9, "WriteCapacityUnits": 2})
    wait_active(client, table)
    throughput = describe(client, table)["ProvisionedThroughput"]
    assert (throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]) == (9, 2)
    assert throughput["NumberOfDecreasesToday"] == 1


def test_a_provisioned_table_becomes_on_demand_and_back(client, create):
    table = create(ProvisionedThroughput=UNITS, **string_sorted())
    client.update_table(TableName=table, BillingMode="PAY_PER_REQUEST")
    wait_active(client, table)
    description = describe(client, table)
    assert description["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert description["ProvisionedThroughput"]["ReadCapacityUnits"] == 0
    client.update_table(TableName=table, BillingMode="PROVISIONED", ProvisionedThroughput=UNITS)
    wait_active(client, table)
    description = describe(client, table)
    assert description["BillingModeSummary"]["BillingMode"] == "PROVISIONED"
    assert description["ProvisionedThroughput"]["ReadCapacityUnits"] == 5


def test_the_throughput_of_an_index_changes(client, create):
    table = create(
        KeySchema=key_schema("pk"), AttributeDefinitions=definitions(pk="S", other="S"),
        ProvisionedThroughput=UNITS,
        GlobalSecondaryIndexes=[index("global", "other") | {"ProvisionedThroughput": UNITS}])
    client.update_table(TableName=table, GlobalSecondaryIndexUpdates=[{"Update": {
        "IndexName": "global",
        "ProvisionedThroughput": {"ReadCapacityUnits": 8, "WriteCapacityUnits": 8}}}])
    wait_active(client, table)
    changed, = describe(client, table)["GlobalSecondaryIndexes"]
    assert changed["ProvisionedThroughput"]["ReadCapacityUnits"] == 8


def test_data_stays_when_the_table_changes(client, create):
    table = create(ProvisionedThroughput=UNITS, **string_sorted())
    client.put_item(TableName=table, Item={"pk": {"S": "a"}, "sk": {"S": "b"}})
    client.update_table(TableName=table, BillingMode="PAY_PER_REQUEST")
    wait_active(client, table)
    assert client.scan(TableName=table)["Count"] == 1


def test_the_resource_updates_a_table(resource, create):
    table = resource.Table(create(ProvisionedThroughput=UNITS, **string_sorted()))
    table.update(ProvisionedThroughput={"ReadCapacityUnits": 6, "WriteCapacityUnits": 5})
    table.wait_until_exists()
    table.reload()
    assert table.provisioned_throughput["ReadCapacityUnits"] == 6

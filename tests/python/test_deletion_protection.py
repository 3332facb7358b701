"""DeletionProtectionEnabled: a protected table stays until the protection is lifted."""
import pytest

from tables import definitions, describe, key_schema, wait_active


@pytest.fixture
def protected(client, create):
    table = create(
        KeySchema=key_schema("pk"), AttributeDefinitions=definitions(pk="S"),
        DeletionProtectionEnabled=True)
    yield table
    client.update_table(TableName=table, DeletionProtectionEnabled=False)
    wait_active(client, table)


def test_a_protected_table_cannot_be_deleted(client, protected):
    assert describe(client, protected)["DeletionProtectionEnabled"] is True
    with pytest.raises(client.exceptions.ClientError) as error:
        client.delete_table(TableName=protected)
    assert error.value.response["Error"]["Code"] == "ValidationException"
    assert error.value.response["Error"]["Message"] == (
        "Resource cannot be deleted as it is currently protected against deletion. "
        "Disable deletion protection first.")
    assert describe(client, protected)["TableStatus"] == "ACTIVE"


def test_a_table_can_be_deleted_once_the_protection_is_lifted(client, table):
    client.update_table(TableName=table, DeletionProtectionEnabled=True)
    wait_active(client, table)
    with pytest.raises(client.exceptions.ClientError):
        client.delete_table(TableName=table)
    client.update_table(TableName=table, DeletionProtectionEnabled=False)
    wait_active(client, table)
    client.delete_table(TableName=table)

"""ClientRequestToken: a transaction that is sent twice happens once."""
import uuid

import pytest

from tables import fill


@pytest.fixture
def counter(client, table):
    fill(client, table, [{"pk": "counter", "n": 0}])

    def add(amount, token, **more):
        return client.transact_write_items(ClientRequestToken=token, TransactItems=[{"Update": {
            "TableName": table, "Key": {"pk": {"S": "counter"}}, "UpdateExpression": "ADD n :n",
            "ExpressionAttributeValues": {":n": {"N": str(amount)}}}}], **more)
    add.read = lambda: client.get_item(TableName=table,
                                       Key={"pk": {"S": "counter"}})["Item"]["n"]["N"]
    return add


def token():
    return str(uuid.uuid4())


def test_the_same_token_and_request_happen_once(counter):
    same = token()
    for _ in range(3):
        counter(1, same)
    assert counter.read() == "1"


def test_different_tokens_happen_each(counter):
    for _ in range(3):
        counter(1, token())
    assert counter.read() == "3"


def test_the_same_token_with_another_request_is_refused(client, counter):
    same = token()
    counter(1, same)
    with pytest.raises(client.exceptions.IdempotentParameterMismatchException):
        counter(2, same)
    assert counter.read() == "1"


def test_a_cancelled_transaction_does_not_use_up_its_token(client, table):
    same = token()
    put = lambda: client.transact_write_items(ClientRequestToken=same, TransactItems=[{"Put": {
        "TableName": table, "Item": {"pk": {"S": "a"}},
        "ConditionExpression": "attribute_not_exists(pk)"}}])
    client.put_item(TableName=table, Item={"pk": {"S": "a"}})
    with pytest.raises(client.exceptions.TransactionCanceledException):
        put()
    client.delete_item(TableName=table, Key={"pk": {"S": "a"}})
    put()
    assert client.scan(TableName=table)["Count"] == 1


def test_the_capacity_of_a_replay_is_that_of_reads(counter):
    same = token()
    first, = counter(1, same, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]
    second, = counter(1, same, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]
    assert (first["CapacityUnits"], first["WriteCapacityUnits"]) == (2.0, 2.0)
    assert (second["CapacityUnits"], second["ReadCapacityUnits"]) == (2.0, 2.0)

"""Time to live: items that say when they go."""
import time

import pytest

from streams import records, stream_arn, stream_on
from tables import definitions, index, key_schema, typed, wait_until

WEEK = 7 * 24 * 60 * 60
FIVE_YEARS = 5 * 365 * 24 * 60 * 60


def enable(client, table, enabled=True, attribute="expires"):
    return client.update_time_to_live(
        TableName=table, TimeToLiveSpecification={"Enabled": enabled, "AttributeName": attribute})


def description(client, table):
    return client.describe_time_to_live(TableName=table)["TimeToLiveDescription"]


def keys(client, table, **request):
    return {item["pk"]["S"] for item in client.scan(TableName=table, **request)["Items"]}


def put(client, table, **item):
    client.put_item(TableName=table, Item=typed(item))


def wait_for(client, table, expected):
    """Waits until the table holds just these items."""
    wait_until(lambda: keys(client, table) == expected, seconds=20)


def test_time_to_live_is_off_at_first(client, table):
    assert description(client, table) == {"TimeToLiveStatus": "DISABLED"}


def test_the_answer_repeats_what_was_asked_for(client, table):
    answer = enable(client, table)
    assert answer["TimeToLiveSpecification"] == {"Enabled": True, "AttributeName": "expires"}
    wait_until(lambda: description(client, table)
               == {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"})


def test_expired_items_go_and_others_stay(client, table):
    enable(client, table)
    now = int(time.time())
    put(client, table, pk="now", expires=now)
    put(client, table, pk="yesterday", expires=now - 86_400)
    put(client, table, pk="next-week", expires=now + WEEK)
    put(client, table, pk="never")
    wait_for(client, table, {"next-week", "never"})


def test_items_that_were_there_before_expire_too(client, table):
    put(client, table, pk="old", expires=int(time.time()) - 60)
    put(client, table, pk="young", expires=int(time.time()) + WEEK)
    enable(client, table)
    wait_for(client, table, {"young"})


def test_an_item_goes_at_its_time_and_not_before(client, table):
    enable(client, table)
    expires = int(time.time()) + 3
    put(client, table, pk="a", expires=expires)
    while time.time() < expires - 1:
        assert keys(client, table) == {"a"}
        time.sleep(0.2)
    wait_for(client, table, set())
    assert time.time() >= expires


def test_values_that_are_no_times_or_long_past_are_ignored(client, table):
    enable(client, table)
    now = int(time.time())
    put(client, table, pk="text", expires=str(now - 60))
    put(client, table, pk="bytes", expires=b"1")
    put(client, table, pk="zero", expires=0)
    put(client, table, pk="six-years", expires=now - FIVE_YEARS - 365 * 86_400)
    client.put_item(TableName=table,
                    Item={"pk": {"S": "list"}, "expires": {"L": [{"N": str(now - 60)}]}})
    client.put_item(TableName=table, Item={"pk": {"S": "set"}, "expires": {"NS": [str(now - 60)]}})
    # Each of these goes with a sweep that had all the others before it.
    for sweep in range(2):
        put(client, table, pk="expired", expires=now - 60)
        wait_for(client, table, {"text", "bytes", "zero", "six-years", "list", "set"})


def test_an_item_that_is_given_more_time_stays(client, table):
    enable(client, table)
    expires = int(time.time()) + 2
    put(client, table, pk="a", expires=expires)
    put(client, table, pk="b", expires=expires)
    client.update_item(TableName=table, Key={"pk": {"S": "a"}}, UpdateExpression="SET expires = :e",
                       ExpressionAttributeValues={":e": {"N": str(expires + WEEK)}})
    wait_for(client, table, {"a"})


def test_index_entries_go_with_the_item(client, create):
    table = create(
        KeySchema=key_schema("pk"), AttributeDefinitions=definitions(pk="S", g="S"),
        GlobalSecondaryIndexes=[index("by-g", "g")])
    enable(client, table)
    put(client, table, pk="a", g="x", expires=int(time.time()))
    put(client, table, pk="b", g="x", expires=int(time.time()) + WEEK)
    wait_for(client, table, {"b"})
    assert keys(client, table, IndexName="by-g") == {"b"}


def test_an_expiry_is_a_removal_by_the_service(client, streams, create):
    table = create(
        KeySchema=key_schema("pk"), AttributeDefinitions=definitions(pk="S"),
        StreamSpecification=stream_on())
    enable(client, table)
    item = {"pk": "a", "expires": int(time.time())}
    put(client, table, **item)
    put(client, table, pk="b")
    client.delete_item(TableName=table, Key={"pk": {"S": "b"}})
    wait_for(client, table, set())
    removed = {record["dynamodb"]["Keys"]["pk"]["S"]: record
               for record in records(streams, stream_arn(client, table))
               if record["eventName"] == "REMOVE"}
    assert removed["a"]["userIdentity"] == {"Type": "Service",
                                            "PrincipalId": "dynamodb.amazonaws.com"}
    assert removed["a"]["dynamodb"]["OldImage"] == typed(item)
    assert "userIdentity" not in removed["b"]


@pytest.mark.parametrize("enabled, attribute, text", [
    (True, "expires", "TimeToLive is already enabled"),
    (False, "expires", "Time to live has been modified multiple times within a fixed interval"),
])
def test_time_to_live_changes_once_an_hour(client, table, enabled, attribute, text):
    enable(client, table)
    wait_until(lambda: description(client, table)["TimeToLiveStatus"] == "ENABLED")
    with pytest.raises(client.exceptions.ClientError) as error:
        enable(client, table, enabled, attribute)
    found = error.value.response["Error"]
    assert (found["Code"], found["Message"]) == ("ValidationException", text)


def test_what_is_off_cannot_be_turned_off(client, table):
    with pytest.raises(client.exceptions.ClientError) as error:
        enable(client, table, enabled=False)
    found = error.value.response["Error"]
    assert (found["Code"],
            found["Message"]) == ("ValidationException", "TimeToLive is already disabled")


@pytest.mark.parametrize("call", [
    lambda client, name: enable(client, name), lambda client, name: description(client, name)],
    ids=["update", "describe"])
def test_a_table_that_is_not_there_is_not_found(client, name, call):
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        call(client, name)

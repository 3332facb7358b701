"""Streams: every change of a table, once and in order, as boto3's own client for them reads it."""
import os

import pytest

from streams import (
    iterator, parents_first, read, records, sequence_number, shard_of, shards, stream_arn,
    stream_on)
from tables import definitions, describe, fill, key_schema, typed, untyped, wait_until

KEY = {"pk": {"S": "a"}}
ITEM = KEY | {"n": {"N": "1"}}
CHANGED = KEY | {"n": {"N": "2"}}


@pytest.fixture
def streamed(create):
    """Makes a table with a partition key `pk` and a stream."""
    return lambda view="NEW_AND_OLD_IMAGES": create(
        KeySchema=key_schema("pk"), AttributeDefinitions=definitions(pk="S"),
        StreamSpecification=stream_on(view))


def change_three_times(client, table):
    """An insert, a change and a removal of one item."""
    client.put_item(TableName=table, Item=ITEM)
    client.put_item(TableName=table, Item=CHANGED)
    client.delete_item(TableName=table, Key=KEY)


def put_numbers(client, table, count):
    """Changes one item again and again, so that all records are in one family of shards."""
    for number in range(count):
        client.put_item(TableName=table, Item=typed({"pk": "a", "n": number}))


def numbers(found):
    return [untyped(record["dynamodb"]["NewImage"])["n"] for record in found]


def events(found):
    return [record["eventName"] for record in found]


def images(record):
    return {name: image for name, image in record["dynamodb"].items() if name.endswith("Image")}


@pytest.mark.parametrize("view, expected", [
    ("KEYS_ONLY", [{}, {}, {}]),
    ("NEW_IMAGE", [{"NewImage": ITEM}, {"NewImage": CHANGED}, {}]),
    ("OLD_IMAGE", [{}, {"OldImage": ITEM}, {"OldImage": CHANGED}]),
    ("NEW_AND_OLD_IMAGES", [
        {"NewImage": ITEM}, {"OldImage": ITEM, "NewImage": CHANGED}, {"OldImage": CHANGED}]),
])
def test_the_view_type_decides_which_images_a_record_has(client, streams, streamed, view, expected):
    table = streamed(view)
    change_three_times(client, table)
    found = records(streams, stream_arn(client, table))
    assert events(found) == ["INSERT", "MODIFY", "REMOVE"]
    assert [images(record) for record in found] == expected
    assert {record["dynamodb"]["StreamViewType"] for record in found} == {view}
    assert [record["dynamodb"]["Keys"] for record in found] == [KEY] * 3


def test_a_record_says_where_it_comes_from_and_how_large_it_is(client, streams, streamed):
    table = streamed()
    change_three_times(client, table)
    found = records(streams, stream_arn(client, table))
    assert {(record["eventSource"], record["eventVersion"], record["awsRegion"])
            for record in found} == {
        ("aws:dynamodb", "1.1", "us-east-1")}
    assert len({record["eventID"] for record in found}) == 3
    assert all("userIdentity" not in record for record in found)
    assert all("ApproximateCreationDateTime" in record["dynamodb"] for record in found)
    # Names and values of the keys, which are counted once, and of each image.
    assert [record["dynamodb"]["SizeBytes"] for record in found] == [3 + 6, 3 + 6 + 6, 3 + 6]


def test_sequence_numbers_grow(client, streams, streamed):
    table = streamed()
    put_numbers(client, table, 5)
    order = [int(sequence_number(record)) for record in records(streams, stream_arn(client, table))]
    assert order == sorted(set(order)) and len(order) == 5


def test_a_write_that_changes_nothing_has_no_record(client, streams, streamed):
    table = streamed()
    client.put_item(TableName=table, Item=ITEM)
    client.put_item(TableName=table, Item=ITEM)
    client.put_item(TableName=table, Item=KEY | {"n": {"N": "1.0"}})
    client.update_item(TableName=table, Key=KEY, UpdateExpression="SET n = :n",
                       ExpressionAttributeValues={":n": {"N": "1"}})
    client.delete_item(TableName=table, Key={"pk": {"S": "absent"}})
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        client.put_item(TableName=table, Item=CHANGED,
                        ConditionExpression="attribute_not_exists(pk)")
    assert events(records(streams, stream_arn(client, table))) == ["INSERT"]


def test_every_kind_of_write_has_a_record(client, streams, streamed):
    table = streamed()
    client.put_item(TableName=table, Item=ITEM)
    client.update_item(TableName=table, Key=KEY, UpdateExpression="SET n = :n",
                       ExpressionAttributeValues={":n": {"N": "2"}})
    client.batch_write_item(RequestItems={table: [{"DeleteRequest": {"Key": KEY}}]})
    client.transact_write_items(TransactItems=[{"Put": {"TableName": table, "Item": ITEM}}])
    assert events(records(streams, stream_arn(client, table))) == [
        "INSERT", "MODIFY", "REMOVE", "INSERT"]


def test_the_records_of_a_transaction_are_all_there_or_none(client, streams, streamed):
    table = streamed()
    keys = [f"k{number:02}" for number in range(50)]
    puts = [{"Put": {"TableName": table, "Item": {"pk": {"S": key}}}} for key in keys]
    with pytest.raises(client.exceptions.TransactionCanceledException):
        client.transact_write_items(TransactItems=puts + [{"ConditionCheck": {
            "TableName": table, "Key": KEY, "ConditionExpression": "attribute_exists(pk)"}}])
    assert records(streams, stream_arn(client, table)) == []
    client.transact_write_items(TransactItems=puts)
    found = records(streams, stream_arn(client, table))
    assert sorted(record["dynamodb"]["Keys"]["pk"]["S"] for record in found) == keys


def test_old_images_are_the_new_images_before(client, streams, streamed):
    table = streamed()
    put_numbers(client, table, 10)
    found = records(streams, stream_arn(client, table))
    assert [images(record).get("OldImage") for record in found[1:]] == [
        images(record)["NewImage"] for record in found[:-1]]


def test_records_come_in_pages(client, streams, streamed):
    table = streamed()
    put_numbers(client, table, 7)
    arn = stream_arn(client, table)
    found = records(streams, arn)
    place = iterator(streams, arn, shard_of(streams, arn, found[0]))
    page = streams.get_records(ShardIterator=place, Limit=3)
    assert numbers(page["Records"]) == [0, 1, 2]
    assert numbers(
        streams.get_records(ShardIterator=page["NextShardIterator"], Limit=1)["Records"]) == [3]
    assert numbers(streams.get_records(ShardIterator=place, Limit=3)["Records"]) == [0, 1, 2]
    assert numbers(found) == list(range(7))


def test_an_iterator_starts_at_or_after_a_record(client, streams, streamed):
    table = streamed()
    put_numbers(client, table, 5)
    arn = stream_arn(client, table)
    third = records(streams, arn)[2]
    shard = shard_of(streams, arn, third)
    start = lambda kind: numbers(
        read(streams, iterator(streams, arn, shard, kind, SequenceNumber=sequence_number(third))))
    here = numbers(read(streams, iterator(streams, arn, shard)))
    assert start("AT_SEQUENCE_NUMBER") == [number for number in here if number >= 2]
    assert start("AFTER_SEQUENCE_NUMBER") == [number for number in here if number > 2]


def test_latest_starts_with_the_next_change(client, streams, streamed):
    table = streamed()
    put_numbers(client, table, 3)
    arn = stream_arn(client, table)
    before = shards(streams, arn)
    places = [iterator(streams, arn, shard, "LATEST") for shard in before]
    client.put_item(TableName=table, Item=typed({"pk": "a", "n": 99}))
    opened_since = [shard for shard in shards(streams, arn) if shard not in before
                    and shard["ShardId"] not in
                    {old["ShardId"] for old in before}]
    places += [iterator(streams, arn, shard) for shard in opened_since]
    assert numbers([record for place in places for record in read(streams, place)]) == [99]


def test_an_open_shard_always_has_a_next_iterator(client, streams, streamed):
    arn = stream_arn(client, streamed())
    open_shards = [shard for shard in shards(streams, arn)
                   if "EndingSequenceNumber" not in shard["SequenceNumberRange"]]
    assert open_shards
    page = streams.get_records(ShardIterator=iterator(streams, arn, open_shards[-1]))
    assert page["Records"] == [] and page["NextShardIterator"]


def test_shards_are_described_in_pages(client, streams, streamed):
    arn = stream_arn(client, streamed())
    first = streams.describe_stream(StreamArn=arn, Limit=1)["StreamDescription"]
    assert first["LastEvaluatedShardId"] == first["Shards"][0]["ShardId"]
    ids = [shard["ShardId"] for shard in shards(streams, arn, Limit=1)]
    assert len(ids) == len(set(ids)) >= 4
    assert all(28 <= len(shard) <= 65 and shard.startswith("shardId-") for shard in ids)


def test_a_stream_is_described_as_it_was_asked_for(client, streams, streamed):
    table = streamed("KEYS_ONLY")
    description = describe(client, table)
    found = streams.describe_stream(StreamArn=description["LatestStreamArn"])["StreamDescription"]
    assert description["StreamSpecification"] == stream_on("KEYS_ONLY")
    assert (found["StreamArn"], found["StreamLabel"]) == (
        description["LatestStreamArn"], description["LatestStreamLabel"])
    assert (found["StreamStatus"], found["StreamViewType"]) == ("ENABLED", "KEYS_ONLY")
    assert (found["TableName"], found["KeySchema"]) == (table, key_schema("pk"))
    assert "CreationRequestDateTime" in found


def test_streams_are_listed_by_table_and_in_pages(client, streams, streamed):
    tables = [streamed(), streamed()]
    for table in tables:
        listed = streams.list_streams(TableName=table)["Streams"]
        assert [(entry["TableName"], entry["StreamArn"]) for entry in listed] == [
            (table, stream_arn(client, table))]
    found, request = [], {}
    while True:
        page = streams.list_streams(Limit=1, **request)
        found += [entry["TableName"] for entry in page["Streams"]]
        if "LastEvaluatedStreamArn" not in page:
            break
        request = {"ExclusiveStartStreamArn": page["LastEvaluatedStreamArn"]}
    assert set(tables) <= set(found)


def test_a_disabled_stream_is_closed_and_stays_readable(client, streams, streamed):
    table = streamed()
    put_numbers(client, table, 3)
    arn = stream_arn(client, table)
    client.update_table(TableName=table, StreamSpecification={"StreamEnabled": False})
    client.put_item(TableName=table, Item=typed({"pk": "a", "n": 99}))
    description = streams.describe_stream(StreamArn=arn)["StreamDescription"]
    assert description["StreamStatus"] == "DISABLED"
    assert all("EndingSequenceNumber" in shard["SequenceNumberRange"]
               for shard in shards(streams, arn))
    assert numbers(records(streams, arn)) == [0, 1, 2]
    assert "StreamSpecification" not in describe(client, table)


def test_the_end_of_a_closed_shard_has_no_next_iterator(client, streams, streamed):
    table = streamed()
    put_numbers(client, table, 2)
    arn = stream_arn(client, table)
    client.update_table(TableName=table, StreamSpecification={"StreamEnabled": False})
    for shard in shards(streams, arn):
        place, pages = iterator(streams, arn, shard), 0
        while place and pages < 10:
            place, pages = streams.get_records(ShardIterator=place).get(
                "NextShardIterator"), pages + 1
        assert place is None


def test_a_stream_that_is_enabled_again_is_another_one(client, streams, streamed):
    table = streamed()
    put_numbers(client, table, 2)
    first = stream_arn(client, table)
    client.update_table(TableName=table, StreamSpecification={"StreamEnabled": False})
    client.update_table(TableName=table, StreamSpecification=stream_on())
    second = stream_arn(client, table)
    client.put_item(TableName=table, Item=typed({"pk": "a", "n": 7}))
    assert first != second
    assert (numbers(records(streams, first)), numbers(records(streams, second))) == ([0, 1], [7])
    assert {entry["StreamArn"] for entry in streams.list_streams(TableName=table)["Streams"]} == {
        first, second}


def test_a_stream_outlives_its_table(client, streams, streamed):
    table = streamed()
    put_numbers(client, table, 2)
    arn = stream_arn(client, table)
    client.delete_table(TableName=table)
    client.get_waiter("table_not_exists").wait(TableName=table, WaiterConfig={"Delay": 1})
    assert streams.describe_stream(StreamArn=arn)["StreamDescription"]["StreamStatus"] == "DISABLED"
    assert numbers(records(streams, arn)) == [0, 1]


def test_items_are_spread_over_several_shards(client, streams, streamed):
    table = streamed("KEYS_ONLY")
    fill(client, table, [{"pk": f"k{number}"} for number in range(100)])
    arn = stream_arn(client, table)
    counts = [len(read(streams, iterator(streams, arn, shard))) for shard in shards(streams, arn)]
    assert sum(counts) == 100 and len([count for count in counts if count]) > 1


@pytest.mark.skipif("MONOTABLE_SHORT_SHARDS" not in os.environ,
                    reason="the shards of this server live for hours")
def test_a_closed_shard_gives_way_to_its_child(client, streams, streamed):
    table = streamed()
    arn = stream_arn(client, table)
    first = {shard["ShardId"] for shard in shards(streams, arn)}
    count = 0

    def children():
        nonlocal count
        client.put_item(TableName=table, Item=typed({"pk": "a", "n": count}))
        count += 1
        return [shard for shard in shards(streams, arn) if shard.get("ParentShardId") in first]

    child = wait_until(children)[0]
    found = {shard["ShardId"]: shard for shard in shards(streams, arn)}
    parent = found[child["ParentShardId"]]
    ending = int(parent["SequenceNumberRange"]["EndingSequenceNumber"])
    assert ending <= int(child["SequenceNumberRange"]["StartingSequenceNumber"])
    wanted = {"Type": "CHILD_SHARDS", "ShardId": parent["ShardId"]}
    assert [shard["ShardId"] for shard in shards(streams, arn, ShardFilter=wanted)] == [
        child["ShardId"]]
    assert numbers(records(streams, arn)) == list(range(count))


def test_the_shards_of_a_stream_form_families(client, streams, streamed):
    found = shards(streams, stream_arn(client, streamed()))
    assert len(parents_first(found)) == len(found)


@pytest.mark.parametrize("call, code", [
    (lambda streams, arn: streams.describe_stream(StreamArn=arn + "9"),
     "ResourceNotFoundException"),
    (lambda streams, arn: iterator(streams, arn, {
        "ShardId": "shardId-00000000000000000000-00000000"}), "ResourceNotFoundException"),
    (lambda streams, arn: streams.get_records(ShardIterator="nonsense"), "ValidationException"),
    (lambda streams, arn: iterator(streams, arn, shards(streams, arn)[0], "AT_SEQUENCE_NUMBER"),
     "ValidationException"),
    (lambda streams, arn: streams.describe_stream(StreamArn=arn, Limit=101), "ValidationException"),
    (lambda streams, arn: streams.list_streams(Limit=101), "ValidationException"),
], ids=["stream", "shard", "iterator", "no-sequence-number", "describe-limit", "list-limit"])
def test_what_is_not_there_or_makes_no_sense_is_refused(client, streams, streamed, call, code):
    arn = stream_arn(client, streamed())
    with pytest.raises(streams.exceptions.ClientError) as error:
        call(streams, arn)
    assert error.value.response["Error"]["Code"] == code


@pytest.mark.parametrize("view", ["NEW_AND_OLD_IMAGES", "KEYS_ONLY"])
def test_a_stream_that_is_on_cannot_be_turned_on(client, streamed, view):
    table = streamed()
    with pytest.raises(client.exceptions.ClientError) as error:
        client.update_table(TableName=table, StreamSpecification=stream_on(view))
    found = error.value.response["Error"]
    assert (found["Code"], found["Message"]) == (
        "ValidationException", f"Table already has an enabled stream: TableName: {table}")

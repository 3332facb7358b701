"""Reading a table's stream: shards in the order of their families, and all their records."""
from tables import describe


def stream_arn(client, table):
    return describe(client, table)["LatestStreamArn"]


def stream_on(view="NEW_AND_OLD_IMAGES"):
    """The specification that turns a stream on."""
    return {"StreamEnabled": True, "StreamViewType": view}


def shards(streams, arn, **request):
    """All shards, page by page."""
    found = []
    while True:
        description = streams.describe_stream(StreamArn=arn, **request)["StreamDescription"]
        found += description["Shards"]
        if "LastEvaluatedShardId" not in description:
            return found
        request["ExclusiveStartShardId"] = description["LastEvaluatedShardId"]


def parents_first(found):
    """The shards in an order in which no child comes before its parent."""
    listed, ordered = {shard["ShardId"] for shard in found}, []
    while found:
        done = {shard["ShardId"] for shard in ordered}
        ready = [shard for shard in found if shard.get("ParentShardId") in done
                 or shard.get("ParentShardId") not in listed]
        assert ready, "the shards are each other's parents"
        ordered += ready
        found = [shard for shard in found if shard not in ready]
    return ordered


def iterator(streams, arn, shard, kind="TRIM_HORIZON", **place):
    return streams.get_shard_iterator(
        StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType=kind, **place)["ShardIterator"]


def read(streams, place, **request):
    """The records from an iterator on, until there are no more or the shard ends."""
    found = []
    while place:
        page = streams.get_records(ShardIterator=place, **request)
        found += page["Records"]
        place = page.get("NextShardIterator") if page["Records"] else None
    return found


def records(streams, arn):
    """All records of a stream; those of one item are in order."""
    ordered = parents_first(shards(streams, arn))
    return [record for shard in ordered for record in read(streams, iterator(streams, arn, shard))]


def sequence_number(record):
    return record["dynamodb"]["SequenceNumber"]


def shard_of(streams, arn, record):
    """The shard that holds a record."""
    for shard in shards(streams, arn):
        if any(sequence_number(other) == sequence_number(record)
               for other in read(streams, iterator(streams, arn, shard))):
            return shard
    raise AssertionError("no shard holds the record")

"""The server against the service model of the installed botocore: every action, every member, every
constraint.

A newer botocore with more of them fails here, with their names.
"""
import fnmatch
import json
import re

import pytest

import compatibility
from conftest import remove
from service_model import (ACTIONS, MISSING, NO_SUCH_VALUE, answer_members, input_of,
                           legal_values, nested_shapes, places, request_members,
                           seen_members, shape_of, target, violations)
from streams import shards, stream_arn, stream_on
from tables import definitions, index, key_schema, wait_active
from test_http import Connection


class Server:
    """Sends requests as they are, and gives the status and the body."""

    def __init__(self, endpoint):
        self.connection = Connection(endpoint)

    def call(self, action, request):
        body = json.dumps(request).encode()
        response, content = self.connection.send(body=body, X_Amz_Target=target(action))
        return response.status, json.loads(content)


@pytest.fixture(scope="module")
def server(endpoint):
    made = Server(endpoint)
    yield made
    made.connection.connection.close()


def code_of(body):
    return body.get("__type", "").rpartition("#")[2]


def message_of(body):
    return str(body.get("message", body.get("Message", "")))


@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_every_action_is_dispatched(server, action):
    status, body = server.call(action, {})
    assert code_of(body) != "UnknownOperationException"
    assert status < 500


def test_every_member_of_a_request_has_a_row():
    listed = compatibility.members_by_action()
    missing = [f"{action} {member}" for action, member in request_members()
               if member not in listed.get(action, set())]
    assert missing == [], "COMPAT.md has no rows for these"


def test_every_action_has_a_row():
    assert sorted(set(ACTIONS) - set(compatibility.members_by_action())) == []


def test_every_member_of_a_shape_within_requests_has_a_row():
    listed = compatibility.members_by_shape()
    missing = [f"{shape} {member}" for shape, members in nested_shapes().items()
               for member in sorted(members)
               if member not in listed.get(shape, set())]
    assert missing == [], "COMPAT.md has no rows for these"


def test_no_row_is_about_what_the_model_does_not_have():
    known = nested_shapes()
    unknown = [f"{shape} {member}" for shape, members in compatibility.members_by_shape().items()
               for member in sorted(members) if member not in known.get(shape, set())]
    assert unknown == []


def test_the_count_of_differences_stands_at_the_top():
    assert compatibility.stated_differences() == compatibility.differences()


# Values for members of which the model says too little to make a request that is right but for one
# thing.
ACCOUNT = "000000000000"
EXAMPLES = {
    "AttributeName": "pk", "BackupArn": "backup/01791504762511-2779fadd",
    "BulkOperationArn": "bulk-operation/0179150476",
    "ClientRequestToken": "token", "ClientToken": "token",
    "ConditionExpression": "attribute_exists(pk)", "CsvDelimiter": ",",
    "ExportArn": "export/01791504762511-2779fadd", "ImportArn": "import/01791504762511-2779fadd",
    "IndexName": "by-state",
    "KeyExpression": "pk = :p", "KeySchemaAttributeName": "pk", "NonKeyAttributeName": "other",
    "RegionName": "us-east-1",
    "ProjectionExpression": "pk", "S3Bucket": "bucket", "S3BucketOwner": ACCOUNT,
    "SequenceNumber": "0" * 21,
    "ShardId": "shardId-00000001731628800000-abcdef01", "ShardIterator": "iterator",
    "TableId": "0" * 8 + ("-" + "0" * 4) * 3 + "-" + "0" * 12,
    "TimeToLiveAttributeName": "expires", "UpdateExpression": "SET a = :v",
}
EQUAL = {"AttributeValueList": [{"S": "a"}], "ComparisonOperator": "EQ"}
# Members that the service asks for beyond those that the model calls required.
NEEDED = {
    "CreateTable": {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                    "BillingMode": "PAY_PER_REQUEST"},
    "DescribeStream": {"ShardFilter": {"Type": "CHILD_SHARDS", "ShardId": EXAMPLES["ShardId"]}},
    "Query": {"KeyConditions": {"pk": EQUAL}},
    "RestoreTableToPointInTime": {"SourceTableName": "TABLE", "UseLatestRestorableTime": True},
}


class Examples:
    """Requests that are right, of a table that exists."""

    def __init__(self, table):
        self.table = table
        self.arn = f"arn:aws:dynamodb:us-east-1:{ACCOUNT}:table/{table}"

    def __call__(self, action, name):
        """The least value of a shape."""
        shape = shape_of(action, name)
        if name == "AttributeValue":
            return {"S": "a"}
        if shape["type"] == "structure":
            return {member: self.member(action, member, shape["members"][member]["shape"])
                    for member in shape.get("required", [])}
        if shape["type"] == "list":
            return [self(action, shape["member"]["shape"])] * max(shape.get("min", 1), 1)
        if shape["type"] == "map":
            return {self.key(name): self(action, shape["value"]["shape"])}
        plain = {"boolean": True, "timestamp": 1794744000, "double": 50.0, "blob": "AA=="}
        if shape["type"] in plain:
            return plain[shape["type"]]
        return shape.get("min", 1) if shape["type"] in ("integer", "long") else self.string(
            name, shape)

    def member(self, action, member, name):
        if member == "TargetTableName" or (member == "TableName"
                                           and action in ("CreateTable", "ImportTable")):
            return f"{self.table}-new"
        if member in ("TableArn", "SourceTableArn", "ResourceArn", "GlobalTableSourceArn"):
            return self.arn
        return self(action, name)

    def key(self, name):
        return {"BatchGetRequestMap": self.table, "BatchWriteItemRequestMap": self.table,
                "ExpressionAttributeNameMap": "#n",
                "ExpressionAttributeValueMap": ":v"}.get(name, "pk")

    def string(self, name, shape):
        if name in ("TableName", "TableArn"):
            return self.table
        if name == "StreamArn":
            return f"{self.arn}/stream/2026-11-15T12:00:00.250"
        if name.endswith("Arn") and name in EXAMPLES:
            return f"{self.arn}/{EXAMPLES[name]}"
        if "enum" in shape:
            return shape["enum"][0]
        return EXAMPLES.get(name, "x" * max(shape.get("min", 1), 3))

    def request(self, action):
        request = self.member(action, "", input_of(action))
        needed = NEEDED.get(action, {})
        return request | json.loads(json.dumps(needed).replace("TABLE", self.table))

    def with_value(self, place, value):
        """A request that is right but for the value at a place."""
        request = self.request(place.action)
        self.put(place, request, input_of(place.action), place.path, value)
        return request

    def put(self, place, node, name, path, value):
        shape, first = shape_of(place.action, name), path[0]
        inner = {"[]": "member", "{}": "value"}.get(first)
        inner_name = shape[inner]["shape"] if inner else shape["members"][first]["shape"]
        index = {"[]": 0, "{}": next(iter(node), None)}.get(first, first) if first != "[]" else 0
        if len(path) == 1:
            if value is MISSING:
                del node[index]
            else:
                node[index] = value
            return
        if not inner and not node.get(first):
            node[first] = self.member(place.action, first, inner_name)
        self.put(place, node[index], inner_name, path[1:], value)


WRITES = "DeleteItem PutItem UpdateItem"
CONTROL = "DeleteTable Describe* *TimeToLive UpdateTable *ContinuousBackups *Destination *AutoScaling StartBulkPutItems CreateBackup"
# Constraints of the model that AWS does not answer as such, and we neither: the actions, the path
# with the shape, the kind, and why.
UNENFORCED = [
    ("[!L]*", "*TableName:TableArn", "max",
     "a name has 255 characters at most; 1,024 are for ARNs"),
    (CONTROL, "TableName:TableArn", "min",
     "a name has at least 3 characters; 1 is what is said of items"),
    (CONTROL + " CreateTable", "TableName:TableArn", "required",
     "the control plane says that the parameter is required"),
    ("CreateTable", "TableName:TableArn", "min", "a name has at least 3 characters"),
    (WRITES, "ReturnValues:*", "enum", "a newer layer names no member"),
    (WRITES, "ReturnItemCollectionMetrics:*", "enum", "a newer layer has a sentence of its own"),
    ("*", "ConditionalOperator:*", "enum", "alone it is refused for being alone"),
    ("BatchGetItem BatchWriteItem", "RequestItems:*", "max",
     "so many tables are too many items, which has a sentence of its own"),
    ("*", "*ExpressionAttributeNames.{}:*", "max",
     "a name that no expression uses is refused for that"),
    ("*", "*AttributesToGet.[[][]]:*", "max", "not measured"),
    ("CreateTable UpdateTable", "TableClass:*", "enum", "it has a sentence of its own"),
    ("CreateTable", "Tags.*", "*", "tags have sentences of their own"),
    ("*", "*SearchSchema.[[][]].AttributeName:*", "max",
     "as an attribute of a key it has a name of 255 characters at most"),
    ("SearchVectors", "*", "required", "a newer layer names the member in a sentence of its own"),
    ("*ResourcePolicy *Tag* UntagResource", "ResourceArn:*", "required",
     "the service says that the ARN is not valid"),
    ("TagResource UntagResource", "Tag*.[[][]]*", "*", "tags have sentences of their own"),
    ("UpdateContributorInsights", "TableName:TableArn", "required",
     "the control plane says that the parameter is required"),
    ("*ContributorInsights", "TableName:TableArn", "m??", "a name has from 3 to 255 characters"),
    ("*Destination", "StreamArn:*", "m??", "AWS takes any text for a stream of Kinesis"),
]


# Values of the model that AWS refuses all the same: the actions, the path, the value, and why.
REFUSED = [
    ("*", "ConditionalOperator", "*", "alone it is refused for being alone"),
    ("CreateTable UpdateTable", "GlobalTableSettingsReplicationMode", "ENABLED_WITH_OVERRIDES",
     "of a global table only, says AWS in a sentence of its own"),
]
# Values that AWS's texts name otherwise than the model.
MISNAMED = {"UPDATE_NEW": "UPDATED_NEW"}


def is_unenforced(place, kind):
    place_text = f"{place.text}:{place.shape_name}"
    return any(is_any_of(place.action, actions) and fnmatch.fnmatchcase(place_text, path) and
               fnmatch.fnmatchcase(kind, kinds) for actions, path, kinds, _ in UNENFORCED)


def is_refused_by_aws(place, value):
    return any(is_any_of(place.action, actions) and place.text == path and
               fnmatch.fnmatchcase(str(value), refused) for actions, path, refused, _ in REFUSED)


def listed_values(message):
    """The values that a text says are allowed; none if it does not list them."""
    found = re.search(r"enum value set: \[([^\]]*)\]", message)
    return found and {MISNAMED.get(value, value) for value in found[1].split(", ")}


def names_member(message, place):
    """Whether a text says of the member, or of something in it, that a constraint is not
    satisfied."""
    pattern = rf"\b{place.name}(\.[^']*member)?' failed to satisfy constraint"
    return re.search(pattern, message, re.IGNORECASE) is not None


@pytest.fixture(scope="module")
def examples(client, create_once):
    table = create_once(KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
    yield Examples(table)
    # What is not enforced may make a table.
    remove(client, [f"{table}-new"])


@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_every_constraint_is_enforced_in_the_words_of_aws(server, examples, action):
    wrong = []
    for place in places(action):
        for violation in violations(place, examples):
            status, body = server.call(action, examples.with_value(place, violation.value))
            message = message_of(body)
            is_enforced = status == 400 and violation.says in message and names_member(
                message, place)
            is_complete = listed_values(message) in (None, set(place.shape.get("enum", [])))
            if is_enforced == is_unenforced(place, violation.kind) or not is_complete:
                wrong.append(
                    f"{place.text} {violation.kind}: {status} {code_of(body)} {message[:200]}")
    assert wrong == []


@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_what_a_constraint_just_allows_is_not_refused_by_it(server, examples, action):
    """A constraint that a newer model has loosened fails here: a further value of an enumeration, a
    greater maximum."""
    wrong = []
    for place in places(action):
        of_no_such_value = None
        for legal in legal_values(place, examples):
            if is_unenforced(place, legal.kind) and legal.kind != "enum":
                continue
            status, body = server.call(action, examples.with_value(place, legal.value))
            message = message_of(body)
            is_refused = names_member(message, place)
            if legal.kind == "enum" and status == 400:
                of_no_such_value = of_no_such_value or message_of(
                    server.call(action, examples.with_value(place, NO_SUCH_VALUE))[1])
                is_refused |= message.replace(legal.value, NO_SUCH_VALUE) == of_no_such_value
            if status >= 500 or is_refused and not is_refused_by_aws(place, legal.value):
                value = legal.value if legal.kind == "enum" else ""
                wrong.append(f"{place.text} {legal.kind} {value}: {status} {message[:200]}")
    assert wrong == []


class Seen:
    """The members that answers have had, by shape."""

    def __init__(self):
        self.members = set()

    def __call__(self, client, action, **request):
        answer = getattr(client, re.sub(r"(?<!^)(?=[A-Z])", "_", action).lower())(**request)
        self.members |= seen_members(action, answer)
        return answer


def put_item(number, **attributes):
    return {"pk": {"S": "a"}, "sk": {"S": str(number)}, "state": {"S": "paid"}} | attributes


def see_tables(seen, client, table):
    """A provisioned table with everything that a table can have, from its creation to its
    removal."""
    units = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
    local = index("local", "pk", "state", include=["other"])
    seen(client, "CreateTable", TableName=table, KeySchema=key_schema("pk", "sk"),
         AttributeDefinitions=definitions(pk="S", sk="S", state="S"), ProvisionedThroughput=units,
         LocalSecondaryIndexes=[local],
         GlobalSecondaryIndexes=[index("by-state", "state") | {"ProvisionedThroughput": units}],
         StreamSpecification=stream_on(), TableClass="STANDARD", DeletionProtectionEnabled=False)
    wait_active(client, table)
    fewer = {"ReadCapacityUnits": 4, "WriteCapacityUnits": 6}
    seen(client, "UpdateTable", TableName=table, ProvisionedThroughput=fewer)
    seen(client, "UpdateTable", TableName=table, TableClass="STANDARD_INFREQUENT_ACCESS")
    seen(client, "DescribeTable", TableName=table)
    seen(client, "UpdateTimeToLive", TableName=table,
         TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
    seen(client, "DescribeTimeToLive", TableName=table)
    seen(client, "DescribeContinuousBackups", TableName=table)
    off = {"PointInTimeRecoveryEnabled": False}
    seen(client, "UpdateContinuousBackups", TableName=table, PointInTimeRecoverySpecification=off)
    seen(client, "DescribeKinesisStreamingDestination", TableName=table)
    for action in ("ListBackups", "ListBulkOperations", "ListExports", "ListGlobalTables",
                   "ListImports"):
        seen(client, action)
    seen(client, "ListTables", Limit=1)


def see_on_demand(seen, client, table):
    """A table that is paid for by request from some time on, with ceilings."""
    ceiling = {"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": 10}
    near = {"IndexName": "near", "VectorAttribute": {"AttributeName": "vector"},
            "Dimensions": 2, "DistanceFunction": "COSINE",
            "SearchSchema": [{"AttributeName": "kind", "SearchSchemaElementType": "INLINE_FILTER"}],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["title"]}}
    seen(client, "CreateTable", TableName=table, KeySchema=key_schema("pk"),
         AttributeDefinitions=definitions(pk="S", kind="S"),
         BillingMode="PAY_PER_REQUEST", OnDemandThroughput=ceiling,
         StreamSpecification=stream_on(), VectorIndexes=[near],
         GlobalSecondaryIndexes=[index("by-pk", "pk") | {"OnDemandThroughput": ceiling}],
         SSESpecification={"Enabled": True, "SSEType": "KMS"})
    wait_active(client, table)
    seen(client, "UpdateTable", TableName=table, GlobalTableSettingsReplicationMode="DISABLED")
    seen(client, "DescribeTable", TableName=table)


def see_vectors(seen, client, table):
    vector = {"L": [{"N": "1"}, {"N": "0.5"}]}
    seen(client, "PutItem", TableName=table, Item={"pk": {"S": "a"}, "vector": vector},
         ReturnConsumedCapacity="INDEXES")
    seen(client, "SearchVectors", TableName=table, IndexName="near", SearchVector=vector["L"],
         TopK=1, ReturnConsumedCapacity="INDEXES")


def see_settings(seen, client, table):
    """What belongs to a table and is not in its description."""
    arn = client.describe_table(TableName=table)["Table"]["TableArn"]
    seen(client, "TagResource", ResourceArn=arn, Tags=[{"Key": "team", "Value": "sales"}])
    seen(client, "ListTagsOfResource", ResourceArn=arn)
    seen(client, "UntagResource", ResourceArn=arn, TagKeys=["team"])
    statement = {"Effect": "Allow", "Principal": {"AWS": ACCOUNT}, "Action": "dynamodb:GetItem",
                 "Resource": arn}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    seen(client, "PutResourcePolicy", ResourceArn=arn, Policy=policy)
    seen(client, "GetResourcePolicy", ResourceArn=arn)
    seen(client, "DeleteResourcePolicy", ResourceArn=arn)
    for on in ({}, {"IndexName": "by-pk"}):
        seen(client, "UpdateContributorInsights", TableName=table,
             ContributorInsightsAction="ENABLE", **on)
        seen(client, "DescribeContributorInsights", TableName=table, **on)
    for page in ({}, {"MaxResults": 1}):
        seen(client, "ListContributorInsights", TableName=table, **page)
    seen(client, "DescribeLimits")
    seen(client, "DescribeEndpoints")


def see_statements(seen, client, table):
    capacity = {"ReturnConsumedCapacity": "INDEXES"}
    by_key = f"SELECT * FROM \"{table}\" WHERE pk = 'a' AND sk = '2'"
    seen(client, "ExecuteStatement", Statement=f"SELECT * FROM \"{table}\"", Limit=1, **capacity)
    wrong = {"Statement": f"UPDATE \"{table}\" SET a = 1 WHERE pk = 'a' AND sk = '9'"}
    seen(client, "BatchExecuteStatement", Statements=[{"Statement": by_key}], **capacity)
    seen(client, "BatchExecuteStatement", Statements=[wrong], **capacity)
    seen(client, "ExecuteTransaction", TransactStatements=[{"Statement": by_key}], **capacity)


def see_items(seen, client, table):
    capacity = {"ReturnConsumedCapacity": "INDEXES"}
    metrics = {"ReturnItemCollectionMetrics": "SIZE"}
    key = {name: put_item(1)[name] for name in ("pk", "sk")}
    for number in (1, 1, 2):
        seen(client, "PutItem", TableName=table, Item=put_item(number), ReturnValues="ALL_OLD",
             **capacity, **metrics)
    seen(client, "UpdateItem", TableName=table, Key=key, UpdateExpression="SET a = pk",
         ReturnValues="ALL_NEW", **capacity, **metrics)
    seen(client, "GetItem", TableName=table, Key=key, **capacity)
    condition = {"KeyConditionExpression": "pk = :p",
                 "ExpressionAttributeValues": {":p": {"S": "a"}}}
    seen(client, "Query", TableName=table, Limit=1, **condition, **capacity)
    seen(client, "Query", TableName=table, IndexName="local", **condition, **capacity)
    seen(client, "Scan", TableName=table, Limit=1, **capacity)
    seen(client, "BatchGetItem", RequestItems={table: {"Keys": [key]}}, **capacity)
    put = {"PutRequest": {"Item": put_item(3)}}
    seen(client, "BatchWriteItem", RequestItems={table: [put]}, **capacity, **metrics)
    seen(client, "TransactGetItems", TransactItems=[{"Get": {"TableName": table, "Key": key}}],
         **capacity)
    write = {"Put": {"TableName": table, "Item": put_item(4)}}
    seen(client, "TransactWriteItems", TransactItems=[write], **capacity, **metrics)
    seen(client, "DeleteItem", TableName=table, Key=key, ReturnValues="ALL_OLD",
         **capacity, **metrics)


def see_streams(seen, client, streams, table):
    arn = stream_arn(client, table)
    seen(streams, "ListStreams", Limit=1)
    for shard in shards(streams, arn):
        place = seen(streams, "GetShardIterator", StreamArn=arn, ShardId=shard["ShardId"],
                     ShardIteratorType="TRIM_HORIZON")
        seen(streams, "GetRecords", ShardIterator=place["ShardIterator"])
    seen(client, "UpdateTable", TableName=table, StreamSpecification={"StreamEnabled": False})
    seen(streams, "DescribeStream", StreamArn=arn, Limit=1)


# Members of answers that no answer of ours has, and why: shape, member, reason.
NEVER = [
    ("BackupDescription BackupDetails BackupSummary SourceTable* *IndexInfo", "*",
     "no backup is made"),
    ("CreateBackupOutput DeleteBackupOutput DescribeBackupOutput", "*", "no backup is made"),
    ("List*Output", "LastEvaluatedBackupArn LastEvaluatedGlobalTableName",
     "an empty list has one page"),
    ("ListBulk*Output ListExportsOutput ListImportsOutput", "NextToken",
     "an empty list has one page"),
    ("ListTagsOfResourceOutput", "NextToken", "all tags of a table are one page"),
    ("RestoreTable*Output RestoreSummary", "*", "no table is restored"),
    ("PointInTimeRecoveryDescription", "*DateTime RecoveryPeriodInDays",
     "no table can be recovered"),
    ("Export* DescribeExportOutput FilterSpecification IncrementalExportSpecification",
     "*", "no export is made"),
    ("Import* DescribeImportOutput InputFormatOptions CsvOptions S3BucketSource TableCreationParameters", "*", "no import is made"),
    ("SSESpecification GlobalSecondaryIndex ProvisionedThroughput WarmThroughput", "*",
     "shown of imports and backups only"),
    ("BulkOperation* CancelBulk* DescribeBulk* StartBulk* *S3Configuration", "*",
     "no bulk operation is run"),
    ("Kinesis* UpdateKinesis* EnableKinesis*", "*", "no stream of Kinesis is written to"),
    ("GlobalTable* CreateGlobalTable* DescribeGlobalTable* UpdateGlobalTable*", "*",
     "there are no global tables"),
    ("Replica* AutoScaling* *AutoScaling*", "*", "there are no replicas"),
    ("*ThroughputOverride", "*", "there are no replicas"),
    ("TableDescription", "GlobalTableVersion GlobalTableWitnesses Replicas MultiRegionConsistency",
     "there are no replicas"),
    ("TableDescription", "DisassociationProtectionEnabled", "there are no replicas"),
    ("TableDescription", "RestoreSummary ArchivalSummary", "no table is restored or archived"),
    ("ArchivalSummary", "*", "no table is archived"),
    ("SSEDescription", "InaccessibleEncryptionDateTime", "keys are always there"),
    ("BatchStatementError", "Item", "AWS does not return it either, though it may be asked for"),
    ("DescribeContributorInsightsOutput FailureException", "FailureException Exception*",
     "switching insights does not fail"),
    ("VectorIndex", "*", "shown of imports only"),
    ("VectorIndexDescription", "Backfilling", "an empty table has nothing to fill an index with"),
    ("GlobalSecondaryIndexDescription", "Backfilling",
     "an empty table has nothing to fill an index with: test_online_indexes.py"),
    ("KeysAndAttributes", "*", "keys are left over beyond 16 MB only: test_batch_get.py"),
    ("WriteRequest PutRequest DeleteRequest", "*",
     "writes are left over only if they are throttled: test_retries.py"),
    ("Record Identity", "userIdentity PrincipalId Type", "of expired items only: test_ttl.py"),
    ("Shard", "ParentShardId", "of shards that have replaced others: test_streams.py"),
]


def is_any_of(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns.split())


def is_never(shape, member):
    return any(is_any_of(shape, shapes) and is_any_of(member, members)
               for shapes, members, _ in NEVER)


def test_every_member_of_an_answer_is_filled_or_there_is_a_reason(client, streams, name):
    seen, on_demand = Seen(), f"{name}-on-demand"
    see_on_demand(seen, client, on_demand)
    see_tables(seen, client, name)
    see_items(seen, client, name)
    see_statements(seen, client, name)
    see_vectors(seen, client, on_demand)
    see_settings(seen, client, on_demand)
    see_streams(seen, client, streams, name)
    seen(streams, "DescribeStream", StreamArn=stream_arn(client, on_demand), Limit=1)
    for table in (name, on_demand):
        seen(client, "DeleteTable", TableName=table)
    possible = set().union(*(answer_members(action) for action in ACTIONS))
    unexplained = sorted(pair for pair in possible - seen.members if not is_never(*pair))
    assert unexplained == [], "no answer has these, and no reason is given"
    assert sorted(pair for pair in seen.members
                  if is_never(*pair)) == [], "these are there: take them off NEVER"

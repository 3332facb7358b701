"""The server against the service model of the installed botocore: every action, every member, every constraint.

A newer botocore with more of them fails here, with their names.
"""
import fnmatch
import json

import pytest

import compatibility
from service_model import (ACTIONS, MISSING, answer_members, input_of, nested_shapes, places, request_members,
                           seen_members, shape_of, target, violations)
from test_http import Connection

# Actions that are built elsewhere. The last test of them fails when one is there.
PENDING = {
    "BatchExecuteStatement", "DeleteResourcePolicy", "DescribeContributorInsights", "DescribeEndpoints", "DescribeLimits",
    "ExecuteStatement", "ExecuteTransaction", "GetResourcePolicy", "ListContributorInsights", "ListTagsOfResource",
    "PutResourcePolicy", "SearchVectors", "TagResource", "UntagResource", "UpdateContributorInsights",
}
BUILT = sorted(set(ACTIONS) - PENDING)


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


@pytest.mark.parametrize("action", BUILT)
def test_every_action_is_dispatched(server, action):
    status, body = server.call(action, {})
    assert code_of(body) != "UnknownOperationException"
    assert status < 500


@pytest.mark.parametrize("action", sorted(PENDING))
def test_an_action_that_is_built_elsewhere_is_unknown_here(server, action):
    _, body = server.call(action, {})
    assert code_of(body) == "UnknownOperationException", f"take {action} off PENDING"


def test_every_member_of_a_request_has_a_row():
    listed = compatibility.members_by_action()
    missing = [f"{action} {member}" for action, member in request_members()
               if action not in PENDING and member not in listed.get(action, set())]
    assert missing == [], "COMPAT.md has no rows for these"


def test_every_action_has_a_row():
    assert sorted(set(BUILT) - set(compatibility.members_by_action())) == []


def test_every_member_of_a_shape_within_requests_has_a_row():
    listed = compatibility.members_by_shape()
    missing = [f"{shape} {member}" for shape, members in nested_shapes().items() for member in sorted(members)
               if member not in listed.get(shape, set())]
    assert missing == [], "COMPAT.md has no rows for these"


def test_no_row_is_about_what_the_model_does_not_have():
    known = nested_shapes()
    unknown = [f"{shape} {member}" for shape, members in compatibility.members_by_shape().items()
               for member in sorted(members) if member not in known.get(shape, set())]
    assert unknown == []


def test_the_count_of_differences_stands_at_the_top():
    assert compatibility.stated_differences() == compatibility.differences()


# Values for members of which the model says too little to make a request that is right but for one thing.
ACCOUNT = "000000000000"
EXAMPLES = {
    "AttributeName": "pk", "BackupArn": "backup/01791504762511-2779fadd", "BulkOperationArn": "bulk-operation/0179150476",
    "ClientRequestToken": "token", "ClientToken": "token", "ConditionExpression": "attribute_exists(pk)", "CsvDelimiter": ",",
    "ExportArn": "export/01791504762511-2779fadd", "ImportArn": "import/01791504762511-2779fadd", "IndexName": "by-state",
    "KeyExpression": "pk = :p", "KeySchemaAttributeName": "pk", "NonKeyAttributeName": "other", "RegionName": "us-east-1",
    "ProjectionExpression": "pk", "S3Bucket": "bucket", "S3BucketOwner": ACCOUNT, "SequenceNumber": "0" * 21,
    "ShardId": "shardId-00000001731628800000-abcdef01", "ShardIterator": "iterator", "TableId": "0" * 8 + ("-" + "0" * 4) * 3 + "-" + "0" * 12,
    "TimeToLiveAttributeName": "expires", "UpdateExpression": "SET a = :v",
}
KEY = {"pk": {"S": "a"}}
# Members that the service asks for beyond those that the model calls required.
NEEDED = {
    "CreateTable": {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST"},
    "Query": {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}},
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
        return shape.get("min", 1) if shape["type"] in ("integer", "long") else self.string(name, shape)

    def member(self, action, member, name):
        if member == "TargetTableName" or (member == "TableName" and action in ("CreateTable", "ImportTable")):
            return "no-such-table"
        if member in ("TableArn", "SourceTableArn", "ResourceArn", "GlobalTableSourceArn"):
            return self.arn
        if member == "Key" or member == "Item":
            return KEY
        return self(action, name)

    def key(self, name):
        return {"BatchGetRequestMap": self.table, "BatchWriteItemRequestMap": self.table,
                "ExpressionAttributeNameMap": "#n", "ExpressionAttributeValueMap": ":v"}.get(name, "pk")

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


# Constraints of the model that AWS does not answer as such, and we neither: action, path, kind and why.
UNENFORCED = []


def is_unenforced(place, violation):
    return next((row for row in UNENFORCED if fnmatch.fnmatch(place.action, row[0]) and
                 fnmatch.fnmatch(place.text, row[1]) and fnmatch.fnmatch(violation.kind, row[2])), None)


def names_member(message, place):
    """Whether a text says of the member that a constraint is not satisfied."""
    return f"{place.name}' failed to satisfy constraint".lower() in message.lower()


@pytest.fixture(scope="module")
def examples(create_once):
    table = create_once(KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
    return Examples(table)


@pytest.mark.parametrize("action", BUILT)
def test_every_constraint_is_enforced_in_the_words_of_aws(server, examples, action):
    wrong = []
    for place in places(action):
        for violation in violations(place, examples):
            status, body = server.call(action, examples.with_value(place, violation.value))
            message = str(body.get("message", body.get("Message", "")))
            is_enforced = status == 400 and violation.says in message and names_member(message, place)
            if is_enforced == bool(is_unenforced(place, violation)):
                wrong.append(f"{place.text} {violation.kind}: {status} {code_of(body)} {message[:200]}")
    assert wrong == []

"""Clients of the server under test, and tables that go away with the test."""
import os
import uuid

import boto3
import pytest
from botocore.config import Config

pytest.register_assert_rewrite("faults", "messages", "streams", "tables")

from tables import definitions, key_schema, number_sorted, string_sorted, wait_active, wait_until

SETTINGS = {"region_name": "us-east-1", "aws_access_key_id": "test",
            "aws_secret_access_key": "test"}


@pytest.fixture(scope="session")
def endpoint():
    return os.environ["MONOTABLE_ENDPOINT"]


@pytest.fixture(scope="session")
def one_server():
    """The address of one server, where the endpoint leads to several."""
    return os.environ.get("MONOTABLE_ONE_SERVER", os.environ["MONOTABLE_ENDPOINT"])


def close_connection(request, **_):
    request.headers["Connection"] = "close"


def connect(factory, endpoint, service="dynamodb", **config):
    config = Config(retries={"total_max_attempts": 1}, read_timeout=60, **config)
    made = factory(service, endpoint_url=endpoint, config=config, **SETTINGS)
    if "MONOTABLE_SEVERAL_SERVERS" in os.environ:
        # Behind a proxy that hands connections to servers in turn, each request gets to another
        # server.
        client = getattr(made.meta, "client", made)
        client.meta.events.register("before-send", close_connection)
    return made


@pytest.fixture(scope="session")
def client(endpoint):
    return connect(boto3.client, endpoint, max_pool_connections=32)


@pytest.fixture(scope="session")
def streams(endpoint):
    """A client that reads streams."""
    return connect(boto3.client, endpoint, "dynamodbstreams")


@pytest.fixture(scope="session")
def raw(endpoint):
    """A client that sends what it is given, so that the server is the one to refuse it."""
    return connect(boto3.client, endpoint, parameter_validation=False)


@pytest.fixture(scope="session")
def resource(endpoint):
    return connect(boto3.resource, endpoint)


@pytest.fixture
def name():
    """A name that no other test uses."""
    return f"t-{uuid.uuid4().hex[:12]}"


def make(client, made, **request):
    request.setdefault("TableName", f"t-{uuid.uuid4().hex[:12]}")
    if "ProvisionedThroughput" not in request:
        request.setdefault("BillingMode", "PAY_PER_REQUEST")
    client.create_table(**request)
    made.append(request["TableName"])
    wait_active(client, request["TableName"])
    return request["TableName"]


def remove(client, made):
    for table in made:
        try:
            wait_until(lambda: client.describe_table(TableName=table)["Table"]["TableStatus"]
                       == "ACTIVE")
            client.delete_table(TableName=table)
        except client.exceptions.ResourceNotFoundException:
            pass  # the test has deleted it


@pytest.fixture
def create(client):
    """Makes tables, waits until they are active, and deletes them after the test."""
    made = []
    yield lambda **request: make(client, made, **request)
    remove(client, made)


@pytest.fixture(scope="module")
def create_once(client):
    """The same for tables that all tests of a file read."""
    made = []
    yield lambda **request: make(client, made, **request)
    remove(client, made)


@pytest.fixture
def table(create):
    """A table with a partition key `pk` only."""
    return create(KeySchema=key_schema("pk"), AttributeDefinitions=definitions(pk="S"))


@pytest.fixture
def string_table(create):
    """A table with the keys `pk` and `sk`, both strings."""
    return create(**string_sorted())


@pytest.fixture
def number_table(create):
    """A table with a string `pk` and a number `sk`."""
    return create(**number_sorted())

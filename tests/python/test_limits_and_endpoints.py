"""DescribeLimits and DescribeEndpoints."""
from urllib.parse import urlsplit


def test_the_limits_are_those_of_a_new_account(client):
    answer = client.describe_limits()
    assert answer["AccountMaxReadCapacityUnits"] == answer["AccountMaxWriteCapacityUnits"] == 80_000
    assert answer["TableMaxReadCapacityUnits"] == answer["TableMaxWriteCapacityUnits"] == 40_000


def test_calls_are_to_be_sent_where_this_one_was(client, endpoint):
    endpoints = client.describe_endpoints()["Endpoints"]
    assert endpoints == [{"Address": urlsplit(endpoint).netloc, "CachePeriodInMinutes": 1440}]

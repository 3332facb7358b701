"""The HTTP layer: headers, checksums, compression, and the errors below the API."""
import gzip
import http.client
import json
import re
import socket
import urllib.parse
import zlib

import pytest

TYPE = "application/x-amz-json-1.0"
AUTHORIZATION = ("AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, "
                 "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + "0" * 64)


class Connection:
    def __init__(self, endpoint):
        address = urllib.parse.urlsplit(endpoint)
        self.connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)

    def send(self, operation="ListTables", body=b"{}", method="POST", **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers = {"Content-Type": TYPE, "X-Amz-Target": f"DynamoDB_20120810.{operation}",
                   "X-Amz-Date": "20260101T000000Z", "Authorization": AUTHORIZATION} | headers
        self.connection.request(method, "/", body, {name: value for name, value in headers.items()
                                                    if value is not None})
        response = self.connection.getresponse()
        content = response.read()
        return response, content


@pytest.fixture
def connection(endpoint):
    made = Connection(endpoint)
    yield made
    made.connection.close()


def error_of(content):
    return json.loads(content)["__type"].rpartition("#")


def test_an_answer_has_the_headers_of_the_protocol(connection):
    response, content = connection.send()
    assert response.status == 200
    assert response.headers["Content-Type"] == TYPE
    assert re.fullmatch(r"[0-9A-Z]{52}", response.headers["x-amzn-RequestId"])
    assert int(response.headers["x-amz-crc32"]) == zlib.crc32(content)
    assert int(response.headers["Content-Length"]) == len(content)
    assert "TableNames" in json.loads(content)


def test_an_error_has_the_same_headers(connection):
    response, content = connection.send("DescribeTable", b'{"TableName": "no-such-table"}')
    assert response.status == 400
    assert response.headers["Content-Type"] == TYPE
    assert response.headers["x-amzn-RequestId"]
    assert int(response.headers["x-amz-crc32"]) == zlib.crc32(content)
    assert json.loads(
        content)["__type"] == "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"


def test_request_ids_differ(connection):
    assert len({connection.send()[0].headers["x-amzn-RequestId"] for _ in range(5)}) == 5


def test_a_connection_serves_many_requests(connection):
    connection.send()
    kept = connection.connection.sock
    for _ in range(10):
        assert connection.send()[0].status == 200
    assert connection.connection.sock is kept


@pytest.mark.parametrize("target", ["DynamoDB_20120810.NoSuchOperation",
                                    "DynamoDB_20110101.ListTables", "ListTables", "", None])
def test_an_unknown_target_is_an_unknown_operation(connection, target):
    response, content = connection.send(X_Amz_Target=target)
    assert response.status == 400
    assert error_of(content) == ("com.amazon.coral.service", "#", "UnknownOperationException")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"not json", b'{"TableName": "a"', b'{"a": 1} {"b": 2}', b'"text"'])
def test_a_body_that_is_not_a_json_object_cannot_be_read(connection, body):
    response, content = connection.send("GetItem", body)
    assert response.status == 400
    assert error_of(content) == ("com.amazon.coral.service", "#", "SerializationException")


@pytest.mark.parametrize("body, text", [
    ({"TableName": 1}, "NUMBER_VALUE cannot be converted to String"),
    ({"TableName": True}, "TRUE_VALUE cannot be converted to String"),
    ({"TableName": "abc", "ConsistentRead": "text"}, "Unexpected token received from parser"),
    ({"TableName": "abc", "Limit": "text"}, "STRING_VALUE cannot be converted to Integer"),
], ids=["number", "bool", "text for bool", "text for number"])
def test_a_member_of_the_wrong_json_type_cannot_be_read(connection, body, text):
    response, content = connection.send("Query", json.dumps(body).encode())
    assert response.status == 400
    assert error_of(content)[2] == "SerializationException"
    assert json.loads(content)["Message"] == text


def test_errors_of_the_api_use_the_key_message_in_lower_case(connection):
    _, content = connection.send("DescribeTable", b'{"TableName": "no-such-table"}')
    assert json.loads(content)["message"].startswith("Requested resource not found")


def test_a_compressed_answer_is_the_same_answer(connection, client, table):
    client.put_item(TableName=table, Item={"pk": {"S": "a"}, "v": {"S": "x" * 10_000}})
    body = json.dumps({"TableName": table, "Key": {"pk": {"S": "a"}}}).encode()
    _, plain = connection.send("GetItem", body)
    response, packed = connection.send("GetItem", body, Accept_Encoding="gzip")
    assert response.headers["Content-Encoding"] == "gzip"
    assert len(packed) < len(plain)
    assert gzip.decompress(packed) == plain
    assert int(response.headers["x-amz-crc32"]) == zlib.crc32(packed)


def test_a_compressed_request_is_read(connection, client, table):
    body = json.dumps(
        {"TableName": table, "Item": {"pk": {"S": "a"}, "v": {"S": "x" * 10_000}}}).encode()
    response, _ = connection.send("PutItem", gzip.compress(body), Content_Encoding="gzip")
    assert response.status == 200
    assert client.get_item(TableName=table,
                           Key={"pk": {"S": "a"}})["Item"]["v"]["S"] == "x" * 10_000


def test_members_that_are_not_known_are_passed_over(connection):
    response, _ = connection.send("ListTables", b'{"NoSuchMember": {"a": [1, 2, {"b": null}]}}')
    assert response.status == 200


# DynamoDB grants pages of every origin access: its preflights answer `access-control-allow-origin:
# *`. Signatures protect it; here they are not checked, so a page must have been named by
# --allow-origin, and the endpoint must be one of its own names.
def test_a_web_page_that_was_not_named_is_refused(connection):
    response, content = connection.send(Origin="https://page.example")
    assert response.status == 403
    assert error_of(content) == ("com.amazon.coral.service", "#", "AccessDeniedException")
    assert "--allow-origin https://page.example" in json.loads(content)["Message"]
    assert int(response.headers["x-amz-crc32"]) == zlib.crc32(content)
    assert connection.send(Origin=None)[0].status == 200


def test_a_preflight_of_a_page_that_was_not_named_is_granted_nothing(connection):
    response, _ = connection.send(method="OPTIONS", body=None, Origin="https://page.example",
                                  Access_Control_Request_Method="POST",
                                  Access_Control_Request_Headers="x-amz-target")
    assert response.status == 403
    assert not [name for name in response.headers if name.lower().startswith("access-control-")]


def test_a_name_that_is_not_the_servers_is_refused(connection):
    response, content = connection.send(Host="page.example")
    assert response.status == 421
    assert "--allow-host page.example" in json.loads(content)["Message"]


def test_a_client_that_ends_its_side_is_answered(endpoint):
    address = urllib.parse.urlsplit(endpoint)
    request = (
        f"POST / HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: {TYPE}\r\nContent-Length: 2\r\n"
               f"X-Amz-Target: DynamoDB_20120810.ListTables\r\nAuthorization: {AUTHORIZATION}\r\n\r\n{{}}")
    with socket.create_connection((address.hostname, address.port), timeout=30) as client:
        client.sendall(request.encode())
        client.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: client.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_get_says_that_the_server_is_healthy(connection):
    response, content = connection.send(method="GET", body=None, X_Amz_Target=None,
                                        Content_Type=None, Authorization=None)
    assert response.status == 200
    assert content.startswith(b"healthy: ")


def test_a_body_over_16_megabytes_is_refused(connection):
    response, content = connection.send("PutItem", b" " * (16 * 1024 * 1024 + 1))
    assert response.status in (400, 413)

"""boto3 over TLS, with signatures, session tokens and policies."""
import pytest
from botocore.exceptions import ClientError, SSLError


def code(error):
    return error.value.response["Error"]["Code"]


def test_a_user_does_what_its_policies_allow(server, table):
    alice = server.client("alice")
    assert alice.get_item(TableName=table, Key={"pk": {"S": "alice"}})["Item"]
    with pytest.raises(ClientError) as denied:
        alice.get_item(TableName=table, Key={"pk": {"S": "bob"}})
    assert code(denied) == "AccessDeniedException"
    assert "is not authorized to perform: dynamodb:GetItem" in str(denied.value)


def test_an_explicit_deny_wins(server, table):
    with pytest.raises(ClientError) as denied:
        server.client("bob").list_tables()
    assert code(denied) == "AccessDeniedException"


def test_a_session_token_is_needed_where_the_key_has_one(server, table):
    assert table in server.client("session").list_tables()["TableNames"]
    for token in (None, "another"):
        with pytest.raises(ClientError) as refused:
            server.client("session", aws_session_token=token).list_tables()
        assert code(refused) == "UnrecognizedClientException"


def test_a_wrong_secret_and_an_unknown_key_are_told_apart(server, table):
    with pytest.raises(ClientError) as wrong:
        server.client("root", aws_secret_access_key="wrong-secret-12345678").list_tables()
    assert code(wrong) == "InvalidSignatureException"
    with pytest.raises(ClientError) as unknown:
        server.client("root", aws_access_key_id="AKIAUNKNOWN000000001").list_tables()
    assert code(unknown) == "UnrecognizedClientException"


def test_another_region_is_refused(server, table):
    with pytest.raises(ClientError) as refused:
        server.client("root", region_name="eu-west-2").list_tables()
    assert code(refused) == "InvalidSignatureException"


def test_accounts_have_tables_of_their_own(server, table):
    stranger = server.client("stranger")
    assert stranger.list_tables()["TableNames"] == []
    with pytest.raises(ClientError) as absent:
        stranger.get_item(TableName=table, Key={"pk": {"S": "alice"}})
    assert code(absent) == "ResourceNotFoundException"
    arn = f"arn:aws:dynamodb:us-east-1:000000000000:table/{table}"
    with pytest.raises(ClientError) as denied:
        stranger.get_item(TableName=arn, Key={"pk": {"S": "alice"}})
    assert code(denied) == "AccessDeniedException"


def test_streams_are_signed_with_the_same_keys(server, table):
    assert server.client("root", "dynamodbstreams").list_streams()["Streams"] == []
    with pytest.raises(ClientError) as denied:
        server.client("alice", "dynamodbstreams").list_streams()
    assert code(denied) == "AccessDeniedException"


def test_a_certificate_that_nobody_vouches_for_is_refused_by_the_client(server, table):
    with pytest.raises(SSLError):
        server.client("root", verify=None).list_tables()


def test_keys_change_without_a_restart(server, table, request):
    before = server.credentials.read_text()

    def write(text):
        fresh = server.credentials.with_suffix(".new")
        fresh.write_text(text)
        fresh.chmod(0o600)
        fresh.rename(server.credentials)

    def wait_for(expected):
        import time

        for _ in range(200):
            try:
                server.client("root").list_tables()
                outcome = "ok"
            except ClientError as error:
                outcome = error.response["Error"]["Code"]
            if outcome == expected:
                return
            time.sleep(0.05)
        raise AssertionError(f"never {expected}, at last {outcome}")

    request.addfinalizer(lambda: (write(before), wait_for("ok")))
    write(before.replace("AKIAROOT000000000001", "AKIAROOT000000000002"))
    wait_for("UnrecognizedClientException")

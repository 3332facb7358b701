"""The AWS CLI over TLS, with a signature."""
import json
import os
import subprocess
import sys
from pathlib import Path

from conftest import KEYS

AWS = Path(sys.executable).parent / "aws"


def aws(server, user, *arguments):
    _, key, secret, token, *_ = next(entry for entry in KEYS if entry[0] == user)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(server.folder),
        "AWS_ACCESS_KEY_ID": key,
        "AWS_SECRET_ACCESS_KEY": secret,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": server.endpoint,
        "AWS_CA_BUNDLE": str(server.ca_bundle),
    }
    if token:
        environment["AWS_SESSION_TOKEN"] = token
    command = [str(AWS), "dynamodb", *arguments, "--output", "json"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


def test_a_signed_call_is_answered(server, table):
    for user in ("root", "session"):
        listed = aws(server, user, "list-tables")
        assert table in json.loads(listed.stdout)["TableNames"], listed.stderr


def test_a_call_that_is_not_permitted_says_so(server, table):
    denied = aws(server, "alice", "describe-table", "--table-name", table)
    assert denied.returncode != 0 and "AccessDeniedException" in denied.stderr

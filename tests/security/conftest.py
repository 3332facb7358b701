"""A server with credentials, over TLS, that the tests start themselves."""
import json
import os
import re
import subprocess

import boto3
import pytest
from botocore.config import Config

BINARY = os.environ["MONOTABLE_BINARY"]
REGION = "us-east-1"

POLICIES = {
    "everything": [{"Effect": "Allow", "Action": "dynamodb:*", "Resource": "*"}],
    "own-items": [
        {
            "Effect": "Allow",
            "Action": [
                "dynamodb:GetItem",
                "dynamodb:PutItem",
                "dynamodb:UpdateItem",
                "dynamodb:DeleteItem",
                "dynamodb:Query",
                "dynamodb:BatchGetItem",
                "dynamodb:BatchWriteItem",
            ],
            "Resource": "arn:aws:dynamodb:*:*:table/*",
            "Condition": {
                "ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${aws:username}"]}},
        }
    ],
    "nothing": [{"Effect": "Deny", "Action": "*", "Resource": "*"}],
}

# Who is known: user, key id, secret, session token, account, policies, whether it may administer.
KEYS = [
    ("root", "AKIAROOT000000000001", "root-secret/+12345678", None, "000000000000",
     ["everything"], True),
    ("alice", "AKIAALICE00000000001", "alice-secret-12345678", None, "000000000000",
     ["own-items"], False),
    ("bob", "AKIABOB0000000000001", "bob-secret-12345678", None, "000000000000",
     ["nothing"], False),
    ("session", "ASIASESSION000000001", "session-secret-12345678", "token-1",
     "000000000000", ["everything"], False),
    ("stranger", "AKIASTRANGER00000001", "stranger-secret-12345678", None, "111122223333",
     ["everything"], False),
]


def credentials_toml():
    """The credentials file with all keys and policies."""
    lines = []
    for user, key, secret, token, account, policies, admin in KEYS:
        lines += ["[[key]]", f'access_key_id = "{key}"', f'secret_access_key = "{secret}"']
        lines += [f'user = "{user}"', f'account = "{account}"',
                  f"policies = {json.dumps(policies)}"]
        lines += [f'session_token = "{token}"'] if token else []
        lines += ["admin = true"] if admin else []
        lines.append("")
    for name, statements in POLICIES.items():
        document = json.dumps({"Version": "2012-10-17", "Statement": statements})
        lines += ["[[policy]]", f'name = "{name}"', f"document = '''{document}'''", ""]
    return "\n".join(lines)


class Server:
    """A running server and what it takes to talk to it."""

    def __init__(self, process, endpoint, ca_bundle, folder):
        self.process = process
        self.endpoint = endpoint
        self.ca_bundle = ca_bundle
        self.folder = folder
        self.credentials = folder / "credentials.toml"

    def client(self, user, service="dynamodb", **changes):
        """A boto3 client that signs as a user."""
        _, key, secret, token, *_ = next(entry for entry in KEYS if entry[0] == user)
        settings = {
            "aws_access_key_id": key,
            "aws_secret_access_key": secret,
            "aws_session_token": token,
            "region_name": REGION,
            "endpoint_url": self.endpoint,
            "verify": str(self.ca_bundle),
            "config": Config(retries={"total_max_attempts": 1}),
        }
        return boto3.client(service, **{**settings, **changes})


def start(folder, *flags):
    """Starts a server over TLS and waits until it says where it listens."""
    credentials = folder / "credentials.toml"
    credentials.write_text(credentials_toml())
    credentials.chmod(0o600)
    command = [BINARY, "serve", "--in-memory", "--port", "0", "--credentials", str(credentials)]
    command += ["--tls", "self-signed", "--tls-dir", str(folder / "tls"), *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    said = []
    for line in process.stdout:
        said.append(line)
        listening = re.search(r"listening on (https://[^\s·]+)",
                              re.sub(r"\x1b\[[0-9;]*m", "", line))
        if listening:
            return Server(process, listening.group(1), folder / "tls" / "authority.pem", folder)
    raise AssertionError("the server ended: " + "".join(said))


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    server = start(tmp_path_factory.mktemp("server"))
    yield server
    server.process.terminate()
    server.process.wait(timeout=30)


@pytest.fixture(scope="session")
def table(server):
    """A table of the first account with an item each of alice and bob."""
    root = server.client("root")
    root.create_table(
        TableName="things",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    for user in ("alice", "bob"):
        root.put_item(TableName="things", Item={"pk": {"S": user}})
    return "things"

"""A server for an example: in memory, on a free port, gone when the example ends."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import boto3

# How long an example waits for what must come. Only a failing example ever waits this long.
PATIENCE_SECS = 60


class Sandbox:
    """A running server, a client for it, and an empty folder."""

    def __init__(self, endpoint, folder):
        os.environ.update(
            AWS_ENDPOINT_URL=endpoint,
            AWS_DEFAULT_REGION="us-east-1",
            AWS_ACCESS_KEY_ID="example",
            AWS_SECRET_ACCESS_KEY="example",
        )
        self.folder = Path(folder)
        self.client = boto3.client("dynamodb")
        self.tables = boto3.resource("dynamodb")

    def create_table(self, name, key="pk sk", stream="NEW_AND_OLD_IMAGES"):
        """Creates a table with text keys and a stream."""
        names = key.split()
        self.client.create_table(
            TableName=name,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": part, "AttributeType": "S"} for part in names],
            KeySchema=[
                {"AttributeName": part, "KeyType": kind}
                for part, kind in zip(names, ["HASH", "RANGE"])
            ],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": stream},
        )
        self.client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
        return self.tables.Table(name)

    @contextmanager
    def trigger(self, table, handler, *options):
        """Runs a handler on the changes of a table while the block runs."""
        command = f"{sys.executable} {handler}"
        dead_letters = str(self.folder / "dead-letters.jsonl")
        process = subprocess.Popen(
            ["monotable", "trigger", "--table", table, "--command", command,
             "--dead-letters", dead_letters, "--log", "warn", *options]
        )
        try:
            yield
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE_SECS) == 0

    def advance_clock(self, duration):
        subprocess.run(["monotable", "clock", "advance", duration], check=True,
                       stdout=subprocess.DEVNULL)


@contextmanager
def sandbox(*serve_options):
    """Starts a server with options of `monotable serve`."""
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            ["monotable", "serve", "--in-memory", "--port", "0", *serve_options],
            stdout=subprocess.PIPE, text=True,
        )
        try:
            endpoint = re.search(r"http://[\d.:]+", server.stdout.readline()).group()
            yield Sandbox(endpoint, folder)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(PATIENCE_SECS)


def eventually(read, expected):
    """Waits until `read` gives what is expected; triggers run a moment behind the table."""
    deadline = time.monotonic() + PATIENCE_SECS
    while (found := read()) != expected:
        assert time.monotonic() < deadline, f"expected {expected}, found {found}"
        time.sleep(0.05)
    return found

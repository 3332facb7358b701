"""The JavaScript SDK over TLS; its tests are beside the others of that SDK."""
import json
import os
import subprocess
from pathlib import Path

from conftest import KEYS

FOLDER = Path(__file__).parent.parent / "javascript"


def test_the_javascript_sdk_works_signed_and_encrypted(server, table):
    keys = {
        user: {"accessKeyId": key, "secretAccessKey": secret, "sessionToken": token or None}
        for user, key, secret, token, *_ in KEYS
    }
    environment = {
        **os.environ,
        "MONOTABLE_ENDPOINT": server.endpoint,
        "MONOTABLE_CA": str(server.ca_bundle),
        "MONOTABLE_KEYS": json.dumps(keys),
    }
    command = ["node", "--test", "--test-reporter=spec", "signed.js"]
    ran = subprocess.run(command, cwd=FOLDER, env=environment, capture_output=True,
                         text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "pass 3" in ran.stdout, ran.stdout

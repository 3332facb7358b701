"""Failures on purpose, as `/_monotable/faults` takes them."""
import json
import urllib.request


def call(endpoint, method, document=None):
    body = None if document is None else json.dumps(document).encode()
    request = urllib.request.Request(f"{endpoint}/_monotable/faults", data=body, method=method,
                                     headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


class Faults:
    """The faults of a server."""

    def __init__(self, endpoint):
        self.endpoint = endpoint

    def set(self, *faults, seed=0):
        return call(self.endpoint, "PUT", {"seed": seed, "faults": list(faults)})

    def hits(self):
        return [fault["hit"] for fault in call(self.endpoint, "GET")["faults"]]

    def clear(self):
        call(self.endpoint, "DELETE")

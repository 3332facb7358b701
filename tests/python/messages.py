"""How the tests of error texts are written: tables of requests, each with the exact error it must
get.

A request is what the API takes; the name `TABLE` in it stands for the table of the test. The texts
are those of Amazon DynamoDB in eu-west-2.
"""
import re

import pytest

WRAP = "1 validation error detected: "
INVALID = "One or more parameter values were invalid: "


def case(name, operation, text, code="ValidationException", **request):
    """One request and its error; the name is the fact that it proves."""
    return pytest.param(operation, request, code, text, id=name)


def filled_in(node, table):
    """The request with the real name of the table."""
    if isinstance(node, dict):
        return {table if name == "TABLE" else name: filled_in(value, table)
                for name, value in node.items()}
    if isinstance(node, list):
        return [filled_in(element, table) for element in node]
    return table if isinstance(node, str) and node == "TABLE" else node


def error_of(client, operation, request):
    method = re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower()
    with pytest.raises(client.exceptions.ClientError) as error:
        getattr(client, method)(**request)
    return error.value.response["Error"]


def check(client, table, operation, request, code, text):
    error = error_of(client, operation, filled_in(request, table))
    assert (error["Code"], error["Message"]) == (code, text)

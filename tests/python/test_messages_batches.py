"""Exact texts, and their order, for batches and transactions that are refused."""
import pytest

from messages import case, check, error_of, filled_in

KEY = {"pk": {"S": "a"}}
TWICE = "Transaction request cannot include multiple operations on one item"


def keys(count):
    return [{"pk": {"S": str(number)}} for number in range(count)]


def put(key, table="TABLE", **more):
    return {"Put": {"TableName": table, "Item": key, **more}}


CASES = [
    case("a batch get names each key once", "BatchGetItem", "Provided list of item keys contains duplicates",
         RequestItems={"TABLE": {"Keys": [KEY, KEY]}}),
    case("a batch write names each key once", "BatchWriteItem", "Provided list of item keys contains duplicates",
         RequestItems={"TABLE": [{"PutRequest": {"Item": KEY}}, {"DeleteRequest": {"Key": KEY}}]}),
    case("a batch get has 100 keys at most", "BatchGetItem", "Too many items requested for the BatchGetItem call",
         RequestItems={"TABLE": {"Keys": keys(60)}, "other-table": {"Keys": keys(60)}}),
    case("a transaction writes each item once", "TransactWriteItems", TWICE, TransactItems=[put(KEY), put(KEY)]),
    case("a check counts as an operation on the item", "TransactWriteItems", TWICE, TransactItems=[
        put(KEY), {"ConditionCheck": {"TableName": "TABLE", "Key": KEY, "ConditionExpression": "attribute_exists(pk)"}}]),
    case("a transaction reads each item once", "TransactGetItems", TWICE,
         TransactItems=[{"Get": {"TableName": "TABLE", "Key": KEY}}] * 2),
    case("syntax comes before the missing table", "TransactWriteItems",
         'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "="',
         TransactItems=[put(KEY, "no-such-table", ConditionExpression="a =")]),
    case("syntax comes before duplicates", "TransactWriteItems",
         'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "="',
         TransactItems=[put(KEY), put(KEY, ConditionExpression="a =")]),
    case("the first action that is wrong is named", "TransactWriteItems",
         "Invalid ConditionExpression: The expression can not be empty;",
         TransactItems=[put(KEY, ConditionExpression=""), put(keys(1)[0], ConditionExpression="a =")]),
    case("an unused value of an action is named", "TransactWriteItems",
         "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
         TransactItems=[put(KEY, ConditionExpression="attribute_exists(a)", ExpressionAttributeValues={":v": {"N": "1"}})]),
    case("values of an action need an expression", "TransactWriteItems",
         "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null",
         TransactItems=[put(KEY, ExpressionAttributeValues={":v": {"N": "1"}})]),
    case("an expression in a transaction has 4096 bytes at most", "TransactWriteItems",
         "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097",
         TransactItems=[put(KEY, ConditionExpression="attribute_exists(" + "a" * 4079 + ")")]),
    case("the table of a transaction is there", "TransactWriteItems", "Requested resource not found",
         code="ResourceNotFoundException", TransactItems=[put(KEY, "no-such-table")]),
]


@pytest.mark.parametrize("operation, request_, code, text", CASES)
def test_the_error_is_worded_as_by_aws(raw, table, operation, request_, code, text):
    check(raw, table, operation, request_, code, text)


@pytest.mark.parametrize("operation, request_, limit", [
    ("BatchGetItem", {"RequestItems": {"TABLE": {"Keys": keys(101)}}}, 100),
    ("BatchWriteItem", {"RequestItems": {"TABLE": [{"PutRequest": {"Item": key}} for key in keys(26)]}}, 25),
    ("TransactWriteItems", {"TransactItems": [put(key) for key in keys(101)]}, 100),
    ("TransactGetItems", {"TransactItems": [{"Get": {"TableName": "TABLE", "Key": key}} for key in keys(101)]}, 100),
])
def test_the_number_of_members_is_limited(raw, table, operation, request_, limit):
    error = error_of(raw, operation, filled_in(request_, table))
    assert error["Code"] == "ValidationException"
    assert error["Message"].endswith(f"Member must have length less than or equal to {limit}")


# AWS answers an empty batch in one of two ways; both are right.
@pytest.mark.parametrize("operation", ["BatchGetItem", "BatchWriteItem"])
def test_an_empty_batch_is_refused(raw, operation):
    error = error_of(raw, operation, {"RequestItems": {}})
    assert error["Code"] == "ValidationException"
    assert error["Message"] == f"The requestItems parameter is required for {operation}" or error["Message"].endswith(
        "Member must have length greater than or equal to 1")


ENUMS = {"ReturnConsumedCapacity": "SOME", "ReturnItemCollectionMetrics": "SOME"}


def test_the_members_of_a_transaction_are_checked_together(raw, table):
    request = {"TransactItems": [filled_in(put(KEY), table)]} | ENUMS
    text = error_of(raw, "TransactWriteItems", request)["Message"].lower()
    assert text.startswith("2 validation errors detected: ")
    assert text.index("returnconsumedcapacity") < text.index("returnitemcollectionmetrics")


def test_the_token_of_a_transaction_is_checked_first(raw, table):
    request = {"TransactItems": [filled_in(put(KEY), table)], "ClientRequestToken": "x" * 37} | ENUMS
    assert error_of(raw, "TransactWriteItems", request)["Message"] == (
        "1 validation error detected: Value at 'ClientRequestToken' failed to satisfy constraint: "
        "Member must have length less than or equal to 36")

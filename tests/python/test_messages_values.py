"""Exact texts for attribute values that are refused, and where each operation wraps them."""
import pytest

from messages import INVALID, WRAP, case, check

KEY = {"pk": {"S": "a"}}
NOT_A_NUMBER = "The parameter cannot be converted to a numeric value: "
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
DIGITS = "Attempting to store more than 38 significant digits in a Number"
NESTING = ("Nesting Levels have exceeded supported limits: "
           "Attributes in the item have nested levels beyond supported limit")
EMPTY = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
SEVERAL = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
NULL = INVALID + "Null attribute value types must have the value of true"


def nested(levels):
    return {"M": {"m": nested(levels - 1)}} if levels else {"S": "x"}


def put(name, value, text):
    return case(name, "PutItem", WRAP + text, TableName="TABLE", Item=KEY | {"v": value})


CASES = [
    put("a text is no number", {"N": "abc"}, NOT_A_NUMBER + "abc"),
    put("an empty text is no number", {"N": ""}, NOT_A_NUMBER),
    put("a number may not be too large", {"N": "1e126"}, OVERFLOW),
    put("a negative number may not be too large", {"N": "-1e126"}, OVERFLOW),
    put("a number may not be too small", {"N": "1e-131"}, UNDERFLOW),
    put("a number has 38 digits at most", {"N": "1" * 39}, DIGITS),
    put("an exponent may not be too large", {"N": "1e2147483647"}, OVERFLOW),
    put("a member of a number set is checked", {"NS": ["1", "x"]}, NOT_A_NUMBER + "x"),
    put("an empty member of a number set is no number", {"NS": ["1", ""]}, NOT_A_NUMBER),
    put("strings of a set differ", {"SS": ["b", "a", "b"]},
        INVALID + 'Input collection ["a", "b", "b"] contains duplicates.'),
    put("binaries of a set differ", {"BS": [b"\x00", b"\xff", b"\x00"]},
        INVALID + 'Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.'),
    put("a string set has members", {"SS": []}, INVALID + "An string set  may not be empty"),
    put("a number set has members", {"NS": []}, INVALID + "An number set  may not be empty"),
    put("a binary set has members", {"BS": []}, INVALID + "Binary sets should not be empty"),
    put("null is true", {"NULL": False}, NULL),
    put("a value has a type", {}, EMPTY),
    put("a value has one type", {"S": "a", "N": "1"}, SEVERAL),
    put("a value in a list is checked", {"L": [{"N": "x"}]}, NOT_A_NUMBER + "x"),
    put("a value in a map is checked", {"M": {"a": {"M": {"b": {"NULL": False}}}}}, NULL),
    put("an item is nested 32 levels at most", nested(32), NESTING),
    case("an item of 70 levels is refused without a wrap", "PutItem", NESTING, TableName="TABLE",
         Item=KEY | {"v": nested(70)}),
    case("an update wraps the error of an expression value", "UpdateItem", WRAP + NOT_A_NUMBER + "x",
         TableName="TABLE", Key=KEY, UpdateExpression="SET v = :v", ExpressionAttributeValues={":v": {"N": "x"}}),
    case("a delete wraps the error of an expression value", "DeleteItem", WRAP + NULL,
         TableName="TABLE", Key=KEY, ConditionExpression="v = :v", ExpressionAttributeValues={":v": {"NULL": False}}),
    case("a delete wraps the error of a key", "DeleteItem", WRAP + EMPTY, TableName="TABLE", Key={"pk": {}}),
    case("a get does not wrap the error of a key", "GetItem", NOT_A_NUMBER + "x", TableName="TABLE", Key={"pk": {"N": "x"}}),
    case("a get does not wrap the error of an empty value", "GetItem", EMPTY, TableName="TABLE", Key={"pk": {}}),
    case("a batch get does not wrap", "BatchGetItem", SEVERAL,
         RequestItems={"TABLE": {"Keys": [{"pk": {"S": "a", "N": "1"}}]}}),
    case("a query does not wrap", "Query", NOT_A_NUMBER + "x", TableName="TABLE", KeyConditionExpression="pk = :v",
         ExpressionAttributeValues={":v": {"N": "x"}}),
    case("a batch write does not wrap", "BatchWriteItem", NOT_A_NUMBER + "x",
         RequestItems={"TABLE": [{"PutRequest": {"Item": KEY | {"v": {"N": "x"}}}}]}),
    case("a batch write lists duplicates as they were sent", "BatchWriteItem",
         INVALID + "Input collection [b, a, b] contains duplicates.",
         RequestItems={"TABLE": [{"PutRequest": {"Item": KEY | {"v": {"SS": ["b", "a", "b"]}}}}]}),
    case("a batch write names no numbers that are duplicates", "BatchWriteItem", "Input collection contains duplicates",
         RequestItems={"TABLE": [{"PutRequest": {"Item": KEY | {"v": {"NS": ["1", "1.0"]}}}}]}),
    case("a batch write takes a huge exponent for a small number", "BatchWriteItem", UNDERFLOW,
         RequestItems={"TABLE": [{"PutRequest": {"Item": KEY | {"v": {"N": "1e2147483647"}}}}]}),
    case("a batch write does not wrap nesting", "BatchWriteItem", NESTING,
         RequestItems={"TABLE": [{"PutRequest": {"Item": KEY | {"v": nested(32)}}}]}),
    case("a scan names the expression value", "Scan",
         f"ExpressionAttributeValues contains invalid value: {NOT_A_NUMBER}x for key :v",
         TableName="TABLE", FilterExpression="v = :v", ExpressionAttributeValues={":v": {"N": "x"}}),
    case("a scan names the empty expression value", "Scan",
         f"ExpressionAttributeValues contains invalid value: {EMPTY} for key :v",
         TableName="TABLE", FilterExpression="v = :v", ExpressionAttributeValues={":v": {}}),
]


@pytest.mark.parametrize("operation, request_, code, text", CASES)
def test_the_error_is_worded_as_by_aws(raw, table, operation, request_, code, text):
    check(raw, table, operation, request_, code, text)

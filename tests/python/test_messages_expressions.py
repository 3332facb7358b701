"""Exact texts for expressions that are refused. The three single writes wrap them, the other operations do not."""
import pytest

from messages import INVALID, WRAP, case, check

KEY = {"pk": {"S": "a"}}
LONG = "attribute_exists(" + "a" * 4079 + ")"


def put(name, condition, text, values=None, names=None, **more):
    if values:
        more["ExpressionAttributeValues"] = values
    if names:
        more["ExpressionAttributeNames"] = names
    return case(name, "PutItem", WRAP + text, TableName="TABLE", Item=KEY, ConditionExpression=condition, **more)


def condition(name, expression, text, values=None, names=None):
    return put(name, expression, "Invalid ConditionExpression: " + text, values, names)


def update(name, expression, text, values=None, names=None):
    more = {}
    if values:
        more["ExpressionAttributeValues"] = values
    if names:
        more["ExpressionAttributeNames"] = names
    return case(name, "UpdateItem", WRAP + "Invalid UpdateExpression: " + text, TableName="TABLE", Key=KEY,
                UpdateExpression=expression, **more)


ONE = {":v": {"N": "1"}}

CASES = [
    condition("an expression is not empty", "", "The expression can not be empty;"),
    condition("an expression has 4096 bytes at most", LONG,
              "Expression size has exceeded the maximum allowed size; expression size: 4097"),
    update("the size of an update expression is not named", "SET a = :v" + " " * 4090,
           "Expression size has exceeded the maximum allowed size;", ONE),
    condition("a token may be out of place", "a = = :v", 'Syntax error; token: "=", near: "= = :v"', ONE),
    condition("the end may be out of place", "a =", 'Syntax error; token: "<EOF>", near: "="'),
    condition("names are defined", "#x = :v",
              "An expression attribute name used in the document path is not defined; attribute name: #x", ONE),
    condition("values are defined", "a = :x",
              "An expression attribute value used in expression is not defined; attribute value: :x", ONE),
    put("names are used", "attribute_exists(a)",
        "Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}", names={"#x": "x"}),
    put("values are used", "attribute_exists(a)",
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}", ONE),
    case("names need an expression", "PutItem",
         WRAP + "ExpressionAttributeNames can only be specified when using expressions",
         TableName="TABLE", Item=KEY, ExpressionAttributeNames={"#x": "x"}),
    case("values need an expression", "PutItem",
         WRAP + "ExpressionAttributeValues can only be specified when using expressions",
         TableName="TABLE", Item=KEY, ExpressionAttributeValues=ONE),
    case("the map of names is not empty", "PutItem", WRAP + "ExpressionAttributeNames must not be empty",
         TableName="TABLE", Item=KEY, ConditionExpression="attribute_exists(a)", ExpressionAttributeNames={}),
    case("the map of values is not empty", "PutItem", WRAP + "ExpressionAttributeValues must not be empty",
         TableName="TABLE", Item=KEY, ConditionExpression="attribute_exists(a)", ExpressionAttributeValues={}),
    put("a name starts with a number sign", "attribute_exists(a)",
        'ExpressionAttributeNames contains invalid key: Syntax error; key: "x"', names={"x": "a"}),
    put("a value starts with a colon", "attribute_exists(a)",
        'ExpressionAttributeValues contains invalid key: Syntax error; key: "v"', {"v": {"N": "1"}}),
    case("expressions do not go with the older parameters", "PutItem",
         WRAP + "Can not use both expression and non-expression parameters in the same request: "
         "Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}",
         TableName="TABLE", Item=KEY, ConditionExpression="attribute_exists(a)", Expected={"a": {"Exists": False}}),
    condition("reserved words need a name", "size = :v",
              "Attribute name is a reserved keyword; reserved keyword: size", ONE),
    condition("functions are known", "no_such(a)", "Invalid function name; function: no_such"),
    condition("begins_with takes two operands", "begins_with(a)",
              "Incorrect number of operands for operator or function; operator or function: begins_with, "
              "number of operands: 1"),
    condition("begins_with rejects a number", "begins_with(a, :v)",
              "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N", ONE),
    condition("attribute_exists needs a path", "attribute_exists(:v)",
              "Operator or function requires a document path; operator or function: attribute_exists", ONE),
    condition("the bounds of BETWEEN are in order", "a BETWEEN :w AND :v",
              "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
              "lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}",
              ONE | {":w": {"N": "2"}}),
    condition("the bounds of BETWEEN have one type", "a BETWEEN :v AND :w",
              "The BETWEEN operator requires same data type for lower and upper bounds; "
              "lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:x}",
              ONE | {":w": {"S": "x"}}),
    condition("an attribute is not compared with itself", "a = a",
              "The first operand must be distinct from the remaining operands for this operator or function; "
              "operator: =, first operand: [a]"),
    condition("parentheses are not doubled", "((a = :v))", "The expression has redundant parentheses;", ONE),
    update("a section occurs once", "SET a = :v SET b = :v",
           'The "SET" section can only be used once in an update expression;', ONE),
    update("paths do not overlap", "SET a = :v, a.b = :v",
           "Two document paths overlap with each other; must remove or rewrite one of these paths; "
           "path one: [a], path two: [a, b]", ONE),
    update("paths do not conflict", "SET a.b = :v, a[0] = :v",
           "Two document paths conflict with each other; must remove or rewrite one of these paths; "
           "path one: [a, b], path two: [a, [0]]", ONE),
    update("an update is not empty", "", "The expression can not be empty;"),
    update("attribute_exists is no update", "SET a = attribute_exists(b)",
           "The function is not allowed in an update expression; function: attribute_exists"),
    update("ADD takes numbers and sets", "ADD a :s",
           "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, "
           "typeSet: ALLOWED_FOR_ADD_OPERAND", {":s": {"S": "x"}}),
    update("DELETE takes sets", "DELETE a :s",
           "Incorrect operand type for operator or function; operator: DELETE, operand type: STRING, "
           "typeSet: ALLOWED_FOR_DELETE_OPERAND", {":s": {"S": "x"}}),
    case("a path that leads nowhere cannot be set", "UpdateItem",
         "The document path provided in the update expression is invalid for update",
         TableName="TABLE", Key=KEY, UpdateExpression="SET a.b = :v", ExpressionAttributeValues=ONE),
    case("an operand must be there", "UpdateItem",
         "The provided expression refers to an attribute that does not exist in the item",
         TableName="TABLE", Key=KEY, UpdateExpression="SET a = b + :v", ExpressionAttributeValues=ONE),
    case("a projection has no duplicates", "GetItem",
         "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these "
         "paths; path one: [a], path two: [a]", TableName="TABLE", Key=KEY, ProjectionExpression="a, a"),
    case("projected paths do not overlap", "Scan",
         "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these "
         "paths; path one: [a, b], path two: [a]", TableName="TABLE", ProjectionExpression="a.b, a"),
    case("a query projects no attribute twice", "Query",
         "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these "
         "paths; path one: [a], path two: [a]", TableName="TABLE", KeyConditionExpression="pk = :v",
         ExpressionAttributeValues={":v": {"S": "a"}}, ProjectionExpression="a, a"),
    case("a batch get projects no attribute twice", "BatchGetItem",
         "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these "
         "paths; path one: [a], path two: [a]", RequestItems={"TABLE": {"Keys": [KEY], "ProjectionExpression": "a, a"}}),
    case("the key is not updated", "UpdateItem",
         INVALID + "Cannot update attribute pk. This attribute is part of the key",
         TableName="TABLE", Key=KEY, UpdateExpression="SET pk = :v", ExpressionAttributeValues={":v": {"S": "b"}}),
]


@pytest.mark.parametrize("operation, request_, code, text", CASES)
def test_the_error_is_worded_as_by_aws(raw, table, operation, request_, code, text):
    check(raw, table, operation, request_, code, text)


def test_an_expression_of_4096_bytes_is_accepted(raw, table):
    raw.put_item(TableName=table, Item=KEY, ConditionExpression="attribute_not_exists(" + "a" * 4074 + ")")


def test_300_operators_are_accepted_and_301_are_not(raw, table):
    def put(count):
        raw.put_item(
            TableName=table, Item=KEY, ConditionExpression=" OR ".join(["a<>:v"] * count),
            ExpressionAttributeValues={":v": {"S": "x"}})
    put(150)
    with pytest.raises(raw.exceptions.ClientError) as error:
        put(151)
    assert error.value.response["Error"]["Code"] == "ValidationException"

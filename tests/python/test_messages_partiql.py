"""Exact texts for PartiQL statements that are refused, as recorded on AWS in eu-west-2 in September and October 2026."""
import pytest

from messages import INVALID, case, error_of
from tables import definitions, index, key_schema

FORM = "Statement wasn't well formed, can't be processed: "
LEFTOVER = FORM + "Unexpected token after expression"
KEYLESS = "Where clause does not contain a mandatory equality on all key attributes"
OVERLAP = "Overlapping conditions with range keys are not supported in where clause"
COUNT = "Incorrect number of operands for operator or function; operator or function: "
TYPE = "Incorrect operand type for operator or function; operator or function: "
NEST = "Nesting Levels have exceeded supported limits"
ITEM = "pk='a' AND sk='1'"


@pytest.fixture(scope="module")
def table(create_once):
    return create_once(
        TableName="partiql-messages", KeySchema=key_schema("pk", "sk"),
        AttributeDefinitions=definitions(pk="S", sk="S", g="S", l="S", h="S"),
        LocalSecondaryIndexes=[index("local", "pk", "l", projection="KEYS_ONLY")],
        GlobalSecondaryIndexes=[index("inc", "g", include=["projattr"]), index("all", "g"),
                                {"IndexName": "many", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
                                    {"AttributeName": name, "KeyType": "HASH"} for name in ("g", "h")]}])


def statement(name, text, message, code="ValidationException", **more):
    return case(name, "ExecuteStatement", message, code=code, Statement=text.replace("{t}", '"partiql-messages"'), **more)


def where(name, condition, message, **more):
    return statement(name, "SELECT * FROM {t} WHERE " + condition, message, **more)


def update(name, changes, message, **more):
    return statement(name, "UPDATE {t} SET " + changes + " WHERE " + ITEM, message, **more)


PREFIX = 'UPDATE "partiql-messages" SET '
SELECT = 'SELECT * FROM "partiql-messages" WHERE '

CASES = [
    statement("no statement", "SLECT * FROM {t}", FORM + "Expected data manipulation"),
    where("a token after a SELECT", "pk = 1 foo", LEFTOVER),
    where("a stray parenthesis", "pk = 1)", LEFTOVER),
    statement("a token after an INSERT", "INSERT INTO {t} VALUE {'pk': 1} foo", LEFTOVER),
    statement("an alias in an INSERT", "INSERT INTO {t} t VALUE {'pk': 'x'}", LEFTOVER),
    statement("ORDER BY in a DELETE", "DELETE FROM {t} WHERE pk = 1 ORDER BY pk", LEFTOVER),
    statement("ORDER BY before WHERE", "SELECT * FROM {t} ORDER BY pk WHERE pk = 1", LEFTOVER),
    statement("WHERE after SET that begins with FROM", "FROM {t} SET c = 1 WHERE pk = 'x'", LEFTOVER),
    where("a huge exponent", "pk = 1e2147483648", FORM),
    where("a hash", "pk = 1 # note", FORM),
    where("a comment without an end", "pk = 1 /* note", FORM),
    statement("an alias", "SELECT * FROM {t} t WHERE pk = 'x'", "Aliasing is not supported"),
    statement("an AS alias", "UPDATE {t} AS t SET a = 3 WHERE pk = 'x'", "Aliasing is not supported"),
    where("nothing after WHERE", "", FORM + "Unexpected term"),
    where("nothing after NOT", "NOT", FORM + "Unexpected term"),
    where("nothing in parentheses", "(", FORM + "Unexpected term"),
    where("nothing after AND", "pk = 'p1' AND", FORM + "Missing right-hand side expression of infix operator"),
    where("a keyword as a condition", "ORDER BY pk", FORM + "Unexpected keyword"),
    where("an operator as a condition", "IS NULL", FORM + "Unexpected operator"),
    where("an operator as an operand", "pk = LIKE", FORM + "Unexpected operator"),
    where("no type", "pk = 'a' AND x IS FOO", FORM + "Expected type name"),
    where("a keyword in a path", "attribute_exists(m.inner)", FORM + "Invalid path dot component"),
    statement("no table to delete from", "DELETE FROM", FORM + "Expected identifier for simple path"),
    statement("no table to select from", "SELECT * FROM", FORM + "Unexpected term"),
    where("a number too large", "n = 1e126",
          "Number overflow. Attempting to store a number with magnitude larger than supported range under root"),
    statement("a number too small in a map", "INSERT INTO {t} VALUE {'pk': 'a', 'sk': '1', 'm': {'x': [1, 1e-131]}}",
              "Number underflow. Attempting to store a number with magnitude smaller than supported range under root.x[1]"),
    where("39 digits", "n = 123456789012345678901234567890123456789",
          "Attempting to store more than 38 significant digits in a Number under root"),
    update("an empty set", "s = set_add(s, <<>>)", "Empty bags are not supported"),
    update("a mixed set", "s = <<1, 'a'>>",
           "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"),
    update("a string twice", "s = <<'x', 'x'>>", INVALID + "Input collection [x, x] contains duplicates."),
    update("a number twice", "s = <<2, 2.0>>", INVALID + "Input collection [2, 2.0] contains duplicates! under root"),
    update("32 levels", "d = " + "{'a':" * 32 + "1" + "}" * 32, NEST + " under root" + ".a" * 32),
    update("a parameter in a list", "x = [?]", f"Unsupported data type: Parameter under key root[0] at 1:{len(PREFIX) + 6}:1",
           Parameters=[{"S": "v"}]),
    statement("a negative index", "SELECT l[-1] FROM {t} WHERE " + ITEM,
              "List index is not within the allowable range; index: [-1] at 1:11:1"),
    statement("a large index", "SELECT l[2147483648] FROM {t} WHERE " + ITEM,
              "List index is not within the allowable range; index: [2147483648] at 1:10:10"),
    statement("a function as a column", "SELECT attribute_exists(ss) FROM {t}", "Unexpected path component at 1:8:16"),
    where("EXISTS as a function", "EXISTS(ss)", f"Unrecognized function: exists at 1:{len(SELECT) + 1}:6"),
    where("set_add in a condition", "set_add(ss, <<'x'>>) = ss", f"Unrecognized function: set_add at 1:{len(SELECT) + 1}:7"),
    where("attribute_exists of a text", "attribute_exists('ss')",
          "Operator or function requires a document path; operator or function: attribute_exists"),
    where("attribute_exists of nothing", "attribute_exists()", COUNT + "attribute_exists, number of operands: 0"),
    where("a type that is a number", "attribute_type(l, 1)", TYPE + "attribute_type, operand type: N"),
    where("a type that does not exist", "attribute_type(l, 'X')",
          "Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"),
    where("an order of booleans", "val < ?", TYPE + "<, operand type: BOOL", Parameters=[{"BOOL": True}]),
    where("101 candidates", "x IN [" + ", ".join(map(str, range(101))) + "]",
          "The IN operator is provided with too many operands; number of operands: 101"),
    update("set_add of another attribute", "t = set_add(ss, <<'x'>>)",
           f"The first argument to SET_ADD must equal the assignment value at 1:{len(PREFIX) + 5}:7"),
    update("set_delete of a text", "ss = set_delete(ss, 'a')",
           f"The second argument to SET_DELETE must be a value with type SET at 1:{len(PREFIX) + 17}:2"),
    update("set_add of a parameter that is no set", "ss = set_add(ss, ?)",
           f"The second argument to SET_ADD must be a value with type SET at 1:{len(PREFIX) + 14}:2", Parameters=[{"S": "a"}]),
    update("set_add of one argument", "ss = set_add(ss)", f"SET_ADD must have exactly two arguments at 1:{len(PREFIX) + 6}:7"),
    update("a sum of a text", "n = 'a' + 1", TYPE + "+, operand type: S"),
    update("an update of a key", "pk = 'b'", INVALID + "Cannot update attribute pk. This attribute is part of the key"),
    statement("a set in an INSERT", "INSERT INTO {t} VALUE {'pk': 'a', 'x': set_add(<<'a'>>, <<'b'>>)}",
              "Unsupported data type: set_add under key root at 1:55:7"),
    statement("a write without the key", "DELETE FROM {t} WHERE pk = 'a'", KEYLESS),
    statement("a write without WHERE", "FROM {t} SET c = 1", KEYLESS),
    statement("a write by IN", "UPDATE {t} SET c = 1 WHERE pk IN ['a'] AND sk = '1'", KEYLESS),
    statement("a write with two keys", "UPDATE {t} SET a=1 WHERE pk='a' AND sk='1' AND pk='b'",
              "Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported"),
    where("one key twice", "pk IN ['a', 'a']", OVERLAP),
    where("ranges that overlap", "pk='a' AND (sk > '0' OR sk < '5')", OVERLAP),
    where("a range beside its partition", "pk = 'a' AND x = '1' OR pk = 'a' AND sk = '2'", OVERLAP),
    where("51 partitions", "pk IN [" + ", ".join(f"'{n}'" for n in range(51)) + "]", "Too many decomposed read operations for a given query."),
    where("a key of another type", "pk = 1 OR pk = 'a'",
          "Key attribute's data type should match its data type in table's schema: Key pk"),
    where("a sort key of another type", "pk = 'a' AND sk IN ['1', 2]",
          "Key attribute's data type should match its data type in table's schema: Key sk"),
    statement("ORDER BY without WHERE", "SELECT * FROM {t} ORDER BY sk",
              "Must have WHERE clause in the statement when using ORDER BY clause."),
    where("ORDER BY another attribute", "pk = 'o' ORDER BY Total DESC",
          "Attribute Total in ORDER BY clause must be part of the primary key"),
    where("ORDER BY of a scan", "pk > 'a' ORDER BY sk",
          "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause."),
    where("ORDER BY over partitions", "pk IN ['o', 'p'] ORDER BY sk DESC",
          "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause."),
    statement("no such index", "SELECT * FROM {t}.\"no-such-index\" WHERE pk = 'p'", "The table does not have the specified index"),
    statement("three names", "SELECT * FROM {t}.\"all\".\"extra\" WHERE pk = 'p'",
              "A path may contain at most 2 components in the FROM clause"),
    statement("an empty name", "SELECT * FROM \"\" WHERE pk = 'p'", "Path component cannot be an empty string"),
    statement("a consistent read of a global index", "SELECT * FROM {t}.\"all\" WHERE g = 'x'",
              "Strongly consistent read is not supported on Global Secondary Indexes", ConsistentRead=True),
    statement("an index of several keys", "SELECT * FROM {t}.many WHERE g = 'x'",
              "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys."),
    statement("a filter that a global index does not hold", "SELECT pk FROM {t}.inc WHERE g='y' AND (zz='1' OR aa='2' OR mm='3')",
              INVALID + "Secondary index inc does not project one or more filter attributes: [zz, aa, mm]"),
    statement("a filter that a local index does not hold", "SELECT pk FROM {t}.\"local\" WHERE pk='y' AND zz='1'",
              INVALID + "Secondary index local does not project one or more filter attributes: [zz]"),
    statement("columns that a global index does not hold", "SELECT alternate FROM {t}.inc",
              INVALID + "Global secondary index inc does not project [alternate]"),
    statement("an index to update", "UPDATE {t}.inc SET x = 1 WHERE pk = 'a'", "This operation is not supported on an index"),
    statement("an index to insert into", "INSERT INTO {t}.inc VALUE {'pk': 'a'}", "FROM clause may only contain a single table name"),
    statement("RETURNING of a DELETE", "DELETE FROM {t} WHERE pk = 'x' RETURNING MODIFIED OLD *",
              "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements."),
    statement("EXISTS outside of transactions", "EXISTS(SELECT * FROM {t} WHERE pk = 'a' AND sk = '1' AND x IS MISSING)",
              "EXISTS can only be used in ExecuteTransaction write requests."),
    statement("no such table", "SELECT * FROM \"never-created\" WHERE pk = 'x'", "Requested resource not found",
              code="ResourceNotFoundException"),
    where("too few parameters", "pk = ? AND x = ?", "Number of parameters in request and statement don't match.", Parameters=[{"S": "a"}]),
    where("too many parameters", "pk = 'a'", "Number of parameters in request and statement don't match.", Parameters=[{"S": "a"}]),
    where("a number that is none", "pk = 'a' AND n = ?", "The parameter cannot be converted to a numeric value: 1e99999999999",
          Parameters=[{"N": "1e99999999999"}]),
    where("a number without digits", "pk = ?", "The parameter cannot be converted to a numeric value", Parameters=[{"N": ""}]),
    statement("parameters come before the statement", "UPDATE {t} SET WHERE", INVALID + "Input collection [a, a] contains duplicates.",
              Parameters=[{"SS": ["a", "a"]}]),
]


@pytest.mark.parametrize("operation,request_,code,text", CASES)
def test_the_error_is_worded_as_by_aws(raw, table, operation, request_, code, text):
    error = error_of(raw, operation, request_)
    assert (error["Code"], error["Message"]) == (code, text)

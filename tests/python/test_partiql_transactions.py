"""ExecuteTransaction: up to 100 statements, all or none. Recorded on AWS by public test-suites in autumn 2026."""
import pytest
from botocore.exceptions import ClientError

CANCELLED = "Transaction cancelled, please refer cancellation reasons for specific reasons "
MISMATCH = "The provided key element does not match the schema"


@pytest.fixture
def run(client, string_table):
    """Runs statements with the table's name put in for `{t}`."""
    def run(*statements, **more):
        members = [statement if isinstance(statement, dict) else {"Statement": statement} for statement in statements]
        members = [member | {"Statement": member["Statement"].replace("{t}", f'"{string_table}"')} for member in members]
        return client.execute_transaction(TransactStatements=members, **more)
    return run


@pytest.fixture
def put(client, string_table):
    def put(pk, sk="1", **attributes):
        item = {"pk": {"S": pk}, "sk": {"S": sk}} | attributes
        client.put_item(TableName=string_table, Item=item)
        return item
    return put


@pytest.fixture
def stored(client, string_table):
    def stored(pk, sk="1"):
        return client.get_item(TableName=string_table, Key={"pk": {"S": pk}, "sk": {"S": sk}}, ConsistentRead=True).get("Item")
    return stored


def refused(run, *statements, **more):
    with pytest.raises(ClientError) as error:
        run(*statements, **more)
    return error.value.response


def test_writes_happen_together(run, put, stored, string_table):
    put("old", n={"N": "1"})
    put("gone")
    answer = run("INSERT INTO {t} VALUE {'pk': 'new', 'sk': '1'}", "UPDATE {t} SET n = n + 1 WHERE pk = 'old' AND sk = '1'",
                 "DELETE FROM {t} WHERE pk = 'gone' AND sk = '1'",
                 {"Statement": "INSERT INTO {t} VALUE {'pk': ?, 'sk': '1'}", "Parameters": [{"S": "given"}]}, ReturnConsumedCapacity="TOTAL")
    assert answer["Responses"] == []
    assert answer["ConsumedCapacity"][0]["TableName"] == string_table
    assert answer["ConsumedCapacity"][0]["CapacityUnits"] == 8
    assert stored("new") and stored("given") and not stored("gone")
    assert stored("old")["n"] == {"N": "2"}


def test_reads_see_one_moment(run, put):
    first, second = put("a", x={"N": "1"}), put("b")
    answer = run("SELECT * FROM {t} WHERE pk = 'a' AND sk = '1'", "SELECT sk FROM {t} WHERE pk = 'b' AND sk = '1'",
                 "SELECT * FROM {t} WHERE pk = 'x' AND sk = '1'", ReturnConsumedCapacity="TOTAL")
    assert answer["Responses"] == [{"Item": first}, {"Item": {"sk": {"S": "1"}}}, {}]
    assert answer["ConsumedCapacity"][0]["CapacityUnits"] == 6


def test_an_insert_of_an_item_that_is_there_cancels(run, put, stored):
    put("dup")
    error = refused(run, "INSERT INTO {t} VALUE {'pk': 'dup', 'sk': '1', 'x': 1}", "INSERT INTO {t} VALUE {'pk': 'new', 'sk': '1'}")
    assert error["Error"]["Code"] == "TransactionCanceledException"
    assert [reason["Code"] for reason in error["CancellationReasons"]] == ["DuplicateItem", "None"]
    assert stored("new") is None


def test_exists_checks_a_condition(run, put, stored):
    put("checked", free={"S": "x"})
    put("changed")
    exists = "EXISTS(SELECT * FROM {t} WHERE pk = 'checked' AND sk = '1' AND awards IS MISSING)"
    update = "UPDATE {t} SET won = 1 WHERE pk = 'changed' AND sk = '1'"
    run(exists, update)
    assert stored("changed")["won"] == {"N": "1"}
    put("checked", awards={"N": "1"})
    error = refused(run, {"Statement": exists, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}, update.replace("won", "lost"))
    assert error["Error"]["Message"] == CANCELLED + "[ConditionalCheckFailed, None]"
    assert error["CancellationReasons"][0]["Item"]["awards"] == {"N": "1"}
    assert "lost" not in stored("changed")
    absent = refused(run, exists.replace("checked", "absent"), update)
    assert absent["CancellationReasons"][0]["Code"] == "ConditionalCheckFailed"


def test_a_token_makes_it_happen_once(run, put, stored):
    put("a", n={"N": "0"})
    update = "UPDATE {t} SET n = n + 1 WHERE pk = 'a' AND sk = '1'"
    for _ in range(2):
        run(update, ClientRequestToken="token-1")
    assert stored("a")["n"] == {"N": "1"}
    error = refused(run, update.replace("+ 1", "+ 2"), ClientRequestToken="token-1")
    assert error["Error"]["Code"] == "IdempotentParameterMismatchException"


def test_missing_tables_and_keys_that_do_not_fit_cancel(run, put, stored):
    put("keys")
    update = "UPDATE {t} SET a=1 WHERE "
    error = refused(run, update + "pk='keys'", update + "pk IN ['keys'] AND sk='1'", update + "pk='keys' AND sk=1",
                    "UPDATE \"no-such-table\" SET a=1 WHERE pk='x'", "INSERT INTO {t} VALUE {'pk':'keys-insert'}", update + "pk='keys' AND sk='1'")
    reasons = error["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["ValidationError"] * 3 + ["ResourceNotFound", "ValidationError", "None"]
    assert [reason.get("Message") for reason in reasons] == [
        MISMATCH, MISMATCH, MISMATCH, "Requested resource not found",
        "One or more parameter values were invalid: Missing the key sk in the item", None]
    assert "a" not in stored("keys")
    read = refused(run, "SELECT * FROM {t} WHERE pk='keys' AND sk='1'", "SELECT * FROM {t} WHERE pk='keys' AND sk='1'", "SELECT * FROM {t} WHERE pk=1 AND sk='1'")
    assert read["Error"]["Message"] == CANCELLED + "[None, None, ValidationError]"


SELECT = "SELECT * FROM {t} WHERE pk = 'a' AND sk = '1'"
UPDATE = "UPDATE {t} SET x = 1 WHERE pk = 'a' AND sk = '1'"
FAILED = "Validation failed in TransactStatements[0]: "


@pytest.mark.parametrize("statements,text", [
    ([SELECT, UPDATE], "ExecuteTransaction API does not support both read and write operations in the same request."),
    ([SELECT, SELECT], "Transaction request cannot include multiple operations on one item"),
    ([UPDATE, "DELETE FROM {t} WHERE sk = '1' AND pk = 'a'"], "Transaction request cannot include multiple operations on one item"),
    ([UPDATE + " RETURNING ALL NEW *"], FAILED + "RETURNING clause is not supported in ExecuteTransaction."),
    (["SELECT * FROM {t}.i WHERE pk = 'a'"], FAILED + "Reads on indices are not supported within transactions."),
    ([SELECT + " AND flag = 'x'"], FAILED + "Select statements within ExecuteTransaction must specify the primary key in the where clause."),
    (["SELECT * FROM {t} WHERE pk = 'a'"], FAILED + "Select statements within ExecuteTransaction must specify the primary key in the where clause."),
    (["SELECT * FROM {t} WHERE pk IN ['a', 'a'] AND sk = '1'"], FAILED + "Overlapping conditions with range keys are not supported in where clause"),
    (["SELECT * FROM {t} WHERE"], FAILED + "Statement wasn't well formed, can't be processed: Unexpected term"),
    (["EXISTS(SELECT * FROM {t} WHERE pk = 'a' AND sk = '1')", UPDATE], FAILED + "EXISTS() must contain a single item read with additional condition"),
    (["UPDATE {t}.i SET x = 1 WHERE pk = 'a'"], FAILED + "This operation is not supported on an index"),
])
def test_what_cannot_be_in_a_transaction_is_refused(run, statements, text):
    assert refused(run, *statements)["Error"] == {"Code": "ValidationException", "Message": text}


def test_parameters_are_checked_before_statements(run):
    broken = {"Statement": "UPDATE {t} SET", "Parameters": [{"N": "1"}]}
    duplicates = {"Statement": UPDATE, "Parameters": [{"SS": ["a", "a"]}]}
    assert refused(run, broken, duplicates)["Error"]["Message"] == (
        "One or more parameter values were invalid: Input collection [a, a] contains duplicates.")

"""BatchExecuteStatement: up to 25 statements, each for itself. Recorded on AWS by public test-suites in autumn 2026."""
import pytest
from botocore.exceptions import ClientError


@pytest.fixture
def run(client, string_table):
    """Runs statements with the table's name put in for `{t}`, and returns their responses."""
    def run(*statements, **more):
        members = [statement if isinstance(statement, dict) else {"Statement": statement} for statement in statements]
        members = [member | {"Statement": member["Statement"].replace("{t}", f'"{string_table}"')} for member in members]
        return client.batch_execute_statement(Statements=members, **more)
    return run


@pytest.fixture
def put(client, string_table):
    def put(pk, sk="1", **attributes):
        item = {"pk": {"S": pk}, "sk": {"S": sk}} | attributes
        client.put_item(TableName=string_table, Item=item)
        return item
    return put


def test_lookups_are_answered_in_their_order(run, put, string_table):
    first, second = put("a"), put("b")
    responses = run("SELECT * FROM {t} WHERE pk = 'b' AND sk = '1'", "SELECT * FROM {t} WHERE pk = 'x' AND sk = '1'",
                    "SELECT * FROM {t} WHERE pk IN ['a'] AND sk = '1'")["Responses"]
    assert [response.get("Item") for response in responses] == [second, None, first]
    assert {response["TableName"] for response in responses} == {string_table}


def test_each_statement_fails_for_itself(run, put, string_table):
    put("dup")
    put("kept", val={"S": "here"})
    responses = run("SLECT * FROM {t}", "INSERT INTO {t} VALUE {'pk': 'dup', 'sk': '1'}",
                    "UPDATE {t} SET x = 1 WHERE pk = 'kept' AND sk = '1' AND val = 'wrong'",
                    "UPDATE \"no-such-table\" SET x = 1 WHERE pk = 'a'", "INSERT INTO {t} VALUE {'pk': 'new', 'sk': '1'}",
                    "DELETE FROM {t} WHERE pk = 'a' AND sk = '1' RETURNING ALL NEW *",
                    "EXISTS(SELECT * FROM {t} WHERE pk = 'a' AND sk = '1' AND x = 1)")["Responses"]
    codes = [response.get("Error", {}).get("Code") for response in responses]
    assert codes == ["ValidationError", "DuplicateItem", "ConditionalCheckFailed", "ResourceNotFound", None, "ValidationError",
                     "ValidationError"]
    assert responses[0]["Error"]["Message"] == "Statement wasn't well formed, can't be processed: Expected data manipulation"
    # The table is named where the statement ran.
    assert [response.get("TableName") for response in responses] == [None, string_table, string_table, None, string_table, None, None]


def test_the_item_of_a_failed_condition_is_never_returned(run, put):
    put("a", val={"S": "here"})
    for setting in ["ALL_OLD", "NONE"]:
        response = run({"Statement": "UPDATE {t} SET x = 1 WHERE pk = 'a' AND sk = '1' AND val = 'wrong'",
                        "ReturnValuesOnConditionCheckFailure": setting})["Responses"][0]
        assert response["Error"]["Code"] == "ConditionalCheckFailed"
        assert "Item" not in response and "Item" not in response["Error"]


def test_returning_is_honoured(run, put):
    item = put("a", data={"S": "old"})
    delete = "DELETE FROM {t} WHERE pk = 'a' AND sk = '1' RETURNING ALL OLD *"
    assert run(delete)["Responses"][0]["Item"] == item
    put("a", data={"S": "old"})
    update = "UPDATE {t} SET data = 'new' WHERE pk = 'a' AND sk = '1' RETURNING MODIFIED NEW *"
    assert run(update)["Responses"][0]["Item"] == {"data": {"S": "new"}}
    gone = run("UPDATE {t} REMOVE data WHERE pk = 'a' AND sk = '1' RETURNING MODIFIED NEW *")["Responses"][0]
    assert "Item" not in gone and "Error" not in gone


def test_a_select_must_be_a_lookup(run, put):
    put("a", flag={"S": "x"})
    text = "Select statements within BatchExecuteStatement must specify the primary key in the where clause."
    responses = run("SELECT * FROM {t} WHERE pk = 'a'", "SELECT * FROM {t} WHERE flag = 'x'",
                    "SELECT * FROM {t} WHERE pk = 'a' AND sk = '1' AND flag = 'x'",
                    "SELECT * FROM {t} WHERE pk = 'a' AND sk = '1' AND pk = 'other'", "SELECT * FROM {t} WHERE pk = 'a' AND sk = '1'")["Responses"]
    assert [response["Error"]["Message"] for response in responses[:4]] == [text] * 4
    assert "Item" in responses[4]


def test_consistency_is_each_statements_own(run, put):
    put("a")
    put("b")
    select = lambda pk, **more: {"Statement": f"SELECT * FROM {{t}} WHERE pk = '{pk}' AND sk = '1'"} | more
    units = lambda *statements: sum(table["CapacityUnits"] for table in run(*statements, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"])
    assert units(select("a")) == 0.5
    assert units(select("a", ConsistentRead=True)) == 1
    assert units(select("a", ConsistentRead=True), select("b")) == 1.5


def test_reads_beside_writes_and_one_item_twice_refuse_the_batch(run, put, client):
    put("a")
    for statements in [("SELECT * FROM {t} WHERE pk = 'a' AND sk = '1'", "DELETE FROM {t} WHERE pk = 'a' AND sk = '1'"),
                       ("UPDATE {t} SET x = 1 WHERE pk = 'a' AND sk = '1'", "DELETE FROM {t} WHERE sk = '1' AND pk = 'a'")]:
        with pytest.raises(ClientError) as error:
            run(*statements)
        assert error.value.response["Error"]["Code"] == "ValidationException"
    assert "Item" in run("SELECT * FROM {t} WHERE pk = 'a' AND sk = '1'")["Responses"][0]


def test_there_are_1_to_25_statements(raw, string_table):
    statement = {"Statement": f"SELECT * FROM \"{string_table}\" WHERE pk = 'a' AND sk = '1'"}
    for count in (0, 26):
        with pytest.raises(ClientError) as error:
            raw.batch_execute_statement(Statements=[statement] * count)
        assert error.value.response["Error"]["Code"] == "ValidationException"

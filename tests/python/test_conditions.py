"""ConditionExpression: every comparator and function, through conditional puts."""
import re

import pytest
from boto3.dynamodb.conditions import Attr

ITEM = {
    "pk": {"S": "a"}, "n": {"N": "5"}, "s": {"S": "hello"}, "b": {"B": b"\x01\x02"},
    "flag": {"BOOL": True},
    "nothing": {"NULL": True}, "labels": {"SS": ["x", "y"]}, "ns": {"NS": ["1", "2.50"]},
    "elems": {"L": [{"S": "first"}, {"N": "2"}]}, "doc": {"M": {"k": {"M": {"deep": {"N": "1"}}}}},
}
VALUES = {
    ":5": {"N": "5"}, ":4": {"N": "4"}, ":6": {"N": "6"}, ":1": {"N": "1"}, ":2": {"N": "2"},
    ":25": {"N": "2.5"},
    ":hello": {"S": "hello"}, ":he": {"S": "he"}, ":ll": {"S": "ll"}, ":x": {"S": "x"},
    ":first": {"S": "first"},
    ":bytes": {"B": b"\x01"}, ":true": {"BOOL": True}, ":null": {"NULL": True},
    ":S": {"S": "S"}, ":N": {"S": "N"},
    ":SS": {"S": "SS"}, ":labels": {"SS": ["y", "x"]}, ":ns": {"NS": ["2.5", "1"]},
    ":text5": {"S": "5"},
}


@pytest.fixture
def holds(client, table):
    """Tells whether a condition holds on ITEM."""
    client.put_item(TableName=table, Item=ITEM)

    def check(condition):
        used = {name: VALUES[name] for name in re.findall(r":\w+", condition)}
        request = {"ExpressionAttributeValues": used} if used else {}
        try:
            client.put_item(TableName=table, Item=ITEM, ConditionExpression=condition, **request)
        except client.exceptions.ConditionalCheckFailedException as error:
            assert error.response["Error"]["Message"] == "The conditional request failed"
            return False
        return True
    return check


@pytest.mark.parametrize("condition", [
    "n = :5", "n <> :4", "n < :6", "n <= :5", "n > :4", "n >= :5", ":5 = n", ":4 < n",
    "n BETWEEN :4 AND :6", "n BETWEEN :5 AND :5", "n IN (:4, :5)", "s IN (:hello)",
    "s = :hello", "s > :he", "flag = :true", "nothing = :null", "labels = :labels",
    "ns = :ns", "n <> :text5", "absent <> :5",
    "attribute_exists(n)", "attribute_exists(doc.k.deep)", "attribute_not_exists(doc.k.absent)",
    "attribute_not_exists(absent)", "attribute_exists(elems[1])", "attribute_not_exists(elems[2])",
    "attribute_type(s, :S)", "attribute_type(n, :N)", "attribute_type(labels, :SS)",
    "begins_with(s, :he)", "begins_with(b, :bytes)", "contains(s, :ll)", "contains(labels, :x)",
    "contains(elems, :first)",
    "contains(ns, :25)", "size(s) = :5", "size(labels) = :2", "size(elems) = :2",
    "size(doc) = :1", "size(b) < :5",
    "elems[0] = :first", "elems[1] = :2", "doc.k.deep = :1", "NOT n = :4", "NOT (n = :4 OR n = :6)",
    "n = :4 OR n = :5", "n = :5 AND s = :hello", "n = :5 OR n = :4 AND n = :6",
    "NOT n = :4 AND n = :5",
    "(n = :5 OR n = :4) AND s = :hello", "n between :4 and :6 and s = :hello",
    "attribute_exists(pk)",
])
def test_a_condition_that_is_true_lets_the_write_through(holds, condition):
    assert holds(condition)


@pytest.mark.parametrize("condition", [
    "n = :4", "n <> :5", "n < :5", "n <= :4", "n > :5", "n >= :6", "n BETWEEN :6 AND :6",
    "n IN (:4, :6)",
    "n = :text5", "absent = :5", "absent < :5", "n > :he", "s < :5", "NOT n = :5",
    "attribute_exists(absent)", "attribute_not_exists(n)", "attribute_type(n, :S)",
    "attribute_type(absent, :S)",
    "begins_with(s, :ll)", "contains(labels, :he)", "contains(elems, :x)", "size(s) = :4",
    "size(absent) = :1",
    "size(n) = :1", "elems[5] = :first", "doc.k = :1", "n = :5 AND s = :he", "n = :4 OR s = :he",
    "(n = :5 OR n = :4) AND n = :6", "attribute_exists(s.nested)", "contains(n, :5)",
])
def test_a_condition_that_is_false_stops_the_write(holds, condition):
    assert not holds(condition)


def test_a_write_that_is_stopped_changes_nothing(client, table):
    client.put_item(TableName=table, Item={"pk": {"S": "a"}, "n": {"N": "1"}})
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        client.put_item(TableName=table, Item={"pk": {"S": "a"}},
                        ConditionExpression="attribute_not_exists(pk)")
    assert client.get_item(TableName=table, Key={"pk": {"S": "a"}})["Item"] == {
        "pk": {"S": "a"}, "n": {"N": "1"}}


def test_names_stand_for_reserved_words_and_names_with_dots(client, table):
    client.put_item(TableName=table,
                    Item={"pk": {"S": "a"}, "status": {"S": "new"}, "a.b": {"N": "1"}})
    client.put_item(
        TableName=table, Item={"pk": {"S": "a"}},
        ConditionExpression="#s = :new AND attribute_exists(#dot)",
        ExpressionAttributeNames={"#s": "status", "#dot": "a.b"},
        ExpressionAttributeValues={":new": {"S": "new"}})


@pytest.mark.parametrize("call", [
    lambda client, table, **more: client.delete_item(
        TableName=table, Key={"pk": {"S": "a"}}, **more),
    lambda client, table, **more: client.update_item(
        TableName=table, Key={"pk": {"S": "a"}}, UpdateExpression="REMOVE v", **more),
], ids=["delete", "update"])
def test_deletes_and_updates_take_conditions(client, table, call):
    client.put_item(TableName=table, Item={"pk": {"S": "a"}, "v": {"S": "x"}})
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        call(client, table, ConditionExpression="attribute_not_exists(v)")
    call(client, table, ConditionExpression="attribute_exists(v)")


def test_a_condition_on_an_item_that_is_not_there_sees_no_attributes(client, table):
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        client.delete_item(TableName=table, Key={"pk": {"S": "a"}},
                           ConditionExpression="attribute_exists(pk)")
    client.delete_item(TableName=table, Key={"pk": {"S": "a"}},
                       ConditionExpression="attribute_not_exists(pk)")


def test_the_resource_builds_conditions(resource, client, table):
    table = resource.Table(table)
    table.put_item(Item={"pk": "a", "n": 5, "s": "hello", "labels": {"x"}})
    condition = (
        Attr("n").between(1, 9) & Attr("s").begins_with("he") & Attr("labels").contains("x")
                 & ~Attr("absent").exists() & Attr("n").is_in([5, 6]) & Attr("s").size().eq(5)
                 & Attr("s").attribute_type("S") & (Attr("n").gt(100) | Attr("n").lte(5)))
    table.put_item(Item={"pk": "a", "n": 6}, ConditionExpression=condition)
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        table.put_item(Item={"pk": "a", "n": 7}, ConditionExpression=condition)

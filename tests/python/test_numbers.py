"""Numbers: 38 digits, exact over the whole range, normalised on read-back."""
import pytest


@pytest.mark.parametrize("sent, read", [
    ("0042.1200", "42.12"),
    ("+5", "5"),
    (".5", "0.5"),
    ("5.", "5"),
    ("1.e5", "100000"),
    ("-0", "0"),
    ("0.000", "0"),
    ("-0.5e-3", "-0.0005"),
    ("1E125", "1" + "0" * 125),
    ("9.9999999999999999999999999999999999999E+125", "9" * 38 + "0" * 88),
    ("1E-130", "0." + "0" * 129 + "1"),
    ("-9.9999999999999999999999999999999999999E+125", "-" + "9" * 38 + "0" * 88),
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
])
def test_a_number_is_read_back_as_a_plain_decimal(client, table, sent, read):
    client.put_item(TableName=table,
                    Item={"pk": {"S": "a"}, "n": {"N": sent}, "set": {"NS": [sent]}})
    item = client.get_item(TableName=table, Key={"pk": {"S": "a"}})["Item"]
    assert item["n"] == {"N": read}
    assert item["set"] == {"NS": [read]}


@pytest.mark.parametrize("text", ["1+2", "1.2.3", "+e2", "1e", "1e+", " 1", "1 ", "1\t",
                                  "0x1", "NaN", "Infinity", "--1", "1_0"])
def test_what_is_not_a_number_is_refused(raw, table, text):
    with pytest.raises(raw.exceptions.ClientError) as error:
        raw.put_item(TableName=table, Item={"pk": {"S": "a"}, "n": {"N": text}})
    assert error.value.response["Error"]["Message"].endswith(
        f"The parameter cannot be converted to a numeric value: {text}")


def test_additions_are_exact(client, table):
    client.put_item(TableName=table, Item={"pk": {"S": "a"}, "n": {"N": "0.1"}})
    for _ in range(2):
        client.update_item(
            TableName=table, Key={"pk": {"S": "a"}}, UpdateExpression="SET n = n + :n",
            ExpressionAttributeValues={":n": {"N": "0.1"}})
    assert client.get_item(TableName=table, Key={"pk": {"S": "a"}})["Item"]["n"] == {"N": "0.3"}


def test_sort_keys_are_in_the_order_of_their_values(client, number_table):
    numbers = ["-1E100", "-2.5", "-2", "-0.001", "0", "1E-100", "0.5", "1", "1.1", "10", "9E99"]
    for number in reversed(numbers):
        client.put_item(TableName=number_table,
                        Item={"pk": {"S": "a"}, "sk": {"N": number}, "sent": {"S": number}})
    response = client.query(
        TableName=number_table, KeyConditionExpression="pk = :a",
        ExpressionAttributeValues={":a": {"S": "a"}})
    assert [item["sent"]["S"] for item in response["Items"]] == numbers


def test_number_sets_differ_in_the_last_of_38_digits(client, table):
    near = ["1.0000000000000000000000000000000000000", "1.0000000000000000000000000000000000001"]
    client.put_item(TableName=table, Item={"pk": {"S": "a"}, "set": {"NS": near}})
    item = client.get_item(TableName=table, Key={"pk": {"S": "a"}})["Item"]
    assert sorted(item["set"]["NS"]) == ["1", near[1]]

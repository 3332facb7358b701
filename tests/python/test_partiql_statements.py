"""Every form of statement of AWS's PartiQL reference for DynamoDB, run by ExecuteStatement.

What is asserted beyond the reference was recorded on AWS by public test-suites in autumn 2026.
"""
import pytest
from botocore.exceptions import ClientError

from tables import definitions, index, key_schema


@pytest.fixture
def music(create):
    return create(
        KeySchema=key_schema("Artist", "SongTitle"),
        AttributeDefinitions=definitions(Artist="S", SongTitle="S", Genre="S", Year="N"),
        LocalSecondaryIndexes=[index("ByYear", "Artist", "Year", projection="KEYS_ONLY")],
        GlobalSecondaryIndexes=[index("ByGenre", "Genre", include=["Album"])])


@pytest.fixture
def execute(client, music):
    """Runs a statement with the table's name put in for `{t}`."""
    def execute(statement, *parameters, **more):
        if parameters:
            more["Parameters"] = list(parameters)
        return client.execute_statement(Statement=statement.replace("{t}", f'"{music}"'), **more)
    return execute


@pytest.fixture
def stored(client, music):
    def stored(artist, song="1"):
        key = {"Artist": {"S": artist}, "SongTitle": {"S": song}}
        return client.get_item(TableName=music, Key=key, ConsistentRead=True).get("Item")
    return stored


@pytest.fixture
def put(client, music):
    def put(artist, song="1", **attributes):
        item = {"Artist": {"S": artist}, "SongTitle": {"S": song}} | attributes
        client.put_item(TableName=music, Item=item)
        return item
    return put


def refused(call, *arguments, **more):
    with pytest.raises(ClientError) as error:
        call(*arguments, **more)
    return error.value.response["Error"]["Code"]


def test_insert_takes_literals_of_all_types(execute, stored):
    answer = execute("INSERT INTO {t} value {'Artist': 'a', 'SongTitle': '1', 's': 'it''s', 'n': 1.5E3, 'd': -.5, 't': true,"
                     " 'z': NULL, 'l': [1, 'x', [2]], 'm': {'k': {'deep': 1}}, 'ss': <<'b', 'a'>>, 'ns': <<1, 34, 4.5>>}")
    assert answer["Items"] == []
    item = stored("a")
    assert item["s"] == {"S": "it's"}
    assert item["n"] == {"N": "1500"}
    assert item["d"] == {"N": "-0.5"}
    assert item["t"] == {"BOOL": True}
    assert item["z"] == {"NULL": True}
    assert item["l"] == {"L": [{"N": "1"}, {"S": "x"}, {"L": [{"N": "2"}]}]}
    assert item["m"] == {"M": {"k": {"M": {"deep": {"N": "1"}}}}}
    assert sorted(item["ss"]["SS"]) == ["a", "b"]
    assert sorted(item["ns"]["NS"], key=float) == ["1", "4.5", "34"]


def test_insert_takes_parameters_of_all_types(execute, stored):
    execute("INSERT INTO {t} VALUE {'Artist': ?, 'SongTitle': ?, 'b': ?, 'bs': ?}",
            {"S": "a"}, {"S": "1"}, {"B": b"\x00"}, {"BS": [b"\x01"]})
    assert stored("a")["b"] == {"B": b"\x00"}
    assert stored("a")["bs"] == {"BS": [b"\x01"]}


def test_insert_does_not_replace(client, execute, put, stored):
    put("a", x={"N": "1"})
    with pytest.raises(client.exceptions.DuplicateItemException) as error:
        execute("INSERT INTO {t} VALUE {'Artist': 'a', 'SongTitle': '1', 'x': 2}")
    assert error.value.response["Error"]["Message"] == "Duplicate primary key exists in table"
    assert stored("a")["x"] == {"N": "1"}


def test_select_by_the_whole_key_is_a_lookup(execute, put):
    item = put("a", x={"N": "1"})
    answer = execute("SELECT * FROM {t} WHERE Artist = ? AND SongTitle = '1'", {"S": "a"}, ReturnConsumedCapacity="TOTAL")
    assert answer["Items"] == [item]
    assert answer["ConsumedCapacity"]["CapacityUnits"] == 0.5
    consistent = execute("SELECT * FROM {t} WHERE Artist='a' AND SongTitle='1'", ConsistentRead=True, ReturnConsumedCapacity="TOTAL")
    assert consistent["ConsumedCapacity"]["CapacityUnits"] == 1
    assert execute("SELECT * FROM {t} WHERE Artist = 'b' AND SongTitle = '1'")["Items"] == []


def test_select_by_the_partition_key_is_a_query(execute, put):
    for song in "123":
        put("a", song, x={"N": song})
    put("b")
    songs = lambda rest: [item["SongTitle"]["S"] for item in execute("SELECT * FROM {t} WHERE Artist = 'a'" + rest)["Items"]]
    assert songs("") == ["1", "2", "3"]
    assert songs(" AND SongTitle > '1'") == ["2", "3"]
    assert songs(" AND SongTitle BETWEEN '1' AND '2'") == ["1", "2"]
    assert songs(" AND begins_with(SongTitle, '3')") == ["3"]
    assert songs(" AND SongTitle IN ['3', '1']") == ["1", "3"]
    assert songs(" AND (SongTitle = '1' OR SongTitle = '3')") == ["1", "3"]
    assert songs(" AND SongTitle <> '2'") == ["1", "3"]
    assert songs(" AND x > 1 ORDER BY SongTitle DESC") == ["3", "2"]
    assert songs(" ORDER BY SongTitle ASC") == ["1", "2", "3"]
    assert songs(" ORDER BY Artist") == ["3", "2", "1"]


def test_select_with_in_or_or_on_the_partition_key_reads_each(execute, put):
    for artist in "abc":
        for song in "12":
            put(artist, song)
    keys = lambda rest, **more: [item["Artist"]["S"] + item["SongTitle"]["S"]
                                 for item in execute("SELECT * FROM {t} WHERE " + rest, **more)["Items"]]
    assert sorted(keys("Artist IN ['a', 'c']")) == ["a1", "a2", "c1", "c2"]
    assert sorted(keys("Artist = 'a' OR Artist = 'b' AND SongTitle = '2'")) == ["a1", "a2", "b2"]
    assert keys("Artist IN ['a', 'c'] ORDER BY Artist DESC, SongTitle ASC") == ["c1", "c2", "a1", "a2"]
    assert keys("Artist IN ['a', 'c'] ORDER BY Artist") == ["a2", "a1", "c2", "c1"]


def test_select_without_the_partition_key_scans(execute, put):
    put("a", x={"N": "1"})
    put("b", x={"N": "2"})
    assert len(execute("SELECT * FROM {t}")["Items"]) == 2
    assert [item["Artist"]["S"] for item in execute("SELECT Artist FROM {t} WHERE x = 2")["Items"]] == ["b"]
    assert [item["Artist"]["S"] for item in execute("SELECT Artist FROM {t} WHERE Artist > 'a'")["Items"]] == ["b"]


def test_columns_are_named_by_the_last_member_of_their_paths(execute, put):
    put("a", m={"M": {"k": {"L": [{"S": "x"}, {"S": "y"}]}}}, l={"L": [{"N": "1"}]})
    answer = execute("SELECT Artist, m.k[1], l[0], nope FROM {t} WHERE Artist = 'a' AND SongTitle = '1'")
    assert answer["Items"] == [{"Artist": {"S": "a"}, "k[1]": {"S": "y"}, "l[0]": {"N": "1"}}]
    answer = execute("SELECT m.k FROM {t} WHERE Artist = 'a'")
    assert answer["Items"] == [{"k": {"L": [{"S": "x"}, {"S": "y"}]}}]


@pytest.mark.parametrize("condition", [
    "n = 5", "n <> 6", "n != 6", "n < 6", "n <= 5", "n > 4", "n >= 5", "5 = n", "n BETWEEN 4 AND 6", "n NOT BETWEEN 6 AND 7",
    "n IN [1, 5]", "n IN (1, 5)", "n NOT IN [1]", "NOT n = 6", "(n = 6 OR s = 'text') AND n = 5", "s IS NOT MISSING", "x IS MISSING",
    "z IS NULL", "s IS NOT NULL", "s IS STRING", "n IS NUMERIC", "m IS STRUCT", "l IS LIST", "t IS BOOL", "b IS BLOB",
    "begins_with(s, 'te')", "contains(s, 'ex')", "contains(ss, 'a')", "size(s) = 4", "attribute_type(n, 'N')",
    "attribute_exists(m.k)", "ATTRIBUTE_NOT_EXISTS(m.x)", "m.k = 'v'", "l[0] = 1", "ss = <<'b', 'a'>>", "m = {'k': 'v'}", "l = [1]",
    "z = NULL", "t = TRUE", "attribute_exists(n) = true", "n = - - 5", "n > -5", "\"n\" = 5",
])
def test_conditions_hold_as_in_expressions(execute, put, condition):
    put("a", n={"N": "5"}, s={"S": "text"}, z={"NULL": True}, t={"BOOL": True}, b={"B": b"x"}, ss={"SS": ["a", "b"]},
        m={"M": {"k": {"S": "v"}}}, l={"L": [{"N": "1"}]})
    select = "SELECT * FROM {t} WHERE Artist = 'a' AND SongTitle = '1' AND "
    assert len(execute(select + condition)["Items"]) == 1
    assert len(execute(select + f"NOT ({condition})")["Items"]) == 0


def test_indexes_are_read_by_their_names(execute, put):
    put("a", "1", Genre={"S": "rock"}, Year={"N": "1990"}, Album={"S": "x"}, Other={"S": "y"})
    put("a", "2", Genre={"S": "jazz"}, Year={"N": "1980"})
    answer = execute("SELECT * FROM {t}.\"ByGenre\" WHERE Genre = 'rock'", ReturnConsumedCapacity="INDEXES")
    assert [set(item) for item in answer["Items"]] == [{"Artist", "SongTitle", "Genre", "Album"}]
    assert answer["ConsumedCapacity"]["GlobalSecondaryIndexes"]["ByGenre"]["CapacityUnits"] == 0.5
    years = execute("SELECT SongTitle FROM {t}.ByYear WHERE Artist = 'a' ORDER BY Year", ConsistentRead=True)["Items"]
    assert [item["SongTitle"]["S"] for item in years] == ["2", "1"]
    other = execute("SELECT Other FROM {t}.ByYear WHERE Artist = 'a' AND Year = 1990")["Items"]
    assert other == [{"Other": {"S": "y"}}]
    scanned = execute("SELECT SongTitle FROM {t}.ByGenre WHERE Artist = 'a'")["Items"]
    assert len(scanned) == 2


def test_update_sets_and_removes(execute, put, stored):
    put("a", n={"N": "1"}, l={"L": [{"N": "1"}, {"N": "2"}]}, m={"M": {"k": {"S": "v"}}}, gone={"S": "x"},
        other={"L": [{"N": "1"}, {"N": "2"}]}, ss={"SS": ["a", "b"]}, ns={"NS": ["1"]})
    answer = execute("UPDATE {t} SET n = n + 100 SET m.new = [2020, 'x', 2.4] SET l = LIST_APPEND(l, [4, <<'s'>>])"
                     " SET ns = SET_ADD(ns, <<345, 48.4>>), ss = set_delete(ss, <<'a'>>), fresh = set_add(fresh, ?)"
                     " REMOVE gone REMOVE other[0] WHERE Artist = 'a' AND SongTitle = '1'", {"SS": ["f"]})
    assert answer["Items"] == []
    item = stored("a")
    assert item["n"] == {"N": "101"}
    assert item["m"]["M"]["new"] == {"L": [{"N": "2020"}, {"S": "x"}, {"N": "2.4"}]}
    assert item["l"] == {"L": [{"N": "1"}, {"N": "2"}, {"N": "4"}, {"SS": ["s"]}]}
    assert item["other"] == {"L": [{"N": "2"}]}
    assert sorted(item["ns"]["NS"], key=float) == ["1", "48.4", "345"]
    assert item["ss"] == {"SS": ["b"]}
    assert item["fresh"] == {"SS": ["f"]}
    assert "gone" not in item


def test_update_needs_the_item_and_its_condition(execute, put, stored):
    put("a", n={"N": "1"})
    update = "UPDATE {t} SET n = 2 WHERE Artist = ? AND SongTitle = '1'"
    assert refused(execute, update, {"S": "b"}) == "ConditionalCheckFailedException"
    assert stored("b") is None
    assert refused(execute, update + " AND n = 5", {"S": "a"}) == "ConditionalCheckFailedException"
    assert refused(execute, update + " AND attribute_not_exists(Artist)", {"S": "b"}) == "ConditionalCheckFailedException"
    execute(update + " AND n = 1", {"S": "a"})
    assert stored("a")["n"] == {"N": "2"}


def test_update_can_begin_with_from(execute, put):
    put("a", n={"N": "1"})
    answer = execute("from {t} where Artist = 'a' and SongTitle = '1' set n = 2 remove x returning modified new *")
    assert answer["Items"] == [{"n": {"N": "2"}}]


def test_a_failed_condition_returns_the_item_if_asked(client, execute, put):
    item = put("a", n={"N": "1"})
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as error:
        execute("UPDATE {t} SET n = 2 WHERE Artist = 'a' AND SongTitle = '1' AND n = 5", ReturnValuesOnConditionCheckFailure="ALL_OLD")
    assert error.value.response["Item"] == item
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as error:
        execute("DELETE FROM {t} WHERE Artist = 'a' AND SongTitle = '1' AND n = 5")
    assert "Item" not in error.value.response


@pytest.mark.parametrize("returning,expected", [
    ("ALL OLD *", [{"Artist": {"S": "a"}, "SongTitle": {"S": "1"}, "n": {"N": "1"}, "keep": {"S": "k"}}]),
    ("ALL NEW *", [{"Artist": {"S": "a"}, "SongTitle": {"S": "1"}, "n": {"N": "2"}, "keep": {"S": "k"}}]),
    ("MODIFIED OLD *", [{"n": {"N": "1"}}]),
    ("MODIFIED NEW *", [{"n": {"N": "2"}}]),
])
def test_update_returns_what_it_is_asked_for(execute, put, returning, expected):
    put("a", n={"N": "1"}, keep={"S": "k"})
    answer = execute(f"UPDATE {{t}} SET n = 2 WHERE Artist = 'a' AND SongTitle = '1' RETURNING {returning}")
    assert answer["Items"] == expected


def test_update_returns_no_row_where_nothing_is_left_of_it(execute, put):
    put("a", n={"N": "1"}, l={"L": [{"S": "a"}, {"S": "b"}]})
    where = " WHERE Artist = 'a' AND SongTitle = '1' RETURNING "
    assert execute("UPDATE {t} REMOVE n" + where + "MODIFIED NEW *")["Items"] == []
    assert execute("UPDATE {t} SET n = 1" + where + "MODIFIED OLD *")["Items"] == []
    assert execute("UPDATE {t} SET l[9] = 'c'" + where + "MODIFIED NEW *")["Items"] == []
    assert execute("UPDATE {t} SET l[2] = 'y', l[0] = 'x'" + where + "MODIFIED OLD *")["Items"] == [{"l": {"L": [{"S": "a"}, {"S": "c"}]}}]


def test_delete_deletes_and_returns_the_item(execute, put, stored):
    item = put("a", n={"N": "1"})
    delete = "DELETE FROM {t} WHERE Artist = 'a' AND SongTitle = '1'"
    assert refused(execute, delete + " AND n = 2") == "ConditionalCheckFailedException"
    assert execute(delete + " AND n = 1 RETURNING ALL OLD *")["Items"] == [item]
    assert stored("a") is None
    assert execute(delete + " RETURNING ALL OLD *")["Items"] == []
    assert execute(delete + " AND n = 2")["Items"] == []


def test_pages_go_on_by_their_tokens(execute, put):
    for artist in "ab":
        for song in "123":
            put(artist, song)
    for statement in ["SELECT * FROM {t}", "SELECT * FROM {t} WHERE Artist IN ['a', 'b']", "SELECT * FROM {t}.ByYear WHERE Artist = 'x'",
                      "SELECT * FROM {t} WHERE Artist IN ['a', 'b'] ORDER BY Artist DESC, SongTitle DESC"]:
        whole, pages, more = execute(statement)["Items"], [], {}
        for _ in range(9):
            answer = execute(statement, Limit=2, **more)
            assert len(answer["Items"]) <= 2
            pages += answer["Items"]
            if "NextToken" not in answer:
                break
            more = {"NextToken": answer["NextToken"]}
        assert pages == whole, statement


def test_a_token_belongs_to_its_statement(execute, put):
    for song in "123":
        put("a", song)
    token = execute("SELECT * FROM {t} WHERE Artist = ?", {"S": "a"}, Limit=1)["NextToken"]
    assert refused(execute, "SELECT * FROM {t} WHERE Artist = ?", {"S": "b"}, NextToken=token) == "ValidationException"
    assert refused(execute, "SELECT * FROM {t}", NextToken=token) == "ValidationException"
    assert refused(execute, "SELECT * FROM {t} WHERE Artist = ?", {"S": "a"}, NextToken=token[:-4]) == "ValidationException"
    assert refused(execute, "SELECT * FROM {t} WHERE Artist = ?", {"S": "a"}, NextToken="AAAA") == "ValidationException"


def test_writes_consume_what_other_writes_do(execute):
    answer = execute("INSERT INTO {t} VALUE {'Artist': 'a', 'SongTitle': '1', 'Genre': 'g'}", ReturnConsumedCapacity="INDEXES")
    consumed = answer["ConsumedCapacity"]
    assert (consumed["CapacityUnits"], consumed["Table"]["CapacityUnits"]) == (2, 1)
    assert consumed["GlobalSecondaryIndexes"]["ByGenre"]["CapacityUnits"] == 1


def test_comments_and_semicolons_are_nothing(execute, put):
    put("a", s={"S": "a--b /*c*/"})
    assert len(execute("SELECT/**/* FROM {t} -- the table\nWHERE Artist/* key */='a' AND s = 'a--b /*c*/'; -- done")["Items"]) == 1

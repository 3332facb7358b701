//! Plans with values: the requests as they go to the server.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use monotable_item::{Item, Value};
use monotable_model::document::{Format, Model, read};
use monotable_plan::{FillError, GetRequest, Placeholders, Request, WriteRequest, plan, requests};

const SHOP: &str = r##"
format = 1
name = "shop"

[tables.Main]
name = "shop-production"
partition_key = "PK"
sort_key = "SK"
type_attribute = "Type"
[tables.Main.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"

[entities.Order]
key = { partition = "CUSTOMER#{customer}", sort = "ORDER#{id:06}" }
indexes.GSI1 = { partition = "STATUS#{status}", sort = "{at:time(s)}", when = "status <> 'DONE'" }
[entities.Order.attributes]
customer = "S"
id = "N"
status = "S"
at = "S"
note = "S"
timestamp = "S"

[entities.Line]
key = { partition = "ORDER#{id:06}", sort = "LINE#{line:02}" }
attributes = { id = "N", line = "N", sku = "S" }

[entities.Log]
key = { partition = "LOG#{day}#{shard_any(2)}", sort = "{at:time(s)}" }
attributes = { day = "S", at = "S" }

[patterns.orders]
operation = "query"
returns = ["Order"]
by = ["customer"]
range = "id > :last"
filter = "status = :status"
order = "descending"
limit = 10
parameters = { last = { type = "N", optional = true }, status = { type = "S", optional = true } }

[patterns."open orders"]
operation = "query"
returns = ["Order"]
by = ["customer"]
filter = "status = :status AND (at > :since AND note = :note) AND (at < '9' OR status = 'X')"
parameters = { since = { type = "S", optional = true }, note = { type = "S", optional = true } }

[patterns."orders of a status"]
operation = "query"
returns = ["Order"]
by = ["customer", "status"]
filter = "status <> :other"
parameters = { other = { type = "S", optional = true } }

[patterns.ship]
operation = "update"
entity = "Order"
by = ["customer", "id"]
condition = "attribute_exists(PK)"
change = "SET status = :status, #timestamp = :now"
parameters = { now = "S" }

[patterns.place]
operation = "transact-write"
actions = [
  { put = "Order", condition = "attribute_not_exists(PK)", values = { status = "NEW" } },
  { put = "Line", each = "lines" },
]
parameters = { lines = "L" }

[patterns."lines"]
operation = "batch-get"
returns = ["Line"]
by = ["id", "line"]

[patterns."log of a day"]
operation = "query"
returns = ["Log"]
by = ["day"]

[patterns."write a log"]
operation = "put"
entity = "Log"

[entities.Page]
key = { partition = "PAGE#{name}", sort = "PAGE" }
lock = "revision"
attributes = { name = "S", text = "S", revision = { type = "N", name = "rev" } }

[patterns."edit a page"]
operation = "update"
entity = "Page"
by = ["name"]
condition = "attribute_exists(PK) OR attribute_exists(SK)"
change = "SET #text = :text"

[tables.Main.global_indexes.Due]
partition_key = "team"
sort_key = "due"

[entities.Task]
key = { partition = "TASK#{id}", sort = "TASK" }
indexes.Due = { partition = "{team:raw}", sort = "{due:time(ms)}" }
attributes = { id = "S", team = "S", due = "S" }

[patterns."postpone a task"]
operation = "update"
entity = "Task"
by = ["id"]
change = "SET due = :due"

[patterns."put a task"]
operation = "put"
entity = "Task"

[patterns."force a page"]
operation = "update"
entity = "Page"
by = ["name"]
change = "SET #text = :text, revision = :revision"
"##;

fn model() -> Model {
    read(SHOP, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}")).model
}

fn run(name: &str, parameters: &[(&str, Value)]) -> Result<Vec<Request>, FillError> {
    let model = model();
    let plan = plan(&model, model.pattern(name).unwrap());
    let parameters: Item =
        parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    requests(&model, &plan, &parameters)
}

#[track_caller]
fn check(name: &str, parameters: &[(&str, Value)], expect: &Expect) {
    let mut shown = String::new();
    match run(name, parameters) {
        Ok(requests) => requests.iter().for_each(|request| show(&mut shown, request)),
        Err(error) => writeln!(shown, "{error}").unwrap(),
    }
    expect.assert_eq(&shown);
}

fn show(shown: &mut String, request: &Request) {
    match request {
        Request::Query(query) => {
            writeln!(shown, "Query {} {:?}: {}", query.table, query.index, query.key_condition)
                .unwrap();
            writeln!(shown, "  filter {:?}, limit {:?}", query.filter, query.limit).unwrap();
            show_placeholders(shown, &query.placeholders);
        }
        Request::Get(get) => show_get(shown, get),
        Request::Write(write) => show_write(shown, write),
        Request::BatchGet(gets) => {
            writeln!(shown, "BatchGetItem").unwrap();
            gets.iter().for_each(|get| show_get(shown, get));
        }
        Request::TransactWrite(writes) => {
            writeln!(shown, "TransactWriteItems").unwrap();
            writes.iter().for_each(|write| show_write(shown, write));
        }
        other => writeln!(shown, "{other:?}").unwrap(),
    }
}

fn show_get(shown: &mut String, get: &GetRequest) {
    writeln!(shown, "GetItem {}", item(&get.key)).unwrap();
}

fn show_write(shown: &mut String, write: &WriteRequest) {
    match write {
        WriteRequest::Put(put) => {
            writeln!(shown, "PutItem {} if {:?}", item(&put.item), put.condition).unwrap();
        }
        WriteRequest::Update(update) => {
            writeln!(shown, "UpdateItem {}: {}", item(&update.key), update.update).unwrap();
            writeln!(shown, "  if {:?}", update.condition).unwrap();
            show_placeholders(shown, &update.placeholders);
        }
        other => writeln!(shown, "{other:?}").unwrap(),
    }
}

fn show_placeholders(shown: &mut String, placeholders: &Placeholders) {
    for (placeholder, name) in &placeholders.names {
        writeln!(shown, "  {placeholder} {name}").unwrap();
    }
    for (placeholder, value) in &placeholders.values {
        writeln!(shown, "  {placeholder} {}", text(value)).unwrap();
    }
}

fn item(item: &Item) -> String {
    let members = item.iter().map(|(name, value)| format!("{name}={}", text(value)));
    members.collect::<Vec<_>>().join(" ")
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

#[test]
fn a_query_has_its_condition_behind_placeholders() {
    let customer = ("customer", Value::from("alex"));
    check(
        "orders",
        &[customer.clone(), ("last", Value::from(17)), ("status", Value::from("NEW"))],
        &expect![[r##"
            Query shop-production None: PK = :k1 AND SK > :k2
              filter Some("#status = :status"), limit Some(10)
              #status status
              :k1 CUSTOMER#alex
              :k2 ORDER#000017
              :status NEW
        "##]],
    );
    check(
        "orders",
        &[customer],
        &expect![[r#"
        Query shop-production None: PK = :k1
          filter None, limit Some(10)
          :k1 CUSTOMER#alex
    "#]],
    );
    check(
        "orders",
        &[("last", Value::from(17))],
        &expect![[r#"
        parameter customer is missing
    "#]],
    );
}

#[test]
fn an_update_keeps_derived_keys_fresh() {
    let order = [
        ("customer", Value::from("alex")),
        ("id", Value::from(17)),
        ("now", Value::from("2026-01-03T10:00:00Z")),
        ("at", Value::from("2026-01-02T10:00:00Z")),
    ];
    let with = |status: &str| {
        let mut parameters = order.to_vec();
        parameters.push(("status", Value::from(status)));
        parameters
    };
    check(
        "ship",
        &with("SHIPPED"),
        &expect![[r#"
        UpdateItem PK=CUSTOMER#alex SK=ORDER#000017: SET GSI1PK = :k1, GSI1SK = :k2, #status = :status, #timestamp = :now
          if Some("attribute_exists(PK)")
          #status status
          #timestamp timestamp
          :k1 STATUS#SHIPPED
          :k2 2026-01-02T10:00:00Z
          :now 2026-01-03T10:00:00Z
          :status SHIPPED
    "#]],
    );
    check(
        "ship",
        &with("DONE"),
        &expect![[r#"
        UpdateItem PK=CUSTOMER#alex SK=ORDER#000017: SET #status = :status, #timestamp = :now REMOVE GSI1PK, GSI1SK
          if Some("attribute_exists(PK)")
          #status status
          #timestamp timestamp
          :now 2026-01-03T10:00:00Z
          :status DONE
    "#]],
    );
}

#[test]
fn a_transaction_has_an_action_for_each_element() {
    let line = |line: i64| {
        Value::Map(Item::from([
            ("line".to_owned(), Value::from(line)),
            ("sku".to_owned(), Value::from("A")),
        ]))
    };
    check(
        "place",
        &[
            ("customer", Value::from("alex")),
            ("id", Value::from(17)),
            ("at", Value::from("2026-01-02T10:00:00Z")),
            ("lines", Value::List(vec![line(1), line(2)])),
        ],
        &expect![[r#"
            TransactWriteItems
            PutItem GSI1PK=STATUS#NEW GSI1SK=2026-01-02T10:00:00Z PK=CUSTOMER#alex SK=ORDER#000017 Type=Order at=2026-01-02T10:00:00Z customer=alex id=17 status=NEW if Some("attribute_not_exists(PK)")
            PutItem PK=ORDER#000017 SK=LINE#01 Type=Line id=17 line=1 sku=A if None
            PutItem PK=ORDER#000017 SK=LINE#02 Type=Line id=17 line=2 sku=A if None
        "#]],
    );
}

#[test]
fn a_batch_takes_lists_and_is_cut_into_requests_of_a_hundred() {
    check(
        "lines",
        &[("id", Value::from(17)), ("line", Value::List(vec![Value::from(1), Value::from(2)]))],
        &expect![[r#"
            BatchGetItem
            GetItem PK=ORDER#000017 SK=LINE#01
            GetItem PK=ORDER#000017 SK=LINE#02
        "#]],
    );
    let lines = Value::List((0..250).map(|line| Value::from(line % 100)).collect());
    let requests = run("lines", &[("id", Value::from(17)), ("line", lines)]).unwrap();
    let sizes: Vec<usize> = requests
        .iter()
        .map(|request| match request {
            Request::BatchGet(gets) => gets.len(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(sizes, [100, 100, 50]);
}

#[test]
fn each_shard_is_asked_and_one_is_written() {
    check(
        "log of a day",
        &[("day", Value::from("2026-01-03"))],
        &expect![[r#"
        Query shop-production None: PK = :k1
          filter None, limit None
          :k1 LOG#2026-01-03#0
        Query shop-production None: PK = :k1
          filter None, limit None
          :k1 LOG#2026-01-03#1
    "#]],
    );
    let at = ("at", Value::from("2026-01-02T10:00:00Z"));
    let day = ("day", Value::from("2026-01-03"));
    check(
        "write a log",
        &[at.clone(), day.clone(), ("shard", Value::from(1))],
        &expect![[r#"
        PutItem PK=LOG#2026-01-03#1 SK=2026-01-02T10:00:00Z Type=Log at=2026-01-02T10:00:00Z day=2026-01-03 if None
    "#]],
    );
    check(
        "write a log",
        &[at, day],
        &expect![[r#"
        PK: no shard was chosen, of 2 from 0 on
    "#]],
    );
}

#[test]
fn an_update_compares_and_raises_the_lock_of_its_entity() {
    let given = [("name", Value::from("home")), ("text", Value::from("new"))];
    let with_revision = [&given[..], &[("revision", Value::from(3))]].concat();
    check(
        "edit a page",
        &with_revision,
        &expect![[r#"
        UpdateItem PK=PAGE#home SK=PAGE: SET rev = rev + :k2, #text = :text
          if Some("(attribute_exists(PK) OR attribute_exists(SK)) AND rev = :k1")
          #text text
          :k1 3
          :k2 1
          :text new
    "#]],
    );
    check(
        "edit a page",
        &given,
        &expect![[r#"
        parameter revision is missing
    "#]],
    );
}

#[test]
fn an_update_that_changes_the_lock_itself_is_left_alone() {
    let given = [("name", "home"), ("text", "new")].map(|(name, text)| (name, Value::from(text)));
    let with_revision = [&given[..], &[("revision", Value::from(3))]].concat();
    check(
        "force a page",
        &with_revision,
        &expect![[r#"
        UpdateItem PK=PAGE#home SK=PAGE: SET #text = :text, #revision = :revision
          if None
          #revision rev
          #text text
          :revision 3
          :text new
    "#]],
    );
}

const PLACES: &str = r##"
format = 1
name = "places"

[tables.Main]
partition_key = "PK"
sort_key = "SK"
[tables.Main.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"

[entities.Place]
key = { partition = "COUNTRY#{country}", sort = "PLACE#{state}#{city:optional}" }
indexes.GSI1 = { partition = "CELL#{cell:first(3)}", sort = "{cell:first(5)}#{mayor:fold:optional}" }
[entities.Place.attributes]
country = "S"
state = "S"
city = "S"
cell = { type = "S", required = true }
mayor = "S"

[entities.Account]
key = { partition = "ACCOUNT#{email:fold:hash(8)}", sort = "{at:minutes(5)}" }
attributes = { email = "S", at = "S" }

[patterns."put place"]
operation = "put"
entity = "Place"

[patterns."state with its cities"]
operation = "query"
returns = ["Place"]
by = ["country", "state"]

[patterns."cities up to"]
operation = "query"
returns = ["Place"]
by = ["country", "state"]
range = "city <= :last"
parameters = { last = "S" }

[patterns."near"]
operation = "query"
returns = ["Place"]
index = "GSI1"
by = ["cell"]

[patterns."resign"]
operation = "update"
entity = "Place"
by = ["country", "state", "city"]
change = "REMOVE mayor"

[patterns."account"]
operation = "query"
returns = ["Account"]
by = ["email"]
range = "at BETWEEN :from AND :to"
parameters = { from = "S", to = "S" }
"##;

#[track_caller]
fn check_place(name: &str, parameters: &[(&str, &str)], expect: &Expect) {
    let model = read(PLACES, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}")).model;
    let plan = plan(&model, model.pattern(name).unwrap());
    let parameters: Item =
        parameters.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
    let mut shown = String::new();
    match requests(&model, &plan, &parameters) {
        Ok(requests) => requests.iter().for_each(|request| show(&mut shown, request)),
        Err(error) => writeln!(shown, "{error}").unwrap(),
    }
    expect.assert_eq(&shown.replace('\0', "\\0"));
}

#[test]
fn an_optional_part_is_written_where_it_is_given() {
    let state = [("country", "US"), ("state", "NY"), ("cell", "dr5regw")];
    check_place(
        "put place",
        &state,
        &expect![[r#"
        PutItem GSI1PK=CELL#dr5 GSI1SK=dr5re# PK=COUNTRY#US SK=PLACE#NY# cell=dr5regw country=US state=NY if None
    "#]],
    );
    let city = [state.as_slice(), &[("city", "Albany"), ("mayor", "Kathy")]].concat();
    check_place(
        "put place",
        &city,
        &expect![[r#"
        PutItem GSI1PK=CELL#dr5 GSI1SK=dr5re#kathy PK=COUNTRY#US SK=PLACE#NY#Albany cell=dr5regw city=Albany country=US mayor=Kathy state=NY if None
    "#]],
    );
}

#[test]
fn a_query_finds_items_with_and_without_the_optional_part() {
    let state = [("country", "US"), ("state", "NY")];
    check_place(
        "state with its cities",
        &state,
        &expect![[r#"
        Query Main None: PK = :k1 AND begins_with(SK, :k2)
          filter None, limit None
          :k1 COUNTRY#US
          :k2 PLACE#NY#
    "#]],
    );
}

#[test]
fn a_range_of_the_optional_part_leaves_out_items_without_it() {
    let range = [("country", "US"), ("state", "NY"), ("last", "Buffalo")];
    check_place(
        "cities up to",
        &range,
        &expect![[r#"
        Query Main None: PK = :k1 AND SK BETWEEN :k2 AND :k3
          filter None, limit None
          :k1 COUNTRY#US
          :k2 PLACE#NY#\0
          :k3 PLACE#NY#Buffalo
    "#]],
    );
}

#[test]
fn a_text_that_is_cut_asks_for_its_cell() {
    check_place(
        "near",
        &[("cell", "dr5regw")],
        &expect![[r#"
        Query Main Some("GSI1"): GSI1PK = :k1
          filter None, limit None
          :k1 CELL#dr5
    "#]],
    );
}

#[test]
fn removing_an_optional_attribute_shortens_the_key_of_an_index() {
    let key = [("country", "US"), ("state", "NY"), ("city", "Albany"), ("cell", "dr5regw")];
    check_place(
        "resign",
        &key,
        &expect![[r#"
        UpdateItem PK=COUNTRY#US SK=PLACE#NY#Albany: REMOVE mayor SET GSI1PK = :k1, GSI1SK = :k2
          if None
          :k1 CELL#dr5
          :k2 dr5re#
    "#]],
    );
}

#[test]
fn a_hash_is_found_by_equality_and_a_window_by_its_first_minute() {
    let account = [
        ("email", "Alex@Example.com"),
        ("from", "2026-01-03T10:17:00Z"),
        ("to", "2026-01-03T10:31:00Z"),
    ];
    check_place(
        "account",
        &account,
        &expect![[r##"
        Query Main None: PK = :k3 AND SK BETWEEN :k4 AND :k5
          filter Some("#k1 BETWEEN :k1 AND :k2"), limit None
          #k1 at
          :k1 2026-01-03T10:17:00Z
          :k2 2026-01-03T10:31:00Z
          :k3 ACCOUNT#6db61e6d
          :k4 2026-01-03T10:15
          :k5 2026-01-03T10:30
    "##]],
    );
}

#[test]
fn an_update_of_an_attribute_that_is_a_key_is_refused_like_the_put_of_another_form() {
    let day = Value::from("2026-01-03T10:00:00Z");
    let (id, team) = (Value::from("1"), Value::from("red"));
    let put = [("id", id.clone()), ("team", team), ("due", day.clone())];
    let refusal = "due is given as \"2026-01-03T10:00:00Z\", and its template builds \
                   \"2026-01-03T10:00:00.000Z\"";
    assert_eq!(run("put a task", &put).unwrap_err().to_string(), refusal);
    let update = |due: Value| run("postpone a task", &[("id", id.clone()), ("due", due)]);
    assert_eq!(update(day).unwrap_err().to_string(), refusal);
    assert_eq!(update(Value::from("2026-01-03T10:00:00.000Z")).map(|all| all.len()), Ok(1));
}

#[test]
fn of_a_filter_only_the_tests_are_left_out_whose_parameters_are() {
    let filter = |name: &str, given: &[(&str, &str)]| {
        let given: Vec<(&str, Value)> =
            given.iter().map(|(name, value)| (*name, Value::from(*value))).collect();
        match run(name, &given).unwrap().as_slice() {
            [Request::Query(query)] => {
                let values = query.placeholders.values.keys().cloned().collect::<Vec<_>>();
                (query.filter.clone().unwrap_or_default(), values.join(" "))
            }
            other => panic!("{other:?}"),
        }
    };
    let open = [("customer", "alex"), ("status", "NEW")];
    let (all, _) =
        filter("open orders", &[&open[..], &[("since", "8"), ("note", "x")][..]].concat());
    assert_eq!(
        all,
        "#status = :status AND #at > :since AND note = :note AND (#at < :f1 OR #status = :f2)"
    );
    let (some, values) = filter("open orders", &[&open[..], &[("note", "x")][..]].concat());
    assert_eq!(some, "#status = :status AND note = :note AND (#at < :f1 OR #status = :f2)");
    assert!(!values.contains(":since"), "{values}");
    let (least, _) = filter("open orders", &open);
    assert_eq!(least, "#status = :status AND (#at < :f1 OR #status = :f2)");
    assert!(run("open orders", &[("customer", Value::from("alex"))]).is_err());
}

/// What the pattern knows of an attribute holds as well when the test of its own is left out.
#[test]
fn what_is_known_is_asked_for_beside_a_test_that_may_be_left_out() {
    let given = [("customer", Value::from("alex")), ("status", Value::from("NEW"))];
    let requests = run("orders of a status", &given).unwrap();
    let [Request::Query(query)] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!(query.filter.as_deref(), Some("#k1 = :k1"), "{query:?}");
}

//! What an operator is told when the database is not what it should be.

use monotable_storage_postgres::{FORMAT_VERSION, PostgresEngine, PostgresOptions, init};

use crate::store::{Store, runtime, server};

fn refusal(options: &PostgresOptions) -> String {
    let opened = runtime().block_on(PostgresEngine::open(options));
    opened.err().expect("the store is refused").to_string()
}

#[test]
fn a_database_without_a_store_is_refused() {
    let options = PostgresOptions::new(&server().address()).expect("an address");
    let options = options.schema("nothing_here").expect("a name");
    assert_eq!(
        refusal(&options),
        "the database holds no store in the schema \"nothing_here\": make one first"
    );
}

#[test]
fn a_store_of_another_format_is_refused() {
    let store = Store::new();
    store.ask("update format set version = 99");
    let expected =
        format!("the store has format 99, and this version reads format {FORMAT_VERSION}");
    assert_eq!(refusal(&store.options), expected);
    let made = runtime().block_on(init(&store.options));
    assert_eq!(made.expect_err("init refuses it too").to_string(), expected);
}

#[test]
fn a_database_that_takes_no_writes_is_refused() {
    let address = format!("{}?options=-cdefault_transaction_read_only%3Don", server().address());
    let options = PostgresOptions::new(&address).expect("an address");
    assert_eq!(
        refusal(&options),
        "the database takes no writes: it is a standby or read-only; name the primary, or all hosts"
    );
}

#[test]
fn nobody_at_the_address_and_an_unknown_database_are_told_apart() {
    let nobody = PostgresOptions::new("postgres://u@127.0.0.1:1/db").expect("an address");
    assert_eq!(
        refusal(&nobody),
        "cannot connect to the database: Connection refused (os error 111)"
    );
    let unknown =
        server().address().replace("/postgres", "/unknown").replacen("//unknown", "//postgres", 1);
    let unknown = PostgresOptions::new(&unknown).expect("an address");
    assert_eq!(
        refusal(&unknown),
        "cannot connect to the database: FATAL: database \"unknown\" does not exist"
    );
}

#[test]
fn making_a_store_twice_leaves_it_as_it_is() {
    let store = Store::new();
    store.ask("insert into kv values ('a', 'b')");
    runtime().block_on(init(&store.options)).expect("it is there already");
    assert_eq!(store.ask("select count(*) from kv"), "1");
}

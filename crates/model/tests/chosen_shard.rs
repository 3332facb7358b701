//! Shards that the writer chooses: samples say which, and the first is it if they do not.

use monotable_item::Value;
use monotable_model::document::{Format, Model, read, write};
use monotable_model::recognition::Recognizer;

const READINGS: &str = r#"
format = 1
name = "readings"

[tables.Readings]
partition_key = "PK"
sort_key = "SK"
global_indexes.GSI1 = { partition_key = "GSI1PK", sort_key = "GSI1SK" }

[entities.Reading]
key = { partition = "SENSOR#{sensor}", sort = "READING#{at}" }
indexes.GSI1 = { partition = "ALL#{shard_any(4, 1)}", sort = "{at}" }
attributes = { sensor = "S", at = "S" }

[entities.Sensor]
key = { partition = "SENSOR#{sensor}", sort = "SENSOR" }
attributes.sensor = "S"

[samples]
Reading = [{ sensor = "a", at = "1", "$shard" = 3 }, { sensor = "a", at = "2" }]
"#;

fn model(text: &str) -> Model {
    read(text, Format::Toml).unwrap_or_else(|found| panic!("{found:#?}")).model
}

#[test]
fn a_sample_says_its_shard_or_is_in_the_first() {
    let model = model(READINGS);
    let shards: Vec<Option<Value>> = (model.samples.iter())
        .map(|sample| model.item_of_sample(sample).unwrap().get("GSI1PK").cloned())
        .collect();
    assert_eq!(shards, [Some(Value::from("ALL#3")), Some(Value::from("ALL#1"))]);
    assert!(write(&model, Format::Toml).contains("\"$shard\" = 3"));
}

#[test]
fn the_shard_of_a_stored_item_is_read_from_its_key() {
    let model = model(READINGS);
    let recognizer = Recognizer::new(&model, &model.tables[0]);
    let item = model.item_of_sample(&model.samples[0]).unwrap();
    let views = recognizer.candidates(&item);
    assert_eq!(views.iter().map(|view| view.shard()).collect::<Vec<_>>(), [Some(3)]);
}

#[test]
fn a_shard_that_no_key_has_is_refused() {
    for (from, to, message) in [
        ("\"$shard\" = 3", "\"$shard\" = 5", "the item cannot be built: GSI1PK: "),
        (
            "[samples]",
            "[samples]\nSensor = [{ sensor = \"a\", \"$shard\" = 1 }]",
            "Sensor has no key that leaves the shard to its writer",
        ),
    ] {
        let found = read(&READINGS.replace(from, to), Format::Toml).unwrap_err();
        assert!(found.iter().any(|one| one.message.starts_with(message)), "{found:#?}");
    }
}

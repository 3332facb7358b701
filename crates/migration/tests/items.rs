//! Items that are migrated are what the new model builds, whatever the models; and what was read to
//! decide that is expected to be so still.

use std::fmt::Write as _;

use monotable_item::{Item, Value};
use monotable_migration::{Blocked, Expectation, Migration, Revision, inspect, scan_filter};
use monotable_model::document::{Format, Model, Sample, read};
use proptest::prelude::*;
use proptest::sample::select;

const PARTITIONS: &[&str] = &["P#{a}", "P#{b}", "Q#{a}", "{a}", "P#{a}#{shard(b, 3)}", "P#{a}#{b}"];
const SORTS: &[&str] = &[
    "A",
    "A#{b}",
    "A#{b}#{c}",
    "B#{c}",
    "N#{n:02}",
    "N#{n:02:desc}",
    "#{c}",
    "{c}#{shard_any(4)}",
];
const WHENS: &[&str] = &["", "c = 'x'", "n > 2", "attribute_exists(d)"];
const TEXTS: [&str; 3] = ["x", "xy", "y"];

#[derive(Debug, Clone)]
struct Layout {
    key: (&'static str, &'static str),
    index: Option<((&'static str, &'static str), &'static str)>,
    /// The stored name of `c`.
    name: &'static str,
    type_value: &'static str,
}

fn layout() -> impl Strategy<Value = Layout> {
    // A shard that the writer chooses must stay in the key, which the tests of shards look at.
    let sorts = || select(&SORTS[..SORTS.len() - 1]);
    let keys = move || (select(PARTITIONS), sorts());
    (
        keys(),
        proptest::option::of((keys(), select(WHENS))),
        select(&["c", "cc"][..]),
        select(&["", "T"][..]),
    )
        .prop_map(|(key, index, name, type_value)| Layout { key, index, name, type_value })
}

fn document(layouts: &[Layout], type_attribute: Option<&str>) -> String {
    let mut text = String::from(
        "format = 1\nname = 'm'\n[tables.Tab]\npartition_key = 'PK'\nsort_key = 'SK'\n",
    );
    if let Some(name) = type_attribute {
        writeln!(text, "type_attribute = '{name}'").unwrap();
    }
    text += "[tables.Tab.global_indexes.Gsi]\npartition_key = 'GPK'\nsort_key = 'GSK'\n";
    for (number, layout) in layouts.iter().enumerate() {
        let Layout { key, index, name, type_value } = layout;
        writeln!(text, "[entities.E{number}]").unwrap();
        writeln!(text, "key = {{ partition = '{}', sort = '{}' }}", key.0, key.1).unwrap();
        if !type_value.is_empty() {
            writeln!(text, "type_value = '{type_value}{number}'").unwrap();
        }
        if let Some(((partition, sort), when)) = index {
            let when = if when.is_empty() { String::new() } else { format!(", when = \"{when}\"") };
            writeln!(text, "indexes.Gsi = {{ partition = '{partition}', sort = '{sort}'{when} }}")
                .unwrap();
        }
        writeln!(text, "[entities.E{number}.attributes]\na = 'S'\nb = 'S'").unwrap();
        writeln!(text, "c = {{ type = 'S', name = '{name}' }}\nn = 'N'\nd = 'S'").unwrap();
    }
    text
}

fn model(text: &str) -> Model {
    let document = read(text, Format::Toml);
    document.unwrap_or_else(|problems| panic!("{problems:#?}\n{text}")).model
}

fn attributes() -> impl Strategy<Value = Item> {
    let text = || select(&TEXTS[..]);
    (text(), text(), text(), 1i64..12, proptest::option::of(text())).prop_map(|(a, b, c, n, d)| {
        let mut item = Item::from([
            ("a".to_owned(), Value::from(a)),
            ("b".to_owned(), Value::from(b)),
            ("c".to_owned(), Value::from(c)),
            ("n".to_owned(), Value::from(n)),
        ]);
        item.extend(d.map(|d| ("d".to_owned(), Value::from(d))));
        item
    })
}

/// The item after its revision, or why there is none.
fn migrated(migration: &Migration<'_>, item: &Item) -> Result<Item, Blocked> {
    match migration.revise(item) {
        Revision::Foreign => panic!("nobody knows {item:?}"),
        Revision::Unaffected { .. } | Revision::Current { .. } => Ok(item.clone()),
        Revision::Update(updated) => Ok(updated.apply(item).unwrap()),
        Revision::Move(moved) => Ok(moved.apply(item).unwrap()),
        Revision::Blocked(blocked) => Err(blocked),
    }
}

fn check(old: &Model, new: &Model, entity: &str, attributes: &Item) -> Result<(), TestCaseError> {
    let before = old.item_of(old.entity(entity).unwrap(), attributes).unwrap();
    let mut wanted = new.item_of(new.entity(entity).unwrap(), attributes).unwrap();
    // What no model knows is the application's own, and stays.
    let mut before = before;
    before.insert("extra".to_owned(), Value::from("kept"));
    wanted.insert("extra".to_owned(), Value::from("kept"));
    let migration = Migration::of_table(old, new, "Tab").unwrap();
    match migrated(&migration, &before) {
        Ok(after) => {
            prop_assert_eq!(&after, &wanted);
            let again = migration.revise(&after);
            // Two entities of the new model may look the same where nothing names the type.
            let is_ambiguous = matches!(again, Revision::Blocked(Blocked::Ambiguous { .. }));
            if is_ambiguous && new.tables[0].type_attribute.is_none() {
                return Ok(());
            }
            let is_settled =
                matches!(again, Revision::Current { .. } | Revision::Unaffected { .. });
            prop_assert!(is_settled, "{:?}", again);
            prop_assert_eq!(inspect(&migration, &after).drifts, vec![]);
            if before != after {
                prop_assert!(!inspect(&migration, &before).drifts.is_empty());
                let filter = scan_filter(old, new, &migration);
                prop_assert!(filter.is_none_or(|filter| passes(&filter, &before)));
            }
        }
        // Without a type attribute two entities may look the same, and then nothing is done.
        Err(Blocked::Ambiguous { .. }) => {
            prop_assert!(
                new.tables[0].type_attribute.is_none() || old.tables[0].type_attribute.is_none()
            );
        }
        Err(other) => prop_assert!(false, "{}", other),
    }
    Ok(())
}

/// Whether a filter lets an item pass: one comparison of a type or of the beginning of a key.
fn passes(filter: &monotable_migration::ScanFilter, item: &Item) -> bool {
    let name = filter.names.values().next().unwrap();
    let Some(Value::String(stored)) = item.get(name) else { return true };
    let is_type = filter.expression.contains(" IN ");
    filter.values.values().any(|value| match value {
        Value::String(text) if is_type => stored == text,
        Value::String(text) => stored.starts_with(text.as_str()),
        other => panic!("{other:?}"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_migrated_item_is_what_the_new_model_builds(
        old in proptest::collection::vec(layout(), 2),
        new in proptest::collection::vec(layout(), 2),
        entity in select(&["E0", "E1"][..]),
        attributes in attributes(),
        types in select(&[(Some("Type"), Some("Type")), (Some("Type"), Some("Kind")), (None, None),
            (None, Some("Type"))][..]),
    ) {
        let (old, new) = (model(&document(&old, types.0)), model(&document(&new, types.1)));
        check(&old, &new, entity, &attributes)?;
    }

    #[test]
    fn an_item_that_changed_since_it_was_read_is_not_what_was_expected(
        old in layout(),
        new in layout(),
        attributes in attributes(),
        changed in select(&["a", "b", "c", "n", "d"][..]),
    ) {
        let (old, new) = (model(&document(&[old], Some("Type"))),
            model(&document(&[new], Some("Type"))));
        let before = old.item_of(&old.entities[0], &attributes).unwrap();
        let migration = Migration::of_table(&old, &new, "Tab").unwrap();
        let mut other = before.clone();
        other.insert(stored_name(&old, changed),
            if changed == "n" { Value::from(11) } else { Value::from("z") });
        match migration.revise(&before) {
            Revision::Update(updated) => {
                // Either what changed does not matter, or the decision does not hold any more.
                if let Some(after) = updated.apply(&other) {
                    prop_assert_eq!(after.get(&stored_name(&new, changed)),
                        other.get(&stored_name(&old, changed)));
                }
                prop_assert!(updated.expects.keys().all(|name| !updated.key.contains_key(name)));
            }
            Revision::Move(moved) if other != before => {
                prop_assert_eq!(moved.apply(&other), None);
            }
            _ => {}
        }
    }
}

fn stored_name(model: &Model, name: &str) -> String {
    model.entities[0].attribute(name).unwrap().item_name().to_owned()
}

fn example(name: &str) -> Model {
    model(&monotable_model_fixture::example(name).text)
}

#[test]
fn the_samples_of_the_source_become_what_its_backfills_make_of_them() {
    let (old, new) = (example("github-backend"), example("github-migrations"));
    let migration = Migration::of_table(&old, &new, "GitHubTable").unwrap();
    let mut moved = 0;
    for sample in &new.samples {
        let before = new.item_of_sample(sample).unwrap();
        let whole = Sample { without: Vec::new(), ..sample.clone() };
        let wanted = new.item_of_sample(&whole).unwrap();
        assert_eq!(migrated(&migration, &before).unwrap(), wanted, "{}", sample.entity);
        moved += usize::from(before != wanted);
    }
    assert_eq!(moved, 13);
    let names: Vec<&str> = migration.entities().iter().map(|one| one.entity.as_str()).collect();
    let all = [
        "Repo",
        "Fork",
        "Issue",
        "ClosedIssue",
        "PullRequest",
        "ClosedPullRequest",
        "User",
        "Organization",
    ];
    assert_eq!(names, all);
}

#[test]
fn only_what_tells_entities_apart_is_expected_of_an_item_besides_what_keys_are_made_of() {
    let (old, new) = (example("github-backend"), example("github-migrations"));
    let migration = Migration::of_table(&old, &new, "GitHubTable").unwrap();
    let sample = new.samples.iter().find(|sample| sample.entity == "ClosedIssue").unwrap();
    let Revision::Update(updated) = migration.revise(&new.item_of_sample(sample).unwrap()) else {
        panic!("a closed issue is decorated");
    };
    assert_eq!(updated.entity, "ClosedIssue");
    assert_eq!(updated.set["GSI4SK"], Value::from("#ISSUE#CLOSED#00000002"));
    let expected: Vec<(&str, bool)> = updated
        .expects
        .iter()
        .map(|(name, expectation)| (name.as_str(), matches!(expectation, Expectation::Is(_))))
        .collect();
    let wanted = [
        ("CreatedAt", false),
        ("GSI4PK", false),
        ("GSI4SK", false),
        ("IssueNumber", true),
        ("ReactionCounts", false),
        ("RepoName", true),
        ("RepoOwner", true),
        ("Status", true),
    ];
    assert_eq!(expected, wanted);
}

const DEFAULTS: &str = "format = 1\nname = 'm'\n[tables.Tab]\npartition_key = 'PK'\n\
    [tables.Tab.global_indexes.Gsi]\npartition_key = 'GPK'\n\
    [entities.E]\nkey = { partition = 'E#{id}' }\n";

#[test]
fn a_default_that_a_key_is_built_from_is_written_with_it() {
    let old = model(&format!("{DEFAULTS}attributes.id = 'S'\n"));
    let new = model(&format!(
        "{DEFAULTS}indexes.Gsi = {{ partition = 'STATE#{{state}}' }}\n[entities.E.attributes]\nid \
         = 'S'\nstate = {{ type = 'S', default = 'NEW' }}\ncolour = {{ type = 'S', default = 'red' \
         }}\n"
    ));
    let migration = Migration::of_table(&old, &new, "Tab").unwrap();
    let text = |text: &str| Value::from(text);
    let item = Item::from([("PK".to_owned(), text("E#1")), ("id".to_owned(), text("1"))]);
    let Revision::Update(updated) = migration.revise(&item) else { panic!() };
    let set: Vec<(&str, &Value)> =
        updated.set.iter().map(|(name, value)| (name.as_str(), value)).collect();
    assert_eq!(set, [("GPK", &text("STATE#NEW")), ("state", &text("NEW"))]);
}

#[test]
fn attributes_that_only_the_key_holds_are_read_from_it() {
    let old = model(&format!("{DEFAULTS}attributes.id = 'S'\n"));
    let new = model(&format!(
        "{DEFAULTS}indexes.Gsi = {{ partition = 'ID#{{id}}' }}\nattributes.id = 'S'\n"
    ));
    let migration = Migration::of_table(&old, &new, "Tab").unwrap();
    let item = Item::from([("PK".to_owned(), Value::from("E#17"))]);
    let Revision::Update(updated) = migration.revise(&item) else { panic!() };
    assert_eq!(
        updated.set.into_iter().collect::<Vec<_>>(),
        [("GPK".to_owned(), Value::from("ID#17"))]
    );
    let stranger = Item::from([("PK".to_owned(), Value::from("X#17"))]);
    assert_eq!(migration.revise(&stranger), Revision::Foreign);
}

#[test]
fn a_shard_that_was_chosen_stays_and_one_that_was_not_is_always_the_same() {
    let with =
        |indexes: &str| model(&format!("{DEFAULTS}{indexes}[entities.E.attributes]\nid = 'S'\n"));
    let old = with("");
    let new = with("indexes.Gsi = { partition = 'LOG#{shard_any(8)}' }\n");
    let migration = Migration::of_table(&old, &new, "Tab").unwrap();
    let item = |id: i64| {
        Item::from([
            ("PK".to_owned(), Value::String(format!("E#{id}"))),
            ("id".to_owned(), Value::String(id.to_string())),
        ])
    };
    let shards: std::collections::BTreeSet<String> = (0..200)
        .map(|id| format!("{:?}", migrated(&migration, &item(id)).unwrap()["GPK"]))
        .collect();
    assert_eq!(shards.len(), 8);
    let mut chosen = item(1);
    chosen.insert("GPK".to_owned(), Value::from("LOG#5"));
    assert_eq!(migrated(&migration, &chosen).unwrap(), chosen);
}

#[test]
fn an_attribute_with_two_names_and_two_values_blocks() {
    let with = |name: &str| {
        model(&format!(
            "{DEFAULTS}[entities.E.attributes]\nid = 'S'\ntitle = {{ type = 'S', name = '{name}' \
             }}\n"
        ))
    };
    let (old, new) = (with("title"), with("t"));
    let migration = Migration::of_table(&old, &new, "Tab").unwrap();
    let text = |text: &str| Value::from(text);
    let mut item = Item::from([
        ("PK".to_owned(), text("E#1")),
        ("id".to_owned(), text("1")),
        ("title".to_owned(), text("a")),
        ("t".to_owned(), text("b")),
    ]);
    let blocked = Blocked::TwoNames { old: "title".to_owned(), new: "t".to_owned() };
    assert_eq!(migration.revise(&item), Revision::Blocked(blocked));
    item.insert("t".to_owned(), text("a"));
    let Revision::Update(updated) = migration.revise(&item) else { panic!() };
    assert_eq!(
        (updated.set.len(), updated.remove.into_iter().collect::<Vec<_>>()),
        (0, vec!["title".to_owned()])
    );
}

//! The requests of every access pattern of the example models are attributed to that pattern, and
//! every sample fits its entity.

use std::collections::{BTreeMap, BTreeSet};

use monotable_expr::{
    Condition, KeyComparison, KeyCondition, Projection, Resolver, Update, parse_condition,
    parse_projection, parse_update,
};
use monotable_item::{Item, Number, Type, Value, stored};
use monotable_model::diagnostic::SourceFile;
use monotable_model::document::{Model, Order, read};
use monotable_model::recognition::Recognizer;
use monotable_observe::{
    Attribution, CalledTable, CheckMode, Comparison, FIRST_ACCOUNT, Group, ItemCall, ItemKind,
    KeyBytes, Observer, PageCall, SortAsked,
};
use monotable_plan::run::parameters_of;
use monotable_plan::{
    GetRequest, Placeholders, QueryRequest, Request, ScanRequest, WriteRequest, plan, requests,
};

struct Loaded {
    model: Model,
    observer: Observer,
}

impl Loaded {
    fn new(text: &str) -> Loaded {
        let observer = Observer::new(read, CheckMode::Reject);
        let source = SourceFile::new("model.toml", text);
        observer.load(source, 0).unwrap_or_else(|error| panic!("{error:?}"));
        let model = observer.models()[0].model().clone();
        Loaded { model, observer }
    }

    fn table<'a>(&self, name: &'a str) -> CalledTable<'a> {
        let position = self.model.tables.iter().position(|table| table.physical_name() == name);
        CalledTable { id: position.unwrap() as u32, name, account: FIRST_ACCOUNT }
    }

    fn key<'a>(&self, table: &str, item: &'a Item) -> (KeyBytes<'a>, Option<KeyBytes<'a>>) {
        let table = self.model.tables.iter().find(|one| one.physical_name() == table).unwrap();
        let mut values =
            table.key_attributes().map(|key| KeyBytes::of_value(&item[&key.name]).unwrap());
        (values.next().unwrap(), values.next())
    }

    fn attribute(&self, request: &Request) -> Option<Attribution> {
        match request {
            Request::Get(get) => self.attribute_items(None, &[Sent::get(get)]),
            Request::Write(write) => self.attribute_items(None, &[Sent::write(write)]),
            Request::BatchGet(gets) => self.attribute_items(
                Some(Group::BatchGet),
                &gets.iter().map(Sent::get).collect::<Vec<_>>(),
            ),
            Request::TransactGet(gets) => self.attribute_items(
                Some(Group::TransactGet),
                &gets.iter().map(Sent::get).collect::<Vec<_>>(),
            ),
            Request::BatchWrite(writes) => self.attribute_items(
                Some(Group::BatchWrite),
                &writes.iter().map(Sent::write).collect::<Vec<_>>(),
            ),
            Request::TransactWrite(writes) => self.attribute_items(
                Some(Group::TransactWrite),
                &writes.iter().map(Sent::write).collect::<Vec<_>>(),
            ),
            Request::Query(query) => self.attribute_query(query),
            Request::Scan(scan) => self.attribute_scan(scan),
        }
    }

    fn attribute_items(&self, group: Option<Group>, sent: &[Sent]) -> Option<Attribution> {
        let calls: Vec<(CalledTable<'_>, ItemCall<'_>)> = sent
            .iter()
            .map(|sent| {
                let (partition, sort) = self.key(&sent.table, &sent.item);
                let call = ItemCall {
                    kind: sent.kind,
                    partition,
                    sort,
                    counted_hash: Some(1),
                    update: sent.update.as_ref(),
                    condition: sent.condition.as_ref(),
                    projection: sent.projection.as_ref(),
                    item: sent.stored.as_deref(),
                };
                (self.table(&sent.table), call)
            })
            .collect();
        match group {
            Some(group) => self.observer.attribute_group(group, calls.into_iter().map(Some)),
            None => self.observer.attribute_item(calls[0].0, &calls[0].1),
        }
    }

    fn attribute_query(&self, query: &QueryRequest) -> Option<Attribution> {
        let table =
            self.model.tables.iter().find(|one| one.physical_name() == query.table).unwrap();
        let (partition_names, sort_names): (Vec<&str>, Vec<&str>) = match &query.index {
            Some(index) => {
                let index = table.index(index).unwrap();
                (
                    index.partition_key.iter().map(|key| key.name.as_str()).collect(),
                    index.sort_key.iter().map(|key| key.name.as_str()).collect(),
                )
            }
            None => (
                vec![table.partition_key.name.as_str()],
                table.sort_key.iter().map(|key| key.name.as_str()).collect(),
            ),
        };
        let condition = condition(Some(&query.key_condition), &query.placeholders).unwrap();
        let keys = KeyCondition::new(&condition).unwrap();
        let compared = |name: &str| {
            keys.comparisons().iter().find(|(known, _)| known == name).map(|(_, asked)| asked)
        };
        let partition: Vec<Value> = partition_names
            .iter()
            .map(|name| match compared(name).unwrap() {
                KeyComparison::Equal(value) => value.clone(),
                other => panic!("{other:?}"),
            })
            .collect();
        let mut sort_equal = Vec::new();
        let mut sort = None;
        for name in sort_names {
            match compared(name) {
                Some(KeyComparison::Equal(value)) => sort_equal.push(value.clone()),
                Some(other) => sort = Some(asked(other)),
                None => {}
            }
        }
        let filter = condition_of(query.filter.as_deref(), &query.placeholders);
        let projection = projection(query.projection.as_deref(), &query.placeholders);
        let page = PageCall {
            index: query.index.as_deref(),
            partition: Some(&partition),
            counted_hash: Some(2),
            sort_equal: &sort_equal,
            sort,
            filter: filter.as_ref(),
            projection: projection.as_ref(),
            is_descending: query.order == Order::Descending,
            has_limit: query.limit.is_some(),
        };
        self.observer.attribute_page(self.table(&query.table), &page)
    }

    fn attribute_scan(&self, scan: &ScanRequest) -> Option<Attribution> {
        let filter = condition_of(scan.filter.as_deref(), &scan.placeholders);
        let projection = projection(scan.projection.as_deref(), &scan.placeholders);
        let page = PageCall {
            index: scan.index.as_deref(),
            partition: None,
            counted_hash: None,
            sort_equal: &[],
            sort: None,
            filter: filter.as_ref(),
            projection: projection.as_ref(),
            is_descending: false,
            has_limit: scan.limit.is_some(),
        };
        self.observer.attribute_page(self.table(&scan.table), &page)
    }
}

fn asked(comparison: &KeyComparison) -> SortAsked<'_> {
    let (comparison, value, upper) = match comparison {
        KeyComparison::Equal(value) => (Comparison::Equal, value, None),
        KeyComparison::Less(value) | KeyComparison::LessOrEqual(value) => {
            (Comparison::Before, value, None)
        }
        KeyComparison::Greater(value) | KeyComparison::GreaterOrEqual(value) => {
            (Comparison::After, value, None)
        }
        KeyComparison::Between(lower, upper) => (Comparison::Between, lower, Some(upper)),
        KeyComparison::BeginsWith(value) => (Comparison::BeginsWith, value, None),
        KeyComparison::NotIndexable => unreachable!(),
    };
    SortAsked { comparison, value, upper }
}

/// A request on one item with its expressions read.
struct Sent {
    table: String,
    kind: ItemKind,
    item: Item,
    stored: Option<Vec<u8>>,
    update: Option<Update>,
    condition: Option<Condition>,
    projection: Option<Projection>,
}

impl Sent {
    fn get(get: &GetRequest) -> Sent {
        let projection = projection(get.projection.as_deref(), &get.placeholders);
        Sent { projection, ..Sent::new(&get.table, ItemKind::Get, &get.key) }
    }

    fn write(write: &WriteRequest) -> Sent {
        match write {
            WriteRequest::Put(put) => Sent {
                condition: condition_of(put.condition.as_deref(), &put.placeholders),
                ..Sent::new(&put.table, ItemKind::Put, &put.item)
            },
            WriteRequest::Update(update) => Sent {
                condition: condition_of(update.condition.as_deref(), &update.placeholders),
                update: Some(update_of(&update.update, &update.placeholders)),
                ..Sent::new(&update.table, ItemKind::Update, &update.key)
            },
            WriteRequest::Delete(delete) => Sent {
                condition: condition_of(delete.condition.as_deref(), &delete.placeholders),
                ..Sent::new(&delete.table, ItemKind::Delete, &delete.key)
            },
            WriteRequest::Check(check) => Sent {
                condition: condition_of(Some(&check.condition), &check.placeholders),
                ..Sent::new(&check.table, ItemKind::Check, &check.key)
            },
        }
    }

    fn new(table: &str, kind: ItemKind, item: &Item) -> Sent {
        let (table, item) = (table.to_owned(), item.clone());
        let stored = (kind == ItemKind::Put).then(|| stored::encode(&item));
        Sent { table, kind, item, stored, update: None, condition: None, projection: None }
    }
}

fn condition(text: Option<&str>, placeholders: &Placeholders) -> Option<Condition> {
    let parsed = parse_condition(text?).unwrap();
    Some(Resolver::new(&placeholders.names, &placeholders.values).condition(&parsed).unwrap())
}

fn condition_of(text: Option<&str>, placeholders: &Placeholders) -> Option<Condition> {
    condition(text, placeholders)
}

fn update_of(text: &str, placeholders: &Placeholders) -> Update {
    let parsed = parse_update(text).unwrap();
    Resolver::new(&placeholders.names, &placeholders.values).update(&parsed).unwrap()
}

fn projection(text: Option<&str>, placeholders: &Placeholders) -> Option<Projection> {
    let parsed = parse_projection(text?).unwrap();
    Some(Resolver::new(&placeholders.names, &placeholders.values).projection(&parsed).unwrap())
}

/// A value for a parameter: one that the samples of the pattern's entities have, or any of its
/// type.
fn argument(model: &Model, entities: &BTreeSet<&str>, name: &str, kind: Option<Type>) -> Value {
    let of_samples =
        model.samples.iter().filter(|sample| entities.contains(sample.entity.as_str()));
    let mut found = of_samples.filter_map(|sample| sample.attributes.get(name));
    if let Some(value) = found.find(|value| kind.is_none_or(|kind| value.kind() == kind)) {
        return value.clone();
    }
    match kind {
        Some(Type::Number) => Value::Number(Number::from(1)),
        Some(Type::Bool) => Value::Bool(true),
        Some(Type::Map) => Value::Map(Item::new()),
        Some(Type::List) => Value::List(vec![Value::Map(Item::new())]),
        Some(Type::StringSet) => Value::string_set(vec!["x".to_owned()]),
        Some(Type::NumberSet) => Value::number_set(vec![Number::from(1)]),
        _ if name.contains("date") || name.contains("day") || name.contains("time") => {
            Value::from("2026-01-03T10:00:00Z")
        }
        _ => Value::from("2026"),
    }
}

fn arguments(model: &Model, pattern: &monotable_model::document::Pattern) -> Item {
    let entities: BTreeSet<&str> = pattern.all_entities().collect();
    let parameters = parameters_of(model, pattern);
    let mut arguments = Item::new();
    for parameter in &parameters {
        let mut value = argument(model, &entities, &parameter.name, parameter.kind());
        if let Value::List(elements) = &mut value {
            // Each element has what the others lack.
            let element: Item = parameters
                .iter()
                .filter(|other| other.kind() != Some(Type::List))
                .map(|other| {
                    (other.name.clone(), argument(model, &entities, &other.name, other.kind()))
                })
                .collect();
            *elements = vec![Value::Map(element)];
        }
        arguments.insert(parameter.name.clone(), value);
    }
    arguments
}

/// `ambiguous.txt` lists the patterns whose requests are those of another pattern of their model
/// too: they do the same to the same entity under conditions on the same attributes, or differ in a
/// verb or in how much of a sort key is given. `not_played.txt` lists those whose parameters the
/// samples do not say.
#[test]
fn every_request_of_a_pattern_is_attributed_to_it() {
    let mut wrong = Vec::new();
    let mut ambiguous = Vec::new();
    let (mut played, mut skipped) = (0, Vec::new());
    for example in monotable_model_fixture::examples() {
        let loaded = Loaded::new(&example.text);
        for pattern in &loaded.model.patterns {
            if pattern.operation == monotable_model::document::Operation::Steps {
                continue;
            }
            let planned = plan(&loaded.model, pattern);
            let arguments = arguments(&loaded.model, pattern);
            let sent = match requests(&loaded.model, &planned, &arguments) {
                Ok(sent) => sent,
                Err(error) => {
                    skipped.push(format!("{} {:?}: {error}", example.name, pattern.name));
                    continue;
                }
            };
            for request in sent {
                played += 1;
                let Some(found) = loaded.attribute(&request) else {
                    wrong.push(format!("{} {:?}: not watched", example.name, pattern.name));
                    continue;
                };
                let name = (example.name.as_str(), pattern.name.as_str());
                if found.pattern() == Some(name.1) {
                    continue;
                }
                if found.is_undecided() {
                    ambiguous.push(format!("{} {:?}", name.0, name.1));
                } else {
                    wrong.push(format!("{} {:?}: {:?}", name.0, name.1, found.pattern()));
                }
            }
        }
    }
    ambiguous.sort();
    ambiguous.dedup();
    assert!(wrong.is_empty(), "{} of {played}:\n{}", wrong.len(), wrong.join("\n"));
    expect_test::expect_file!["not_played.txt"].assert_eq(&(skipped.join("\n") + "\n"));
    expect_test::expect_file!["ambiguous.txt"].assert_eq(&(ambiguous.join("\n") + "\n"));
}

/// Keys that are nearly like a key: with a character changed, removed or doubled, in another case,
/// cut off, and with more behind.
fn nearly(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut all =
        vec![text.to_lowercase(), text.to_uppercase(), format!("{text}#x"), format!("{text}0")];
    for at in 0..characters.len() {
        let (before, after) = characters.split_at(at);
        let rest = after.get(1..).unwrap_or_default();
        let joined = |middle: &str| {
            before.iter().copied().chain(middle.chars()).chain(rest.iter().copied()).collect()
        };
        let own = after[0].to_string();
        all.extend(["", "0", "#", "$", "é"].map(joined));
        all.extend([joined(&own.repeat(2)), before.iter().collect()]);
    }
    all
}

/// Returns whether a call is about the entity that its key says, or, if there are several, about
/// the one of these that its pattern is about.
fn agrees(found: &Attribution, expected: &[&str]) -> bool {
    match (found.entities().as_slice(), expected) {
        ([], []) => true,
        (found, [_]) => found == expected,
        ([], _) => found.pattern().is_none(),
        ([entity], _) => found.pattern().is_some() && expected.contains(entity),
        (_, _) => false,
    }
}

/// Items that are nearly like one: with a text changed or missing.
fn nearly_items(item: &Item) -> Vec<Item> {
    let mut all = Vec::new();
    for (name, value) in item {
        let Value::String(text) = value else { continue };
        let changed = [text.to_lowercase(), text.to_uppercase(), format!("{text}0"), "x".into()];
        for text in changed {
            let mut item = item.clone();
            item.insert(name.clone(), Value::String(text));
            all.push(item);
        }
    }
    all
}

/// What is written is compared with what the model's own recogniser decides, which knows all of the
/// item.
#[test]
fn an_item_that_does_not_fit_is_reported_as_the_entity_that_the_recogniser_decides() {
    let (mut fitting, mut misfits) = (0, 0);
    for example in monotable_model_fixture::examples() {
        let loaded = Loaded::new(&example.text);
        let model = &loaded.model;
        for sample in &model.samples {
            let Some(entity) = model.entity(&sample.entity).filter(|it| !it.is_embedded()) else {
                continue;
            };
            let table = sample.table.as_deref().unwrap_or(&entity.tables[0]);
            let table = model.table(table).unwrap();
            let recognizer = Recognizer::new(model, table);
            for item in nearly_items(&model.item_of_sample(sample).unwrap()) {
                let Some(decided) = recognizer.recognise(&item).decided() else { continue };
                let (called, bytes) = (loaded.table(table.physical_name()), stored::encode(&item));
                let key = loaded.key(table.physical_name(), &item);
                match loaded.observer.check(called, key, &bytes) {
                    Err(misfit) => {
                        misfits += 1;
                        let told = misfit.entity.as_deref();
                        assert_eq!(told, Some(&*decided.name), "{} {item:?}", example.name);
                    }
                    // It fits one of the entities that can have its key and its type.
                    Ok(()) => {
                        let call = ItemCall {
                            kind: ItemKind::Put,
                            partition: key.0,
                            sort: key.1,
                            counted_hash: None,
                            update: None,
                            condition: None,
                            projection: None,
                            item: Some(&bytes),
                        };
                        let found = loaded.observer.attribute_item(called, &call).unwrap();
                        let views = recognizer.candidates(&item);
                        let is_one = |told: &&str| {
                            views.iter().any(|view| view.form().entity.name == **told)
                        };
                        assert!(found.entities().iter().all(is_one), "{} {item:?}", example.name);
                        fitting += 1;
                    }
                }
            }
        }
    }
    assert!(fitting > 500 && misfits > 500, "{fitting} fit, {misfits} do not");
}

#[test]
fn keys_that_are_nearly_those_of_entities_are_recognised_as_the_model_does() {
    let mut compared = 0;
    for example in monotable_model_fixture::examples() {
        let loaded = Loaded::new(&example.text);
        let model = &loaded.model;
        for entity in model.entities.iter().filter(|entity| entity.key.is_some()) {
            let Some(sample) = model.samples.iter().find(|one| one.entity == entity.name) else {
                continue;
            };
            let item = model.item_of_sample(sample).unwrap();
            let table = sample.table.as_deref().unwrap_or(&entity.tables[0]);
            let table = model.table(table).unwrap();
            let recognizer = Recognizer::new(model, table);
            let key: Item = table
                .key_attributes()
                .map(|key| (key.name.clone(), item[&key.name].clone()))
                .collect();
            for attribute in key.keys() {
                let Value::String(text) = &key[attribute] else { continue };
                for changed in nearly(text).into_iter().filter(|text| !text.is_empty()) {
                    let mut key = key.clone();
                    key.insert(attribute.clone(), Value::String(changed));
                    let views = recognizer.candidates(&key);
                    let expected: Vec<&str> =
                        views.iter().map(|view| view.form().entity.name.as_str()).collect();
                    let (partition, sort) = loaded.key(table.physical_name(), &key);
                    let call = ItemCall {
                        kind: ItemKind::Get,
                        partition,
                        sort,
                        counted_hash: Some(3),
                        update: None,
                        condition: None,
                        projection: None,
                        item: None,
                    };
                    let called = loaded.table(table.physical_name());
                    let found = loaded.observer.attribute_item(called, &call).unwrap();
                    assert!(agrees(&found, &expected), "{} {key:?}: {expected:?}", example.name);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn samples_fit_their_models_and_their_keys_say_what_they_are() {
    let mut wrong = Vec::new();
    for example in monotable_model_fixture::examples() {
        let loaded = Loaded::new(&example.text);
        let model = &loaded.model;
        let mut by_table: BTreeMap<&str, Recognizer<'_>> = BTreeMap::new();
        for table in &model.tables {
            by_table.insert(table.physical_name(), Recognizer::new(model, table));
        }
        for sample in &model.samples {
            let Some(entity) = model.entity(&sample.entity).filter(|it| !it.is_embedded()) else {
                continue;
            };
            let item = model.item_of_sample(sample).unwrap();
            let table = sample.table.as_deref().unwrap_or(&entity.tables[0]);
            let table = model.table(table).unwrap().physical_name();
            let bytes = stored::encode(&item);
            if let Err(misfit) =
                loaded.observer.check(loaded.table(table), loaded.key(table, &item), &bytes)
            {
                wrong.push(format!("{} {}: {misfit}", example.name, entity.name));
            }
            // What a key alone can say: the entities whose templates it has, whatever the type.
            let (partition, sort) = loaded.key(table, &item);
            let call = ItemCall {
                kind: ItemKind::Get,
                partition,
                sort,
                counted_hash: Some(3),
                update: None,
                condition: None,
                projection: None,
                item: None,
            };
            let found = loaded.observer.attribute_item(loaded.table(table), &call).unwrap();
            let key: Item = model
                .tables
                .iter()
                .find(|one| one.physical_name() == table)
                .unwrap()
                .key_attributes()
                .map(|key| (key.name.clone(), item[&key.name].clone()))
                .collect();
            let candidates = by_table[table].candidates(&key);
            let expected: BTreeSet<&str> =
                candidates.iter().map(|view| view.form().entity.name.as_str()).collect();
            let expected: Vec<&str> = expected.into_iter().collect();
            if !agrees(&found, &expected) {
                wrong.push(format!(
                    "{} {}: {expected:?}, quickly {:?}",
                    example.name,
                    entity.name,
                    found.entities()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

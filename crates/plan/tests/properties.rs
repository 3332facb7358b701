//! Plans against brute force: on small models, a plan's requests return all wanted items, nothing
//! else of the wanted entities, and of the others only those that the plan declares to leak.

use std::fmt::Write as _;

use monotable_expr::{Resolver, parse_condition};
use monotable_item::{Item, Value};
use monotable_model::document::{Format, Model, Pattern, RangeComparison, Source, read};
use monotable_plan::{
    PlannedAction, PlannedRequest, QueryRequest, Request, Role, Share, plan, step_requests,
};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

const PARTITIONS: &[&str] =
    &["P#{a}", "P#{b}", "Q#{a}", "P#{a}#{b}", "{a}", "P", "P#{a}#{shard(b, 2)}"];
const SORTS: &[&str] = &[
    "A",
    "A#{b}",
    "A#{b}#{c}",
    "B#{c}",
    "B#{c}#{b}",
    "{b}#{c}",
    "{c}",
    "N#{n:02}",
    "N#{n:02}#{c}",
    "N#{n:02:desc}",
    "{n:02}#{b}",
    "A#{a}",
    "#{c}",
    "N0",
    "N{n:plain}",
    "{!:}{c}:{n:02}",
];
const RANGES: &[&str] = &[
    "b > 'x'",
    "b >= 'x'",
    "b < 'xy'",
    "b <= 'x'",
    "begins_with(c, 'x')",
    "c BETWEEN 'x' AND 'xy'",
    "n > 2",
    "n >= 2",
    "n < 10",
    "n <= 2",
    "n BETWEEN 2 AND 10",
    "c > 'x'",
    "c < 'y'",
];
const TEXTS: [&str; 3] = ["x", "xy", "y"];
const NUMBERS: [i64; 3] = [1, 2, 10];

/// The templates of a partition and a sort key.
type Keys = (&'static str, &'static str);

#[derive(Debug, Clone)]
struct Case {
    /// For each entity: keys of the table, and keys of the index if it is in it.
    entities: Vec<(Keys, Option<Keys>)>,
    wanted: Vec<usize>,
    by: Vec<&'static str>,
    range: Option<&'static str>,
    /// Whether attributes declare which values they have.
    declares: bool,
}

fn keys() -> impl Strategy<Value = Keys> {
    (select(PARTITIONS), select(SORTS))
}

fn case() -> impl Strategy<Value = Case> {
    let entity = (keys(), proptest::option::of(keys()));
    (
        proptest::collection::vec(entity, 1..4),
        subsequence(vec![0, 1, 2], 1..=2),
        subsequence(vec!["a", "b", "c", "n"], 1..=3),
        proptest::option::of(select(RANGES)),
        any::<bool>(),
    )
        .prop_map(|(entities, mut wanted, by, range, declares)| {
            wanted.retain(|position| *position < entities.len());
            if wanted.is_empty() {
                wanted.push(0);
            }
            // What is known exactly needs no range.
            let range = range.filter(|range| {
                let attribute =
                    range.trim_start_matches("begins_with(").get(..1).unwrap_or_default();
                !by.contains(&attribute)
            });
            Case { entities, wanted, by, range, declares }
        })
}

fn document(case: &Case) -> String {
    let mut text = String::from(
        "format = 1\nname = \"small\"\n[tables.Main]\npartition_key = \"PK\"\nsort_key = \"SK\"\n\
         [tables.Main.global_indexes.GSI1]\npartition_key = \"GSI1PK\"\nsort_key = \"GSI1SK\"\n",
    );
    for (position, ((partition, sort), index)) in case.entities.iter().enumerate() {
        writeln!(text, "[entities.E{position}]").unwrap();
        writeln!(text, "key = {{ partition = '{partition}', sort = '{sort}' }}").unwrap();
        if let Some((partition, sort)) = index {
            writeln!(text, "indexes.GSI1 = {{ partition = '{partition}', sort = '{sort}' }}")
                .unwrap();
        }
        writeln!(text, "attributes.entity = 'S'").unwrap();
        let (texts, numbers) =
            if case.declares { (", charset = 'x-y'", ", min = 1, max = 10") } else { ("", "") };
        for attribute in ["a", "b", "c"] {
            let members = format!("type = 'S', required = true{texts}");
            writeln!(text, "attributes.{attribute} = {{ {members} }}").unwrap();
        }
        writeln!(text, "attributes.n = {{ type = 'N', required = true{numbers} }}").unwrap();
    }
    let wanted: Vec<String> = case.wanted.iter().map(|position| format!("'E{position}'")).collect();
    let by: Vec<String> = case.by.iter().map(|name| format!("'{name}'")).collect();
    writeln!(text, "[patterns.p]\noperation = 'query'").unwrap();
    writeln!(text, "returns = [{}]\nby = [{}]", wanted.join(", "), by.join(", ")).unwrap();
    if let Some(range) = case.range {
        writeln!(text, "range = \"{range}\"").unwrap();
    }
    text
}

/// Items of all entities with all values.
fn items(model: &Model) -> Vec<Item> {
    let mut items = Vec::new();
    for entity in &model.entities {
        for a in TEXTS {
            for b in TEXTS {
                for (c, n) in TEXTS.iter().flat_map(|c| NUMBERS.map(|n| (*c, n))) {
                    let attributes = Item::from([
                        ("entity".to_owned(), Value::from(entity.name.as_str())),
                        ("a".to_owned(), Value::from(a)),
                        ("b".to_owned(), Value::from(b)),
                        ("c".to_owned(), Value::from(c)),
                        ("n".to_owned(), Value::from(n)),
                    ]);
                    items.push(model.item_of(entity, &attributes).unwrap());
                }
            }
        }
    }
    items
}

fn entity_of(item: &Item) -> &str {
    match item.get("entity") {
        Some(Value::String(name)) => name,
        _ => panic!("every item names its entity"),
    }
}

fn is_wanted(item: &Item, pattern: &Pattern, parameters: &Item) -> bool {
    let is_known = pattern
        .by
        .iter()
        .all(|known| item.get(&known.attribute) == parameters.get(&known.attribute));
    let in_range = pattern.range.as_ref().is_none_or(|range| {
        let value = item.get(&range.attribute).unwrap();
        let literal = |source: &Source| match source {
            Source::Literal(value) => value.clone(),
            Source::Parameter(_) => panic!("ranges of this test have literals"),
        };
        let order = |source| compare(value, &literal(source));
        match &range.comparison {
            RangeComparison::Less(source) => order(source).is_lt(),
            RangeComparison::LessOrEqual(source) => order(source).is_le(),
            RangeComparison::Greater(source) => order(source).is_gt(),
            RangeComparison::GreaterOrEqual(source) => order(source).is_ge(),
            RangeComparison::Between(from, to) => order(from).is_ge() && order(to).is_le(),
            RangeComparison::BeginsWith(source) => match (value, literal(source)) {
                (Value::String(text), Value::String(beginning)) => text.starts_with(&beginning),
                _ => false,
            },
        }
    });
    is_known && in_range
}

fn compare(a: &Value, b: &Value) -> std::cmp::Ordering {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Number(a), Value::Number(b)) => a.cmp(b),
        _ => panic!("ranges of this test compare with values of the same type"),
    }
}

fn meets(item: &Item, text: &str, query: &QueryRequest) -> bool {
    let parsed = parse_condition(text).unwrap();
    let placeholders = &query.placeholders;
    let mut resolver = Resolver::new(&placeholders.names, &placeholders.values);
    resolver.condition(&parsed).unwrap().matches(item)
}

/// What a query reads, and what it returns of that.
fn run<'i>(items: &'i [Item], query: &QueryRequest) -> (Vec<&'i Item>, Vec<&'i Item>) {
    let read: Vec<&Item> =
        items.iter().filter(|item| meets(item, &query.key_condition, query)).collect();
    let passes =
        |item: &&Item| query.filter.as_ref().is_none_or(|filter| meets(item, filter, query));
    let returned = read.iter().copied().filter(passes).collect();
    (read, returned)
}

fn check_step(
    items: &[Item],
    model: &Model,
    pattern: &Pattern,
    step: &PlannedRequest,
    parameters: &Item,
) {
    let PlannedAction::Query(planned) = &step.action else { panic!("a query is planned as one") };
    let mut read = Vec::new();
    let mut returned = Vec::new();
    for request in step_requests(model, step, parameters).unwrap() {
        let Request::Query(query) = request else { panic!("a query is a query") };
        let (more_read, more) = run(items, &query);
        read.extend(more_read);
        returned.extend(more);
    }
    for entity in &step.entities {
        let of_entity = |item: &&Item| entity_of(item) == entity;
        let mut found: Vec<&Item> = returned.iter().copied().filter(of_entity).collect();
        let wanted = items.iter().filter(of_entity);
        let mut wanted: Vec<&Item> =
            wanted.filter(|item| is_wanted(item, pattern, parameters)).collect();
        found.sort_by_key(|item| format!("{item:?}"));
        wanted.sort_by_key(|item| format!("{item:?}"));
        assert_eq!(found, wanted, "{:?}", step.lines());
    }
    for member in &planned.collection.members {
        let of_member = |item: &&Item| entity_of(item) == member.entity;
        let found = read.iter().copied().filter(of_member).count();
        match member.role {
            Role::Outside => assert_eq!(found, 0, "{} {:?}", member.entity, step.lines()),
            Role::Wanted | Role::Leaks(Share::None | Share::Some | Share::All) => {}
        }
    }
    for item in read {
        let entity = entity_of(item);
        let is_known = planned.collection.members.iter().any(|member| member.entity == entity);
        assert!(is_known, "{entity} is not in the collection of {:?}", step.lines());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None,
        ..ProptestConfig::default() })]

    #[test]
    fn a_plan_returns_what_is_wanted_and_what_it_declares(
        case in case(), values in [0..3usize, 0..3, 0..3, 0..3],
    ) {
        let text = document(&case);
        let document = read(&text, Format::Toml)
            .unwrap_or_else(|found| panic!("{found:?}\n{text}"));
        let model = &document.model;
        let pattern = &model.patterns[0];
        let parameters = Item::from([
            ("a".to_owned(), Value::from(TEXTS[values[0]])),
            ("b".to_owned(), Value::from(TEXTS[values[1]])),
            ("c".to_owned(), Value::from(TEXTS[values[2]])),
            ("n".to_owned(), Value::from(NUMBERS[values[3]])),
        ]);
        let planned = plan(model, pattern);
        prop_assert_eq!(planned.is_served(), !planned.steps.is_empty());
        let items = items(model);
        for step in &planned.steps {
            check_step(&items, model, pattern, step, &parameters);
        }
    }
}

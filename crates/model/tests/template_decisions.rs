//! What is decided about templates is what trying all values finds.
//!
//! Templates are put together at random from few segments, over attributes with few values, so that
//! all keys can be listed.

use std::collections::{BTreeMap, BTreeSet};

use monotable_expr::KeyComparison;
use monotable_item::{Item, Value};
use monotable_model::template::{
    CharSet, Domain, Domains, EntityKeys, KeySet, Placement, Segment, Template, Verdict,
};
use proptest::prelude::*;

/// A key, the item that has it, and where its segments end.
#[derive(Debug, Clone)]
struct Key {
    text: String,
    item: Item,
    ends: Vec<usize>,
}

const SEGMENTS: [&str; 21] = [
    "A",
    "#",
    "A#",
    "#1",
    "1",
    "{x}",
    "{y}",
    "{x:raw}",
    "{y:slug}",
    "{x:upper}",
    "{y:reversed}",
    "{n:02}",
    "{n:plain}",
    "{m:01:desc}",
    "{m:+01}",
    "{e:enum(a,a#=b,c=A)}",
    "{f:bool}",
    "{y:digits(2)}",
    "{y:first(1)}",
    "{y:slug:first(1):raw}",
    "{shard_mod(m, 2)}",
];

/// The values of an attribute.
fn values(attribute: &str) -> Vec<Value> {
    let texts = |characters: &str| -> Vec<Value> {
        let one: Vec<String> = characters.chars().map(String::from).collect();
        let two = one.iter().flat_map(|a| one.iter().map(move |b| format!("{a}{b}")));
        one.iter().cloned().chain(two).map(Value::String).collect()
    };
    match attribute {
        "x" => texts("a#"),
        "y" => texts("A 1"),
        "n" => (8..12).map(Value::from).collect(),
        "m" => (0..4).map(Value::from).collect(),
        "e" => ["a", "a#", "c"].map(Value::from).to_vec(),
        "f" => vec![Value::Bool(false), Value::Bool(true)],
        other => panic!("no values of {other}"),
    }
}

fn domains() -> Domains {
    Domains::new()
        .with("x", Domain::text_of(CharSet::of("a#"), Some(2)))
        .with("y", Domain::text_of(CharSet::of("A 1"), Some(2)))
        .with("n", Domain::Integers { min: 8, max: 11 })
        .with("m", Domain::Integers { min: 0, max: 3 })
}

/// All items of some attributes.
fn items(attributes: &BTreeSet<String>) -> Vec<Item> {
    let mut items = vec![Item::new()];
    for attribute in attributes {
        let with = |item: &Item, value: Value| {
            let mut item = item.clone();
            item.insert(attribute.clone(), value);
            item
        };
        let of_attribute = values(attribute);
        let lacking = if attribute == "f" { items.clone() } else { Vec::new() };
        items = items
            .iter()
            .flat_map(|item| of_attribute.iter().map(move |value| with(item, value.clone())))
            .chain(lacking)
            .collect();
    }
    items
}

fn attributes(templates: &[&Template]) -> BTreeSet<String> {
    templates.iter().flat_map(|t| t.paths()).map(|path| path.root.clone()).collect()
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => panic!("{other:?} is no text"),
    }
}

/// All keys of a template.
fn keys(template: &Template) -> Vec<Key> {
    let build = |item: Item| {
        let key = text(&template.build(&item).ok()?);
        let ends = (1..=template.segments().len())
            .map(|count| template.partial_through(&item, count).unwrap().text().len())
            .collect();
        Some(Key { text: key, item, ends })
    };
    items(&attributes(&[template])).into_iter().filter_map(build).collect()
}

/// A template in which no attribute occurs twice.
fn template() -> impl Strategy<Value = Template> {
    proptest::collection::vec(proptest::sample::select(SEGMENTS.to_vec()), 1..5).prop_filter_map(
        "every attribute once",
        |segments| {
            let template = last_left_open(&Template::parse(&segments.concat()).unwrap());
            let paths: Vec<_> = template.paths().collect();
            let distinct: BTreeSet<_> = template.paths().collect();
            (paths.len() == distinct.len() && paths.len() <= 3).then_some(template)
        },
    )
}

/// The same template, with a last attribute that is true or false as an optional one.
fn last_left_open(template: &Template) -> Template {
    let text = template.to_string();
    let open = text.strip_suffix("{f:bool}").map(|rest| format!("{rest}{{f:bool:optional}}"));
    open.and_then(|open| Template::parse(&open).ok()).unwrap_or_else(|| template.clone())
}

fn tied_template() -> impl Strategy<Value = Template> {
    let few = vec![
        "A",
        "#",
        "1",
        "{x}",
        "{x:raw}",
        "{x:upper}",
        "{m:01}",
        "{m:02:desc}",
        "{shard_mod(m, 2)}",
    ];
    proptest::collection::vec(proptest::sample::select(few), 1..4)
        .prop_map(|segments| Template::parse(&segments.concat()).unwrap())
}

/// Whether a key meets a condition.
type Meets<'a> = Box<dyn Fn(&str) -> bool + 'a>;

fn key_set(template: &Template) -> KeySet {
    KeySet::new(template, &domains())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn the_language_of_a_template_is_its_keys(template in template()) {
        let set = key_set(&template);
        let keys: BTreeSet<String> = keys(&template).into_iter().map(|key| key.text).collect();
        let longest = keys.iter().map(String::len).max();
        if template.to_string().contains(":digits(") {
            // How far a text grows depends on where its digits are, so this is a bound.
            prop_assert!(set.bytes_max() >= longest);
        } else {
            prop_assert_eq!(set.bytes_max(), longest);
        }
        prop_assert!(set.example().is_some_and(|example| keys.contains(&example)));
        for key in &keys {
            prop_assert!(set.contains(key), "{} {}", template, key);
            for character in ["", "#", "a", "A", "0", "1", "$"] {
                for (cut, _) in key.char_indices() {
                    let other = format!("{}{character}{}", &key[..cut], &key[cut + 1..]);
                    prop_assert_eq!(set.contains(&other), keys.contains(&other), "{} {}", template,
                        other);
                }
            }
        }
    }

    #[test]
    fn keys_read_back_as_what_built_them(template in template()) {
        for key in keys(&template) {
            let readings = template.readings(&key.text, 100);
            let found = readings.iter().any(|reading| {
                reading.parts().iter().all(|part| {
                    let end = key.ends[part.segment];
                    key.text[..end].ends_with(&part.text)
                })
            });
            prop_assert!(found, "{} {:?}", template, key);
        }
    }

    #[test]
    fn templates_meet_if_they_have_a_key_in_common(a in template(), b in template()) {
        let of = |template| keys(template).into_iter().map(|key| key.text).collect::<BTreeSet<_>>();
        let (keys_a, keys_b) = (of(&a), of(&b));
        match key_set(&a).same_key(&key_set(&b)) {
            Verdict::Never => prop_assert!(keys_a.is_disjoint(&keys_b), "{a} {b}"),
            Verdict::Possible(key) => {
                let key = text(&key);
                prop_assert!(keys_a.contains(&key) && keys_b.contains(&key), "{a} {b} {key}");
            }
            Verdict::Undecided => prop_assert!(false, "{a} {b}"),
        }
    }

    #[test]
    fn a_beginning_holds_the_keys_that_have_it(
        a in template(), b in template(), count in 1..4_usize,
    ) {
        let prefixes: BTreeSet<String> = keys(&a)
            .into_iter()
            .map(|key| a.partial_through(&key.item, count).unwrap().text().to_owned())
            .collect();
        let keys_b: BTreeSet<String> = keys(&b).into_iter().map(|key| key.text).collect();
        let overlaps = keys_b.iter()
            .any(|key| prefixes.iter().any(|prefix| key.starts_with(prefix)));
        match key_set(&a).beginning_of(count, &key_set(&b)) {
            Verdict::Never => prop_assert!(!overlaps, "{a} {b}"),
            Verdict::Possible(overlap) => {
                prop_assert!(prefixes.contains(&overlap.prefix) && keys_b.contains(&overlap.key));
                prop_assert!(overlap.key.starts_with(&overlap.prefix));
            }
            Verdict::Undecided => prop_assert!(false, "{a} {b}"),
        }
    }

    #[test]
    fn keys_lie_in_a_collection_as_sorting_them_shows(a in template(), b in template()) {
        let of = |template| keys(template).into_iter().map(|key| key.text).collect::<BTreeSet<_>>();
        let (keys_a, keys_b) = (of(&a), of(&b));
        let (first_a, last_a) = (keys_a.first().unwrap(), keys_a.last().unwrap());
        let (first_b, last_b) = (keys_b.first().unwrap(), keys_b.last().unwrap());
        let found = key_set(&a).interleaving(&key_set(&b));
        prop_assert_eq!(!found.before.is_never(), first_a < last_b, "{} {}", a, b);
        prop_assert_eq!(!found.after.is_never(), last_a > first_b, "{} {}", a, b);
        prop_assert_eq!(!found.same.is_never(), !keys_a.is_disjoint(&keys_b));
        if let Some(pair) = found.before.example() {
            prop_assert!(keys_a.contains(&pair.first) && keys_b.contains(&pair.second));
            prop_assert!(pair.first < pair.second);
        }
        if let Some(pair) = found.after.example() {
            prop_assert!(keys_a.contains(&pair.first) && keys_b.contains(&pair.second));
            prop_assert!(pair.first > pair.second);
        }
        match found.placement() {
            Placement::Before => prop_assert!(last_a < first_b),
            Placement::After => prop_assert!(first_a > last_b),
            Placement::Same => prop_assert!(first_a == last_a && keys_a == keys_b),
            Placement::Mixed => prop_assert!(last_a >= first_b && first_a <= last_b),
        }
    }

    #[test]
    fn a_key_has_two_readings_if_two_items_divide_it_differently(template in template()) {
        let mut divisions: BTreeMap<String, BTreeSet<Vec<usize>>> = BTreeMap::new();
        for key in keys(&template) {
            divisions.entry(key.text).or_default().insert(key.ends);
        }
        let ambiguous = divisions.values().any(|divisions| divisions.len() > 1);
        match key_set(&template).ambiguity() {
            Verdict::Never => prop_assert!(!ambiguous, "{template}"),
            Verdict::Possible(ambiguity) => {
                prop_assert!(divisions[&ambiguity.key].len() > 1, "{template} {ambiguity:?}");
                prop_assert_eq!(ambiguity.readings.len(), 2);
            }
            Verdict::Undecided => prop_assert!(false, "{template}"),
        }
    }

    #[test]
    fn texts_and_numbers_out_of_order_are_found(template in template()) {
        let set = key_set(&template);
        let faults: Vec<String> = set.order_faults().into_iter().map(|f| f.path.to_string())
            .collect();
        let all = keys(&template);
        for (place, segment) in template.segments().iter().enumerate() {
            let Segment::Attribute(part) = segment else { continue };
            let form = part.encoding.to_string();
            if !["", ":raw", ":plain", ":02"].contains(&form.as_str()) {
                continue;
            }
            let start = |key: &Key| if place == 0 { 0 } else { key.ends[place - 1] };
            let rank = |key: &Key| match &key.item[&part.path.root] {
                Value::String(text) => (0, text.clone()),
                Value::Number(number) => (number.to_i64().unwrap(), String::new()),
                other => panic!("{other:?}"),
            };
            let disorder = all.iter().any(|a| {
                all.iter().any(|b| rank(a) < rank(b) && a.text[start(a)..] > b.text[start(b)..])
            });
            prop_assert_eq!(faults.contains(&part.path.to_string()), disorder, "{} {}", template,
                part);
        }
        for fault in set.order_faults() {
            prop_assert!(fault.lesser > fault.greater, "{template} {fault:?}");
        }
    }

    #[test]
    fn conditions_are_met_by_the_keys_they_select(
        template in template(), low in "[aA#1 ]{0,3}", high in "[aA#1 ]{0,3}", kind in 0..6,
    ) {
        let (lower, upper) = (Value::from(low.as_str()), Value::from(high.as_str()));
        let (condition, meets): (_, Meets<'_>) = match kind {
            0 => (KeyComparison::Less(lower), Box::new(|key| key < low.as_str())),
            1 => (KeyComparison::LessOrEqual(lower), Box::new(|key| key <= low.as_str())),
            2 => (KeyComparison::Greater(lower), Box::new(|key| key > low.as_str())),
            3 => (KeyComparison::GreaterOrEqual(lower), Box::new(|key| key >= low.as_str())),
            4 => (KeyComparison::BeginsWith(lower), Box::new(|key| key.starts_with(&low))),
            _ => {
                let between = |key: &str| key >= low.as_str() && key <= high.as_str();
                (KeyComparison::Between(lower, upper), Box::new(between))
            }
        };
        let keys: BTreeSet<String> = keys(&template).into_iter().map(|key| key.text).collect();
        match key_set(&template).within(&condition) {
            Verdict::Never => prop_assert!(!keys.iter().any(|key| meets(key)), "{template}"),
            Verdict::Possible(key) => {
                let key = text(&key);
                prop_assert!(keys.contains(&key) && meets(&key), "{template} {key}");
            }
            Verdict::Undecided => prop_assert!(false, "{template}"),
        }
    }

    #[test]
    fn a_no_on_tied_attributes_is_proof_and_a_yes_has_an_example(
        partition_a in tied_template(), sort_a in tied_template(),
        partition_b in tied_template(), sort_b in tied_template(),
    ) {
        let all = |partition: &Template, sort: &Template| -> BTreeSet<(String, String)> {
            let build = |item: Item| {
                Some((text(&partition.build(&item).ok()?), text(&sort.build(&item).ok()?)))
            };
            items(&attributes(&[partition, sort])).into_iter().filter_map(build).collect()
        };
        let (items_a, items_b) = (all(&partition_a, &sort_a), all(&partition_b, &sort_b));
        let entity = |partition, sort| EntityKeys::new(partition, Some(sort), &domains());
        let (a, b) = (entity(&partition_a, &sort_a), entity(&partition_b, &sort_b));
        match a.same_item(&b) {
            Verdict::Never => prop_assert!(items_a.is_disjoint(&items_b)),
            Verdict::Possible(key) => {
                let key = (text(&key.partition), text(&key.sort.unwrap()));
                prop_assert!(items_a.contains(&key) && items_b.contains(&key), "{key:?}");
            }
            Verdict::Undecided => {}
        }
        let Some(found) = a.interleaving(&b) else {
            let partitions: BTreeSet<&String> = items_a.iter().map(|(partition, _)| partition)
                .collect();
            prop_assert!(!items_b.iter().any(|(partition, _)| partitions.contains(partition)));
            return Ok(());
        };
        let pairs = items_a.iter().flat_map(|a| items_b.iter().map(move |b| (a, b)));
        for ((_, sort_a), (_, sort_b)) in pairs.filter(|(a, b)| a.0 == b.0) {
            prop_assert!(sort_a >= sort_b || !found.before.is_never());
            prop_assert!(sort_a <= sort_b || !found.after.is_never());
            prop_assert!(sort_a != sort_b || !found.same.is_never());
        }
    }
}

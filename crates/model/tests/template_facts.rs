//! What the decisions say about keys of well-known designs.

use monotable_item::{Item, Value};
use monotable_model::template::{
    CharSet, Domain, Domains, EntityKeys, FaultCause, KeySet, Meaning, Placement, Template, Verdict,
};

fn template(text: &str) -> Template {
    Template::parse(text).unwrap()
}

fn keys(text: &str) -> KeySet {
    KeySet::new(&template(text), &Domains::new())
}

fn entity(partition: &str, sort: &str) -> EntityKeys {
    EntityKeys::new(&template(partition), Some(&template(sort)), &Domains::new())
}

#[track_caller]
fn check_placement(a: (&str, &str), b: (&str, &str), expected: Placement) {
    let interleaving = entity(a.0, a.1).interleaving(&entity(b.0, b.1));
    assert_eq!(interleaving.unwrap().placement(), expected, "{a:?} {b:?}");
}

#[test]
fn orders_lie_before_their_customer_and_issues_before_their_repository() {
    let customer = ("CUSTOMER#{name}", "CUSTOMER#{name}");
    check_placement(("CUSTOMER#{user}", "#ORDER#{id:ksuid}"), customer, Placement::Before);
    let repo = ("REPO#{owner}#{name}", "REPO#{owner}#{name}");
    check_placement(("REPO#{owner}#{name}", "ISSUE#{n:07}"), repo, Placement::Before);
    check_placement(("REPO#{owner}#{name}", "STAR#{user}"), repo, Placement::After);
}

#[test]
fn a_parent_lies_before_children_that_begin_with_its_key() {
    let parent = ("A#{user}", "A#{user}");
    check_placement(parent, ("A#{owner}", "A#{owner}#CHILD#{id}"), Placement::Before);
    check_placement(parent, ("A#{owner}", "A#{other}#CHILD#{id}"), Placement::Mixed);
}

#[test]
fn a_profile_lies_after_all_orders() {
    let profile = ("USER#{id}", "PROFILE");
    check_placement(profile, ("USER#{id}", "ORDER#{at:time(s)}#{order}"), Placement::After);
}

#[test]
fn two_kinds_of_account_collide_and_a_user_and_its_repositories_do_not() {
    let account = entity("ACCOUNT#{a}", "ACCOUNT#{a}");
    let collision = account.same_item(&entity("ACCOUNT#{b}", "ACCOUNT#{b}"));
    let key = collision.example().unwrap();
    assert_eq!(Some(&key.partition), key.sort.as_ref());
    assert_eq!(account.same_item(&entity("ACCOUNT#{b}", "#REPO#{b}")), Verdict::Never);
    assert_eq!(account.interleaving(&entity("USER#{b}", "ACCOUNT#{b}")), None);
}

#[test]
fn a_pointer_is_also_version_zero() {
    let pointer = keys("V0");
    let any = KeySet::new(&template("V{n:plain}"), &Domains::new());
    assert_eq!(pointer.same_key(&any), Verdict::Possible(Value::from("V0")));
    let from_one = Domains::new().with("n", Domain::Integers { min: 1, max: 999 });
    let versions = KeySet::new(&template("V{n:plain}"), &from_one);
    assert_eq!(pointer.same_key(&versions), Verdict::Never);
}

#[test]
fn a_prefix_without_its_delimiter_finds_too_much() {
    let found = keys("wyoming#jackson").beginning_of(1, &keys("wyoming#{city}#{zip}#"));
    assert!(found.example().unwrap().key.starts_with("wyoming#jackson"));
    let exact = keys("wyoming#jackson#").beginning_of(1, &keys("wyoming#jacksonville#{zip}#"));
    assert_eq!(exact, Verdict::Never);
}

#[test]
fn a_delimiter_that_values_hold_makes_keys_ambiguous() {
    assert!(keys("{status:raw}_{rest:raw}").ambiguity().example().is_some());
    assert_eq!(keys("{!_}{status}_{rest}").ambiguity(), Verdict::Never);
    assert_eq!(keys("{part:raw}_V{version:plain}").ambiguity(), Verdict::Never);
    assert!(keys("{state:slug}{city:slug}").ambiguity().example().is_some());
}

#[test]
fn unpadded_numbers_and_low_characters_break_the_order() {
    let causes = |text: &str| -> Vec<FaultCause> {
        keys(text).order_faults().into_iter().map(|fault| fault.cause).collect()
    };
    assert_eq!(causes("V{n:plain}"), [FaultCause::Unpadded]);
    assert_eq!(causes("V{n:05}"), []);
    assert_eq!(causes("{city}#{zip}"), [FaultCause::LowCharacter]);
    assert_eq!(causes("{city:slug}#{zip:05}"), [FaultCause::LowCharacter]);
    assert_eq!(causes("ORDER#{name}"), []);
    assert_eq!(causes("{state:enum(open=b,closed=a)}#{n:05}"), [FaultCause::Tokens]);
}

#[test]
fn a_key_may_end_without_its_optional_part() {
    let place = template("PLACE#{state}#{city:optional}");
    let item = |pairs: &[(&str, &str)]| -> Item {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect()
    };
    let state = item(&[("state", "NY")]);
    assert_eq!(place.build(&state).unwrap(), Value::from("PLACE#NY#"));
    let city = item(&[("state", "NY"), ("city", "Albany")]);
    assert_eq!(place.build(&city).unwrap(), Value::from("PLACE#NY#Albany"));
    let reading = place.read(&Value::from("PLACE#NY#")).unwrap();
    assert_eq!((reading.get("state"), reading.get("city")), (Some(&Value::from("NY")), None));
    assert!(place.read(&Value::from("PLACE#NY")).is_err());
    assert!(!keys("PLACE#{state}#").same_key(&keys("PLACE#{s}#{city:optional}")).is_never());
    let required = place.required_paths().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(required, ["state"]);
}

#[test]
fn a_hash_is_compared_with_the_value_where_a_key_holds_it() {
    let hashed = template("{mail:hash(4)}#{mail}");
    let item = Item::from([("mail".to_owned(), Value::from("a"))]);
    let key = hashed.build(&item).unwrap();
    assert_eq!(key, Value::from("ca97#a"));
    assert_eq!(hashed.read(&key).unwrap().get("mail"), Some(&Value::from("a")));
    assert!(hashed.read(&Value::from("ca98#a")).is_err());
    let alone = template("M#{mail:hash(4)}").read(&Value::from("M#ca97")).unwrap();
    assert_eq!(alone.get("mail"), None);
    assert!(matches!(&alone.parts()[0].meaning, Meaning::Hash { path } if path.root == "mail"));
    assert!(template("{mail:hash(2)}#{mail:hash(4)}").matches(&Value::from("ca#ca97")));
    assert!(!template("{mail:hash(2)}#{mail:hash(4)}").matches(&Value::from("cb#ca97")));
    assert!(template("{mail:first(1)}#{mail:hash(4)}").matches(&Value::from("x#ca97")));
}

#[test]
fn entities_that_hash_one_attribute_collide_only_where_hashes_agree() {
    let user = entity("USER#{mail:hash(2)}", "A#{mail:hash(1)}");
    assert!(user.same_item(&entity("USER#{mail:hash(2)}", "A#{mail:hash(1)}")).example().is_some());
    assert_eq!(user.same_item(&entity("USER#{mail:hash(2)}", "B#{mail:hash(1)}")), Verdict::Never);
}

#[test]
fn cells_of_several_sizes_read_back_as_the_finest() {
    let cells = template("{cell:first(2)}#{cell:first(4)}");
    let item = Item::from([("cell".to_owned(), Value::from("9q8yyk"))]);
    let key = cells.build(&item).unwrap();
    assert_eq!(key, Value::from("9q#9q8y"));
    assert_eq!(cells.read(&key).unwrap().get("cell"), Some(&Value::from("9q8y")));
    assert!(cells.read(&Value::from("9r#9q8y")).is_err());
    assert_eq!(keys("CELL#{cell:first(4)}").bytes_max(), Some(5 + 4 * 4));
}

#[test]
fn the_longest_key_follows_from_the_declared_lengths() {
    let all = Domains::new().with("name", Domain::text_of(CharSet::all(), Some(10)));
    assert_eq!(KeySet::new(&template("USER#{name}#{id:ulid}"), &all).bytes_max(), Some(72));
    assert_eq!(keys("USER#{name}").bytes_max(), None);
}

#[test]
fn the_longest_key_follows_from_declared_bytes_and_what_each_of_them_becomes() {
    let bytes = Domains::new().with("name", Domain::text_of_bytes(10));
    let longest = |text: &str| KeySet::new(&template(text), &bytes).bytes_max();
    assert_eq!(longest("{name:raw}"), Some(10));
    // A delimiter in the text is written in two bytes, and capitals can be three times as long.
    assert_eq!(longest("{name}"), Some(20));
    assert_eq!(longest("{name:upper:raw}"), Some(30));
    let two = "\u{390}";
    assert_eq!((two.len(), two.to_uppercase().len()), (2, 6));
}

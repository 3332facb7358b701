//! The keys are those of the model file.

use example_github_backend::schema::{
    Account, Comment, Issue, Membership, PullRequest, Reaction, Repo, Star, Thread,
};
use monotable::schema::EntityDefinition;
use monotable::{Entity, Item, Value};

const MODEL: &str = include_str!("../../../models/github-backend.toml");

#[test]
fn every_key_is_one_of_the_model() {
    let definitions = [
        Account::DEFINITION,
        Membership::DEFINITION,
        Repo::DEFINITION,
        Star::DEFINITION,
        Issue::DEFINITION,
        PullRequest::DEFINITION,
        Reaction::DEFINITION,
    ];
    for definition in definitions {
        for (partition, sort) in keys(definition) {
            let line = format!("partition = \"{partition}\", sort = \"{sort}\"");
            assert!(MODEL.contains(&line), "{}: {line}", definition.name);
        }
    }
}

/// Two entities of the model are one struct here, so its template has another text.
#[test]
fn keys_of_comments_have_the_bytes_of_the_model() {
    let id = "2abZNkf32goOf9ShmcHdwcvi7fU";
    for (thread, prefix) in [(Thread::Issue, "ISSUECOMMENT"), (Thread::PullRequest, "PRCOMMENT")] {
        let key = Comment::of_thread(thread, "alice", "widgets", 1_u32).comment_id(id);
        let expected = Item::from([
            ("PK".to_owned(), Value::from(format!("{prefix}#alice#widgets#1").as_str())),
            ("SK".to_owned(), Value::from(format!("{prefix}#{id}").as_str())),
        ]);
        assert_eq!(key.to_item().unwrap(), expected);
    }
}

/// The templates of the table's key and of indexes, with the names that attributes have in items.
fn keys(definition: &EntityDefinition) -> Vec<(String, String)> {
    let stored = |template: &str| {
        definition.attributes.iter().fold(template.to_owned(), |text, attribute| {
            let stored_name = attribute.stored_name;
            text.replace(&format!("{{{}}}", attribute.name), &format!("{{{stored_name}}}"))
                .replace(&format!("{{{}:", attribute.name), &format!("{{{stored_name}:"))
        })
    };
    let of_table = (stored(definition.partition), stored(definition.sort.unwrap()));
    let of_indexes =
        definition.indexes.iter().map(|index| (stored(index.partition[0]), stored(index.sort[0])));
    std::iter::once(of_table).chain(of_indexes).collect()
}

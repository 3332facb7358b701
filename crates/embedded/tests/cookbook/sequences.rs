//! `sequences.md`

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::Outcome;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Project, Issue))]
pub struct Tracker;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Tracker)]
#[key(by_name: pk = "PROJECT#{name}", sk = "PROJECT")]
pub struct Project {
    pub name: String,
    /// The last number that was handed out.
    pub last_issue: u32,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Tracker)]
#[key(of_project: pk = "PROJECT#{project}", sk = "ISSUE#{number:06}")]
pub struct Issue {
    pub project: String,
    pub number: u32,
    pub title: String,
}

async fn open(db: &Db<Tracker>, project: &str, title: &str) -> Result<Issue, Error> {
    let counted = db.patch(Project::by_name(project)).last_issue(add(1_u32)).await?;
    let issue =
        Issue { project: project.to_owned(), number: counted.last_issue, title: title.to_owned() };
    Ok(db.create(&issue).await?)
}

#[tokio::test]
async fn numbers_go_up_by_one() -> Outcome {
    let db = Tracker::open("tracker", Embedded::in_memory());
    db.create_table().await?;
    db.create(&Project { name: "web".to_owned(), last_issue: 0 }).await?;
    for expected in 1..=12 {
        let issue = assert_cost!(db, 2.0 WCU, { open(&db, "web", "a title").await? });
        assert_eq!(issue.number, expected);
    }
    let newest = db.query(Issue::of_project("web")).desc().exactly(3).await?;
    let numbers: Vec<u32> = newest.rows().iter().map(|issue| issue.number).collect();
    assert_eq!(numbers, [12, 11, 10]);
    assert!(open(&db, "none", "a title").await.is_err());
    Ok(())
}

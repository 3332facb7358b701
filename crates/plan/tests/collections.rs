//! Plans of collections: which range covers the wanted entities, and what leaks.

use expect_test::{Expect, expect};
use monotable_model::document::{Format, read};
use monotable_plan::plan_all;

#[track_caller]
fn check(text: &str, expect: &Expect) {
    let document = match read(text, Format::Toml) {
        Ok(document) => document,
        Err(problems) => panic!("{problems:#?}"),
    };
    let mut shown = String::new();
    for plan in plan_all(&document.model) {
        shown += &format!("{}\n", plan.pattern);
        for line in plan.lines() {
            shown += &format!("    {line}\n");
        }
        for shortfall in &plan.shortfalls {
            shown += &format!("    ! {}\n", shortfall.reason);
        }
    }
    expect.assert_eq(&shown);
}

/// A repository, its issues, stars, pull requests and forks, as a book on single tables lays them
/// out.
const REPOSITORIES: &str = r##"
format = 1
name = "repositories"

[tables.Main]
partition_key = "PK"
sort_key = "SK"
[tables.Main.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"
projection = "all"
[tables.Main.global_indexes.GSI3]
partition_key = "GSI3PK"
sort_key = "GSI3SK"
projection = "keys-only"

[entities.Repo]
key = { partition = "REPO#{owner}#{name}", sort = "REPO#{owner}#{name}" }
indexes.GSI1 = { partition = "REPO#{owner}#{name}", sort = "REPO#{owner}#{name}" }
indexes.GSI3 = { partition = "ACCOUNT#{owner}", sort = "#{updated_at}" }
attributes = { owner = "S", name = "S", updated_at = { type = "S", required = true } }

[entities.Issue]
key = { partition = "REPO#{owner}#{name}", sort = "ISSUE#{number:07}" }
attributes = { owner = "S", name = "S", number = "N", status = "S" }

[entities.Star]
key = { partition = "REPO#{owner}#{name}", sort = "STAR#{user}" }
attributes = { owner = "S", name = "S", user = "S" }

[entities.PullRequest]
key = { partition = "PR#{owner}#{name}#{number:07}", sort = "PR#{owner}#{name}#{number:07}" }
indexes.GSI1 = { partition = "REPO#{owner}#{name}", sort = "PR#{number:07}" }
attributes = { owner = "S", name = "S", number = "N" }

[entities.User]
key = { partition = "ACCOUNT#{username}", sort = "ACCOUNT#{username}" }
indexes.GSI3 = { partition = "ACCOUNT#{username}", sort = "ACCOUNT#{username}" }
attributes = { username = "S", city = "S" }

[entities.Membership]
key = { partition = "ACCOUNT#{organization}", sort = "MEMBERSHIP#{username}" }
attributes = { organization = "S", username = "S" }

[patterns."repository and issues"]
operation = "query"
returns = ["Repo", "Issue"]
by = ["owner", "name"]
order = "descending"

[patterns."repository and stars"]
operation = "query"
returns = ["Repo", "Star"]
by = ["owner", "name"]

[patterns."repository and pull requests"]
operation = "query"
returns = ["Repo", "PullRequest"]
by = ["owner", "name"]
order = "descending"
limit = 11

[patterns."issues"]
operation = "query"
returns = ["Issue"]
by = ["owner", "name"]

[patterns."issues and stars"]
operation = "query"
returns = ["Issue", "Star"]
by = ["owner", "name"]

[patterns."members"]
operation = "query"
returns = ["Membership"]
by = ["organization"]

[patterns."account and its repositories"]
operation = "query"
returns = ["User", "Repo"]
by = ["owner"]
order = "descending"

[patterns."issues from a number on"]
operation = "query"
returns = ["Issue"]
by = ["owner", "name"]
range = "number > :number"

[patterns."issue"]
operation = "get"
entity = "Issue"
by = ["owner", "name", "number"]

[patterns."repositories of a name"]
operation = "query"
returns = ["Repo"]
by = ["name"]
"##;

#[test]
fn the_smallest_range_covers_the_wanted_entities() {
    check(
        REPOSITORIES,
        &expect![[r#"
            repository and issues
                Query Main where PK = REPO#{owner}#{name} AND SK <= REPO#{owner}#{name}, descending
            repository and stars
                Query Main where PK = REPO#{owner}#{name} AND SK >= REPO#{owner}#{name}, ascending
            repository and pull requests
                Query GSI1 where GSI1PK = REPO#{owner}#{name}, descending, limit 11
            issues
                Query Main where PK = REPO#{owner}#{name} AND begins_with(SK, ISSUE#), ascending
            issues and stars
                Query Main where PK = REPO#{owner}#{name}, ascending, discarding Repo
            members
                Query Main where PK = ACCOUNT#{organization} AND begins_with(SK, MEMBERSHIP#), ascending
            account and its repositories
                Query GSI3 where GSI3PK = ACCOUNT#{owner}, descending
                BatchGetItem Main for username, city, owner, name, updated_at, for each row
            issues from a number on
                Query Main where PK = REPO#{owner}#{name} AND SK BETWEEN just after ISSUE#{number:07} AND ISSUE$, ascending
            issue
                GetItem Main where PK = REPO#{owner}#{name} AND SK = ISSUE#{number:07}
            repositories of a name
                not Main: the partition key of Repo needs owner
                not GSI1: the partition key of Repo needs owner
                not GSI3: the partition key of Repo needs owner
                Main would serve it if owner were known
        "#]],
    );
}

#[test]
fn a_sparse_index_that_settles_a_value_needs_no_filter_for_it() {
    let text = r##"
format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"
[tables.Shop.global_indexes.Open]
partition_key = "OpenPK"
sort_key = "OpenSK"

[entities.Order]
key = { partition = "ORDER#{id}", sort = "ORDER" }
indexes.Open = { partition = "OPEN#{placed:day}", sort = "{id}", when = "status IN ('PLACED', 'HELD')" }
[entities.Order.attributes]
id = "S"
placed = { type = "S", required = true, format = "rfc3339" }
status = { type = "S", required = true, enum = ["PLACED", "HELD", "SENT"] }

[entities.Task]
key = { partition = "TASK#{id}", sort = "TASK" }
indexes.Open = { partition = "DUE#{due:day}", sort = "{id}", when = "state <> 'DONE'" }
[entities.Task.attributes]
id = "S"
due = { type = "S", required = true, format = "rfc3339" }
state = { type = "S", required = true, enum = ["OPEN", "DONE"] }

[patterns."one of two states"]
operation = "query"
returns = ["Order"]
by = { placed = ":day", status = "PLACED" }
parameters = { day = "S" }

[patterns."the only state"]
operation = "query"
returns = ["Task"]
by = { due = ":day", state = "OPEN" }
parameters = { day = "S" }
"##;
    check(
        text,
        &expect![[r#"
            one of two states
                Query Open where OpenPK = OPEN#{day:day}, ascending, filter status = 'PLACED'
                ! status is not in the key of Order
            the only state
                Query Open where OpenPK = DUE#{day:day}, ascending
        "#]],
    );
}

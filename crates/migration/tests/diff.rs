//! What differs between two models, and what that needs.

use expect_test::{Expect, expect};
use monotable_migration::{Class, diff, render_text};
use monotable_model::document::{Format, Model, read};
use monotable_model_fixture::{example, examples};

const BASE: &str = r##"format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"
type_attribute = "Type"

[tables.Shop.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"

[entities.Post]
key = { partition = "POST#{post}", sort = "POST#{post}" }

[entities.Post.attributes]
post = "S"
title = "S"
status = { type = "S", enum = ["DRAFT", "LIVE"] }

[entities.Tag]
key = { partition = "TAG#{tag}", sort = "TAG#{tag}" }
indexes.GSI1 = { partition = "TAGS", sort = "{tag}" }

[entities.Tag.attributes]
tag = "S"

[patterns."a post"]
operation = "query"
returns = ["Post"]
by = ["post"]
"##;

fn model(text: &str) -> Model {
    let document = read(text, Format::Toml);
    document.unwrap_or_else(|problems| panic!("{problems:#?}\n{text}")).model
}

/// The base with pieces of its text replaced.
fn changed(replacements: &[(&str, &str)]) -> Model {
    let mut text = BASE.to_owned();
    for (from, to) in replacements {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    model(&text)
}

/// The base with lines added at its end.
fn with(lines: &str) -> Model {
    model(&format!("{BASE}\n{lines}"))
}

#[track_caller]
fn check(new: &Model, expect: &Expect) {
    expect.assert_eq(&render_text(&diff(&model(BASE), new)));
}

#[test]
fn a_model_does_not_differ_from_itself() {
    for example in examples() {
        let model = model(&example.text);
        let diff = diff(&model, &model);
        assert!(diff.is_empty() && diff.steps.is_empty(), "{}: {diff:#?}", example.name);
        assert_eq!(diff.migrations, []);
    }
}

#[test]
fn words_for_people_are_no_change() {
    let new = changed(&[("name = \"shop\"", "name = \"shop\"\ntitle = \"A shop\"")]);
    check(
        &new,
        &expect![[r#"
        no change of tables, entities or access patterns
    "#]],
    );
}

#[test]
fn a_new_attribute_is_additive_with_and_without_a_default() {
    let new = changed(&[(
        "title = \"S\"",
        "title = \"S\"\nlikes = { type = \"N\", default = 0 }\nbody = { type = \"S\", required = \
         true }",
    )]);
    check(
        &new,
        &expect![[r#"
        + attribute  entities.Post.attributes.likes  additive
              N
              readers take the default where an item lacks it
        + attribute  entities.Post.attributes.body   additive
              S
              items that are there lack it: give it a default, or let readers expect that

        2 additive: nothing is to be done about stored items
    "#]],
    );
}

#[test]
fn a_new_entity_in_a_collection_of_its_own_is_additive() {
    let new = with(
        "[entities.Author]\nkey = { partition = \"AUTHOR#{author}\", sort = \"PROFILE\" }\n\
         attributes.author = \"S\"\n",
    );
    check(
        &new,
        &expect![[r#"
        + entity  entities.Author  additive
              { "partition": "AUTHOR#{author}", "sort": "PROFILE" }
              a collection of its own: no item that is there lies in it

        1 additive: nothing is to be done about stored items
    "#]],
    );
}

#[test]
fn a_new_entity_in_an_existing_collection_may_be_returned_by_patterns_that_are_there() {
    let notes = "[entities.Note]\nkey = { partition = \"POST#{post}\", sort = \"NOTE#{note}\" \
                 }\nattributes.post = \"S\"\nattributes.note = \"S\"\n[patterns.\"a post and its \
                 notes\"]\noperation = \"query\"\nreturns = [\"Post\", \"Note\"]\nby = \
                 [\"post\"]\n";
    let likes = "[entities.Like]\nkey = { partition = \"POST#{post}\", sort = \"LIKE#{user}\" }\n\
         attributes.post = \"S\"\nattributes.user = \"S\"\n\
         [entities.Photo]\nkey = { partition = \"POST#{post}\", sort = \"PHOTO#{photo}\" }\n\
         attributes.post = \"S\"\nattributes.photo = \"S\"\n";
    let (old, new) = (with(notes), with(&format!("{notes}{likes}")));
    expect![[r#"
        + entity   entities.Like                    additive
              { "partition": "POST#{post}", "sort": "LIKE#{user}" }
              joins the collection of Post in the table
              joins the collection of Note in the table
        + entity   entities.Photo                   additive  old readers break
              { "partition": "POST#{post}", "sort": "PHOTO#{photo}" }
              joins the collection of Post in the table
              joins the collection of Note in the table
              “a post and its notes” returns it as well, and must skip it
        ~ pattern  patterns."a post and its notes"  additive  old readers break
              Query Shop where PK = POST#{post}, ascending
              → Query Shop where PK = POST#{post} AND SK >= NOTE#, ascending, discarding Photo
              the same question is another request from now on

        3 additive: nothing is to be done about stored items

        Plan:
          1. deploy readers that understand both models
          2. deploy readers that know the new model alone
    "#]]
    .assert_eq(&render_text(&diff(&old, &new)));
}

#[test]
fn a_new_collection_decorates_the_parents() {
    let new = model(&format!(
        "{}\n[entities.Comment]\nkey = {{ partition = \"COMMENT#{{id}}\", sort = \
         \"COMMENT#{{id}}\" }}\nindexes.GSI1 = {{ partition = \"POST#{{post}}\", sort = \
         \"COMMENT#{{at}}\" }}\n[entities.Comment.attributes]\nid = \"S\"\npost = \"S\"\nat = \
         \"S\"\n",
        BASE.replacen(
            "[entities.Post.attributes]",
            "indexes.GSI1 = { partition = \"POST#{post}\", sort = \"POST#{post}\" \
             }\n[entities.Post.attributes]",
            1
        )
    ));
    check(
        &new,
        &expect![[r#"
        + index key  entities.Post.indexes.GSI1  decorate
              { "partition": "POST#{post}", "sort": "POST#{post}" }
        + entity     entities.Comment            additive
              { "partition": "COMMENT#{id}", "sort": "COMMENT#{id}" }
              shares a new collection in GSI1 with Post, whose items need its keys first

        1 additive, 1 decorate: stored items get or lose attributes, in place

        Plan:
          1. deploy writers that write Post in the new form
          2. backfill Post: set GSI1PK, GSI1SK
          3. build every key again and compare: backfill --verify-only
    "#]],
    );
}

#[test]
fn items_that_are_sorted_otherwise_are_decorated() {
    let new = changed(&[("sort = \"{tag}\"", "sort = \"{tag:slug}\"")]);
    check(
        &new,
        &expect![[r#"
        ~ index key  entities.Tag.indexes.GSI1  decorate  old readers break
              { "partition": "TAGS", "sort": "{tag}" }
              → { "partition": "TAGS", "sort": "{tag:slug}" }
              old readers of the index miss items from the first update on; another index beside it spares them

        1 decorate: stored items get or lose attributes, in place

        Plan:
          1. deploy readers that understand both models
          2. deploy writers that write Tag in the new form
          3. backfill Tag: set GSI1PK, GSI1SK
          4. build every key again and compare: backfill --verify-only
          5. deploy readers that know the new model alone
    "#]],
    );
}

#[test]
fn another_primary_key_rewrites_items_and_wants_a_version() {
    let moved = (
        "partition = \"POST#{post}\", sort = \"POST#{post}\"",
        "partition = \"P#{post}\", sort = \"A\"",
    );
    check(
        &changed(&[moved]),
        &expect![[r#"
        ~ key      entities.Post.key  rewrite  old readers break
              { "partition": "POST#{post}", "sort": "POST#{post}" }
              → { "partition": "P#{post}", "sort": "A" }
              say so with version = 2, so that readers can tell the forms
        ~ pattern  patterns."a post"  additive  old readers break
              Query Shop where PK = POST#{post} AND SK = POST#{post}, ascending
              → Query Shop where PK = P#{post} AND SK = A, ascending
              the same question is another request from now on

        1 additive, 1 rewrite: stored items get another primary key

        Plan:
          1. deploy readers that understand both models
          2. deploy writers that write Post in the new form
          3. backfill Post: put each under its new key and delete the old one in a transaction: set PK, SK
          4. build every key again and compare: backfill --verify-only
          5. deploy readers that know the new model alone
    "#]],
    );
    let announced = changed(&[
        moved,
        ("[entities.Post.attributes]", "version = 2\n[entities.Post.attributes]"),
    ]);
    check(
        &announced,
        &expect![[r#"
        ~ key      entities.Post.key      rewrite  old readers break
              { "partition": "POST#{post}", "sort": "POST#{post}" }
              → { "partition": "P#{post}", "sort": "A" }
        + entity   entities.Post.version  additive
              2
              readers must know both versions until every item is of the new one
        ~ pattern  patterns."a post"      additive  old readers break
              Query Shop where PK = POST#{post} AND SK = POST#{post}, ascending
              → Query Shop where PK = P#{post} AND SK = A, ascending
              the same question is another request from now on

        2 additive, 1 rewrite: stored items get another primary key

        Plan:
          1. deploy readers that understand both models
          2. deploy writers that write Post in the new form
          3. backfill Post: put each under its new key and delete the old one in a transaction: set PK, SK
          4. build every key again and compare: backfill --verify-only
          5. deploy readers that know the new model alone
    "#]],
    );
}

#[test]
fn a_new_index_is_a_change_of_the_table_and_of_the_items_in_it() {
    let new = changed(&[
        (
            "[entities.Post]",
            "[tables.Shop.global_indexes.GSI2]\npartition_key = \"GSI2PK\"\n\n[entities.Post]",
        ),
        (
            "[entities.Post.attributes]",
            "indexes.GSI2 = { partition = \"STATUS#{status}\", when = \"status = 'LIVE'\" \
             }\n[entities.Post.attributes]",
        ),
    ]);
    check(
        &new,
        &expect![[r#"
        + index      tables.Shop.global_indexes.GSI2  table change
              UpdateTable; the table puts the items into it that have its key attributes
        + index key  entities.Post.indexes.GSI2       decorate
              { "partition": "STATUS#{status}", "when": "status = 'LIVE'" }

        1 table change, 1 decorate: stored items get or lose attributes, in place

        Plan:
          1. add index GSI2 to Shop with UpdateTable, and wait until it is active
          2. deploy writers that write Post in the new form
          3. backfill Post: set GSI2PK
          4. build every key again and compare: backfill --verify-only
    "#]],
    );
}

#[test]
fn an_index_on_attributes_of_the_application_needs_no_backfill() {
    let new = changed(&[
        (
            "[entities.Post]",
            "[tables.Shop.global_indexes.ByStatus]\npartition_key = \"status\"\n\n[entities.Post]",
        ),
        (
            "[entities.Post.attributes]",
            "indexes.ByStatus = { partition = \"{status}\" }\n[entities.Post.attributes]",
        ),
    ]);
    let diff = diff(&model(BASE), &new);
    assert_eq!((diff.class(), diff.migrations.len()), (Class::TableChange, 0));
}

#[test]
fn settings_of_a_table_are_changed_in_place_or_never() {
    let new = changed(&[
        (
            "type_attribute = \"Type\"",
            "type_attribute = \"Type\"\nttl = \"until\"\nstream = \"new-image\"",
        ),
        ("sort_key = \"GSI1SK\"", "sort_key = \"GSI1SK\"\nprojection = \"keys-only\""),
    ]);
    check(
        &new,
        &expect![[r#"
            + table  tables.Shop.ttl                             table change
                  until
                  UpdateTimeToLive; another attribute can be named an hour after the first was disabled
            + table  tables.Shop.stream                          table change
                  new-image
                  UpdateTable; another view is another stream, which consumers must begin to follow
            + index  tables.Shop.global_indexes.GSI1.projection  table change  old readers break
                  keys-only
                  an index keeps its keys and its projection: create one of another name, and delete this one when nobody reads it any more

            3 table change: the table changes, and stored items stay as they are

            Plan:
              1. deploy readers that understand both models
              2. change tables.Shop.ttl: UpdateTimeToLive; another attribute can be named an hour after the first was disabled
              3. change tables.Shop.stream: UpdateTable; another view is another stream, which consumers must begin to follow
              4. change tables.Shop.global_indexes.GSI1.projection: an index keeps its keys and its projection: create one of another name, and delete this one when nobody reads it any more
              5. deploy readers that know the new model alone
        "#]],
    );
    let new = changed(&[("partition_key = \"PK\"", "partition_key = \"Id\"")]);
    check(
        &new,
        &expect![[r#"
        ~ table    tables.Shop.partition_key  new table  old readers break
              PK
              → Id
              the key of a table never changes: create another table and copy the items
        ~ pattern  patterns."a post"          additive  old readers break
              Query Shop where PK = POST#{post} AND SK = POST#{post}, ascending
              → Query Shop where Id = POST#{post} AND SK = POST#{post}, ascending
              the same question is another request from now on

        1 additive, 1 new table: it cannot be done in place: items must be copied to a new table

        Plan:
          1. deploy readers that understand both models
          2. create a table for tables.Shop.partition_key and copy the items to it
          3. deploy readers that know the new model alone
    "#]],
    );
}

#[test]
fn a_local_index_needs_a_new_table() {
    let new = changed(&[(
        "[entities.Post]",
        "[tables.Shop.local_indexes.LSI1]\nsort_key = \"LSI1SK\"\n\n[entities.Post]",
    )]);
    check(
        &new,
        &expect![[r#"
        + index  tables.Shop.local_indexes.LSI1  new table
              a local index comes and goes with its table only; a global one would do

        1 new table: it cannot be done in place: items must be copied to a new table

        Plan:
          1. create a table for tables.Shop.local_indexes.LSI1 and copy the items to it
    "#]],
    );
}

#[test]
fn another_stored_name_is_written_and_another_type_is_converted() {
    let new = changed(&[
        ("title = \"S\"", "title = { type = \"S\", name = \"t\" }"),
        ("status = { type = \"S\", enum = [\"DRAFT\", \"LIVE\"] }", "status = \"N\""),
    ]);
    check(
        &new,
        &expect![[r#"
        + attribute  entities.Post.attributes.title.name   decorate  old readers break
              t
              title becomes t
        ~ attribute  entities.Post.attributes.status.type  convert  old readers break
              S
              → N
              a new attribute beside the old one lets readers cope with both
        - attribute  entities.Post.attributes.status.enum  additive  old readers break
              was ["DRAFT", "LIVE"]
              old readers do not know every value

        1 additive, 1 decorate, 1 convert: stored values must be converted by a program that knows how

        Plan:
          1. deploy readers that understand both models
          2. deploy writers that write Post in the new form
          3. convert stored values for entities.Post.attributes.status.type
          4. backfill Post: set t; remove title
          5. build every key again and compare: backfill --verify-only
          6. deploy readers that know the new model alone
    "#]],
    );
}

#[test]
fn what_goes_stays_in_the_table_until_somebody_deletes_it() {
    let text = BASE.split("[entities.Tag]").next().unwrap().replace(
        "[tables.Shop.global_indexes.GSI1]\npartition_key = \"GSI1PK\"\nsort_key = \"GSI1SK\"\n",
        "",
    );
    check(
        &model(&text),
        &expect![[r#"
        - index    tables.Shop.global_indexes.GSI1  table change  old readers break
              UpdateTable, when nobody reads it any more
        - entity   entities.Tag                     additive  old readers break
              was { "partition": "TAG#{tag}", "sort": "TAG#{tag}" }
              its items stay in the table; delete them when nobody reads them any more
        - pattern  patterns."a post"                additive

        2 additive, 1 table change: the table changes, and stored items stay as they are

        Plan:
          1. deploy readers that understand both models
          2. deploy readers that know the new model alone
          3. delete index GSI1 of Shop
          4. delete the items of Tag
    "#]],
    );
}

#[test]
fn the_migrations_of_the_source_come_out_of_its_models() {
    let read = |name: &str| model(&example(name).text);
    let mut diff = diff(&read("github-backend"), &read("github-migrations"));
    diff.changes.retain(|change| change.class != Class::Additive);
    expect![[r##"
        + index      tables.GitHubTable.global_indexes.GSI4  table change
              UpdateTable; the table puts the items into it that have its key attributes
        + index      tables.GitHubTable.global_indexes.GSI5  table change
              UpdateTable; the table puts the items into it that have its key attributes
        + index key  entities.Repo.indexes.GSI4              decorate
              { "partition": "REPO#{RepoOwner}#{RepoName}", "sort": "#REPO#{RepoOwner}#{RepoName}" }
        + index key  entities.Repo.indexes.GSI5              decorate
              { "partition": "REPO#{RepoOwner}#{RepoName}", "sort": "#REPO#{RepoOwner}#{RepoName}" }
        + index key  entities.Fork.indexes.GSI4              decorate
              { "partition": "REPO#{RepoOwner}#{RepoName}", "sort": "#REPO#{RepoOwner}#{RepoName}" }
        + index key  entities.Fork.indexes.GSI5              decorate
              { "partition": "REPO#{RepoOwner}#{RepoName}", "sort": "#REPO#{RepoOwner}#{RepoName}" }
        + index key  entities.Issue.indexes.GSI4             decorate
              { "partition": "REPO#{RepoOwner}#{RepoName}", "sort": "ISSUE#{Status:enum(Open=OPEN)}#{IssueNumber:08:desc}" }
        + index key  entities.PullRequest.indexes.GSI5       decorate
              { "partition": "REPO#{RepoOwner}#{RepoName}", "sort": "PR#{Status:enum(Open=OPEN)}#{PullRequestNumber:08:desc}" }
        + index key  entities.User.indexes.GSI1              decorate
              { "partition": "ACCOUNT#{AccountName}", "sort": "ACCOUNT#{AccountName}" }
        + index key  entities.Organization.indexes.GSI1      decorate
              { "partition": "ACCOUNT#{AccountName}", "sort": "ACCOUNT#{AccountName}" }

        2 table change, 8 decorate: stored items get or lose attributes, in place

        Plan:
          1. add index GSI4 to GitHubTable with UpdateTable, and wait until it is active
          2. add index GSI5 to GitHubTable with UpdateTable, and wait until it is active
          3. deploy writers that write Repo, Fork, Issue, ClosedIssue, PullRequest, ClosedPullRequest, User, Organization in the new form
          4. backfill Repo: set GSI4PK, GSI4SK, GSI5PK, GSI5SK
          5. backfill Fork: set GSI4PK, GSI4SK, GSI5PK, GSI5SK
          6. backfill Issue: set GSI4PK, GSI4SK
          7. backfill Issue that is ClosedIssue: set GSI4PK, GSI4SK
          8. backfill PullRequest: set GSI5PK, GSI5SK
          9. backfill PullRequest that is ClosedPullRequest: set GSI5PK, GSI5SK
         10. backfill User: set GSI1PK, GSI1SK
         11. backfill Organization: set GSI1PK, GSI1SK
         12. build every key again and compare: backfill --verify-only
    "##]].assert_eq(&render_text(&diff));
}

#[test]
fn a_write_that_becomes_another_request_breaks_writers_and_no_readers() {
    let put = "[patterns.\"write a post\"]\noperation = \"put\"\nentity = \"Post\"\n";
    let key = "partition = \"POST#{post}\", sort = \"POST#{post}\"";
    let moved = BASE.replace(key, "partition = \"P#{post}\", sort = \"A\"");
    let text = render_text(&diff(&with(put), &model(&format!("{moved}\n{put}"))));
    let line = text.lines().find(|line| line.contains("write a post")).unwrap();
    assert!(line.ends_with("old writers break"), "{text}");
}

//! The code of `docs/guide/client.md`.

use monotable::prelude::*;
use monotable_embedded::Embedded;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Author, Post))]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
pub struct Blog;

#[derive(KeyPart, Debug, Clone, PartialEq)]
pub struct AuthorId(pub String);

#[derive(KeyPart, Debug, Clone, Copy, PartialEq)]
pub enum State {
    Draft,
    Published,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Blog)]
#[key(by_id: pk = "AUTHOR#{id}", sk = "AUTHOR")]
#[unique(email)]
pub struct Author {
    pub id: AuthorId,
    pub email: String,
    pub name: String,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Blog)]
#[key(by_author: pk = "AUTHOR#{author}", sk = "POST#{written}#{slug}")]
#[index(Gsi1 newest: pk = "PUBLISHED", sk = "{written}#{slug}", when = "state = 'Published'")]
pub struct Post {
    pub author: AuthorId,
    pub slug: String,
    #[attr(create_only)]
    pub written: Timestamp,
    pub state: State,
    pub title: String,
    pub likes: u32,
    #[attr(lock)]
    pub rev: u64,
    #[attr(touched)]
    pub changed: Timestamp,
}

#[derive(Collection, Debug, PartialEq)]
#[collection(Blog, pk = "AUTHOR#{author}")]
pub enum AuthorRow {
    Author(Author),
    Post(Post),
}

fn post(author: &AuthorId, slug: &str) -> Post {
    let written: Timestamp = "2026-01-03T12:00:00Z".parse().expect("a time");
    Post {
        author: author.clone(),
        slug: slug.to_owned(),
        written,
        state: State::Draft,
        title: "On keys".to_owned(),
        likes: 0,
        rev: 1,
        changed: written,
    }
}

#[tokio::test]
async fn the_ten_minute_start_works() -> Result<(), Box<dyn std::error::Error>> {
    let db = Blog::open("blog", Embedded::in_memory());
    db.create_table().await?;

    let ada = Author {
        id: AuthorId("ada".to_owned()),
        email: "ada@example.org".to_owned(),
        name: "Ada".to_owned(),
    };
    db.create(&ada).await?;
    let post = db.create(&post(&ada.id, "on-keys")).await?;

    let key = Post::by_author(&ada.id).at(post.written, "on-keys");
    let read = db.get(key.clone()).consistent().await?;
    assert_eq!(read, Some(post));

    let liked = db.patch(key.clone()).likes(add(1_u32)).await?;
    assert_eq!((liked.likes, liked.rev), (1, 2));
    let published = db
        .patch(key.clone())
        .state(State::Published)
        .when(Post::LIKES.gt(0_u32))
        .if_rev(liked.rev)
        .await?;
    assert_eq!(published.state, State::Published);

    let newest = db.query(Post::newest()).desc().exactly(20).await?;
    assert_eq!(newest.rows(), [published]);
    let january = Post::by_author(&ada.id).written_begins("2026-01");
    assert_eq!(db.query(january).count().await?, 1);

    let rows = db.query(AuthorRow::of(&ada.id)).all().await?;
    let posts = rows.iter().filter(|row| matches!(row, AuthorRow::Post(_))).count();
    assert_eq!((rows.len(), posts), (2, 1));

    let twin = Author { id: AuthorId("eve".to_owned()), ..ada.clone() };
    match db.create(&twin).await {
        Err(WriteError::Taken { attribute, .. }) => assert_eq!(attribute, "email"),
        other => panic!("{other:?}"),
    }
    db.delete(key).await?;
    Ok(())
}

#[derive(Debug)]
enum PublishError {
    NoAuthor,
    NotADraft,
}

#[tokio::test]
async fn a_transaction_has_typed_refusals() -> Result<(), Box<dyn std::error::Error>> {
    let db = Blog::open("blog", Embedded::in_memory());
    db.create_table().await?;
    let author = AuthorId("ada".to_owned());
    let post = db.create(&post(&author, "on-keys")).await?;

    let outcome = db
        .transaction::<PublishError>()
        .check(&Author::by_id(&author), Author::NAME.is_not(""))
        .or(PublishError::NoAuthor)
        .patch(
            patch(Post::by_author(&author).at(post.written, &post.slug))
                .state(State::Published)
                .when(Post::STATE.is(State::Draft)),
        )
        .or(PublishError::NotADraft)
        .await;
    match outcome {
        Err(monotable::db::TransactError::Refused(refusal)) => {
            assert!(matches!(refusal.error, Some(PublishError::NoAuthor)));
        }
        other => panic!("{other:?}"),
    }
    Ok(())
}

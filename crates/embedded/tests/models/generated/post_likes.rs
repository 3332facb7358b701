//! Posts with counted likes
//!
//! Tables, entities and access patterns of the model `post-likes`, written by `monotable model
//! export --to rust`.

use monotable::db::{Query, Transaction};
use monotable::prelude::*;
use monotable::{Number, decrease, increase};

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", entities(Post, Like,))]
pub struct Data;

/// The entity `Post`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_post_id: pk = "POST#{post_id}", sk = "POST#{post_id}")]
pub struct Post {
    /// The attribute `PostId`.
    #[attr(name = "PostId", max_len = 30)]
    pub post_id: String,
    /// Begins at 0
    #[attr(name = "likeCount")]
    pub like_count: Number,
}

/// The entity `Like`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_post_id: pk = "POST#{post_id}", sk = "LIKE#{username}")]
pub struct Like {
    /// The attribute `PostId`.
    #[attr(name = "PostId", max_len = 30)]
    pub post_id: String,
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
}

/// What a partition holds together: Post, Like.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(Data, pk = "POST#{post_id}")]
pub enum PostOrLike {
    /// The entity [`Post`].
    Post(Post),
    /// The entity [`Like`].
    Like(Like),
}

/// Access pattern: like a post.
pub fn like_a_post(db: &Db<Data>, like: &Like, post_id: &str) -> Transaction<Data, ()> {
    db.transaction()
        .create(like)
        .patch(patch(Post::by_post_id(post_id)).like_count(increase(Number::from(1))))
}

/// Access pattern: take a like back.
pub fn take_a_like_back(db: &Db<Data>, post_id: &str, username: &str) -> Transaction<Data, ()> {
    db.transaction()
        .delete_existing(&Like::by_post_id(post_id).username(username))
        .patch(patch(Post::by_post_id(post_id)).like_count(decrease(Number::from(1))))
}

/// Access pattern: post with its likes.
///
/// Descending begins with the post
pub fn post_with_its_likes(db: &Db<Data>, post_id: &str) -> Query<PostOrLike> {
    db.query(PostOrLike::of(post_id).span()).desc()
}

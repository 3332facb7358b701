//! Articles split into summary and content
//!
//! Tables, entities and access patterns of the model `split-article`, written by `monotable model
//! export --to rust`.

use monotable::Number;
use monotable::db::{Get, Query};
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", entities(Summary, Content,))]
pub struct Data;

/// The entity `Summary`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_article_id: pk = "ARTICLE#{article_id}", sk = "SUMMARY")]
pub struct Summary {
    /// The attribute `ArticleId`.
    #[attr(name = "ArticleId", max_len = 20)]
    pub article_id: String,
    /// The attribute `Title`.
    #[attr(name = "Title", max_len = 200)]
    pub title: Option<String>,
    /// The attribute `Abstract`.
    #[attr(name = "Abstract", max_len = 2000)]
    pub abstract_: Option<String>,
}

/// The entity `Content`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_article_id: pk = "ARTICLE#{article_id}", sk = "CONTENT#{part:03}")]
pub struct Content {
    /// The attribute `ArticleId`.
    #[attr(name = "ArticleId", max_len = 20)]
    pub article_id: String,
    /// Padded in the key: part 10 comes after part 2
    #[attr(name = "Part")]
    pub part: Number,
    /// The attribute `Body`.
    #[attr(name = "Body", max_len = 380000)]
    pub body: Option<String>,
}

/// What a partition holds together: Content, Summary.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(Data, pk = "ARTICLE#{article_id}")]
pub enum ContentOrSummary {
    /// The entity [`Content`].
    Content(Content),
    /// The entity [`Summary`].
    Summary(Summary),
}

/// Access pattern: preview.
pub fn preview(db: &Db<Data>, article_id: &str) -> Get<Summary> {
    db.get(Summary::by_article_id(article_id))
}

/// Access pattern: whole article.
pub fn whole_article(db: &Db<Data>, article_id: &str) -> Query<ContentOrSummary> {
    db.query(ContentOrSummary::of(article_id).span())
}

/// Access pattern: content alone.
pub fn content_alone(db: &Db<Data>, article_id: &str) -> Query<content::ByArticleId> {
    db.query(Content::by_article_id(article_id))
}

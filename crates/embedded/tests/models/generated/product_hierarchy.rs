//! Products as items or as documents
//!
//! Tables, entities and access patterns of the model `product-hierarchy`, written by `monotable
//! model export --to rust`.

use monotable::db::{Get, Query};
use monotable::prelude::*;
use monotable::{Number, element};

/// A product and its parts as items
#[derive(Table)]
#[table(
    name = "Products",
    pk = "ProductID": number,
    sk = "type",
    entities(
        Book,
        Album,
        Track,
        Movie,
        Actor,
    ),
)]
pub struct Products;

/// The entity `Book`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Products)]
#[key(by_product_id: pk = "{product_id:number}", sk = "{book_id}")]
pub struct Book {
    /// The attribute `ProductID`.
    #[attr(name = "ProductID")]
    pub product_id: Number,
    /// The attribute `BookId`.
    #[attr(name = "BookId", max_len = 20)]
    pub book_id: String,
    /// The attribute `title`.
    #[attr(max_len = 200)]
    pub title: Option<String>,
    /// The attribute `author`.
    #[attr(max_len = 100)]
    pub author: Option<String>,
}

/// The entity `Album`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Products)]
#[key(by_product_id: pk = "{product_id:number}", sk = "{album_id}")]
pub struct Album {
    /// The attribute `ProductID`.
    #[attr(name = "ProductID")]
    pub product_id: Number,
    /// The attribute `AlbumId`.
    #[attr(name = "AlbumId", max_len = 20)]
    pub album_id: String,
    /// The attribute `title`.
    #[attr(max_len = 200)]
    pub title: Option<String>,
    /// The attribute `artist`.
    #[attr(max_len = 100)]
    pub artist: Option<String>,
}

/// The entity `Track`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Products)]
#[key(by_product_id: pk = "{product_id:number}", sk = "{!:}{album_id}:{track_id:02}")]
pub struct Track {
    /// The attribute `ProductID`.
    #[attr(name = "ProductID")]
    pub product_id: Number,
    /// The attribute `AlbumId`.
    #[attr(name = "AlbumId", max_len = 20)]
    pub album_id: String,
    /// The attribute `TrackId`.
    #[attr(name = "TrackId")]
    pub track_id: Number,
    /// The attribute `title`.
    #[attr(max_len = 200)]
    pub title: Option<String>,
    /// The attribute `length`.
    #[attr(max_len = 8)]
    pub length: Option<String>,
}

/// The entity `Movie`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Products)]
#[key(by_product_id: pk = "{product_id:number}", sk = "{movie_id}")]
pub struct Movie {
    /// The attribute `ProductID`.
    #[attr(name = "ProductID")]
    pub product_id: Number,
    /// The attribute `MovieId`.
    #[attr(name = "MovieId", max_len = 20)]
    pub movie_id: String,
    /// The attribute `title`.
    #[attr(max_len = 200)]
    pub title: Option<String>,
}

/// The entity `Actor`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Products)]
#[key(by_product_id: pk = "{product_id:number}", sk = "{!:}{movie_id}:{actor_id}")]
pub struct Actor {
    /// The attribute `ProductID`.
    #[attr(name = "ProductID")]
    pub product_id: Number,
    /// The attribute `MovieId`.
    #[attr(name = "MovieId", max_len = 20)]
    pub movie_id: String,
    /// The attribute `ActorId`.
    #[attr(name = "ActorId", max_len = 20)]
    pub actor_id: String,
    /// The attribute `name`.
    #[attr(max_len = 100)]
    pub name: Option<String>,
    /// The attribute `character`.
    #[attr(max_len = 100)]
    pub character: Option<String>,
}

/// A product with its parts in one item
#[derive(Table)]
#[table(
    name = "ProductDocuments",
    pk = "ProductID": number,
    entities(
        ProductDocument,
    ),
)]
pub struct ProductDocuments;

/// The entity `ProductDocument`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = ProductDocuments)]
#[key(by_product_id: pk = "{product_id:number}")]
pub struct ProductDocument {
    /// The attribute `ProductID`.
    #[attr(name = "ProductID")]
    pub product_id: Number,
    /// The attribute `id`.
    #[attr(max_len = 20)]
    pub id: Option<String>,
    /// The attribute `title`.
    #[attr(max_len = 200)]
    pub title: Option<String>,
    /// The attribute `tracks`.
    pub tracks: Option<Vec<ProductDocumentTracksElement>>,
}

/// The members of `tracksElement`.
#[derive(Attribute, Debug, Clone, PartialEq)]
pub struct ProductDocumentTracksElement {
    /// The member `title`.
    pub title: Option<String>,
    /// The member `length`.
    pub length: Option<String>,
}

/// What a partition holds together: Track, Actor, Book, Album, Movie.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(Products, pk = "{product_id:number}", mixed)]
pub enum BookOrAlbumOrTrackOrMovieOrActor {
    /// The entity [`Track`].
    Track(Track),
    /// The entity [`Actor`].
    Actor(Actor),
    /// The entity [`Book`].
    Book(Book),
    /// The entity [`Album`].
    Album(Album),
    /// The entity [`Movie`].
    Movie(Movie),
}

/// What a partition holds together: Track, Actor.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(Products, pk = "{product_id:number}", mixed)]
pub enum TrackOrActor {
    /// The entity [`Track`].
    Track(Track),
    /// The entity [`Actor`].
    Actor(Actor),
}

/// Access pattern: product with its parts.
///
/// Whatever kind it is
pub fn product_with_its_parts(
    db: &Db<Products>,
    product_id: Number,
) -> Query<BookOrAlbumOrTrackOrMovieOrActor> {
    db.query(BookOrAlbumOrTrackOrMovieOrActor::of(product_id).span())
}

/// Access pattern: tracks of an album.
///
/// The range of sort keys holds `Actor` as well.
pub fn tracks_of_an_album(
    db: &Db<Products>,
    product_id: Number,
    album_id: &str,
) -> Query<TrackOrActor> {
    db.query(TrackOrActor::of(product_id).with(Track::ALBUM_ID, album_id).span_of::<Track>())
}

/// Access pattern: get product document.
pub fn get_product_document(db: &Db<ProductDocuments>, product_id: Number) -> Get<ProductDocument> {
    db.get(ProductDocument::by_product_id(product_id))
}

/// Access pattern: change the length of a track in a document.
pub fn change_the_length_of_a_track_in_a_document(
    db: &Db<ProductDocuments>,
    product_id: Number,
    position: usize,
    length: &str,
) -> product_document::Patch<Db<ProductDocuments>> {
    db.patch(ProductDocument::by_product_id(product_id))
        .tracks(element(position).member("length").set(length.to_owned()))
        .or_create()
}

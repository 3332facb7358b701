//! Big Time Deals
//!
//! Tables, entities and access patterns of the model `big-time-deals`, written by `monotable model
//! export --to rust`.

use std::collections::BTreeSet;

use monotable::db::{Create, Entries, Get, Query, Scan, Transaction, Upsert};
use monotable::prelude::*;
use monotable::{Number, Value, increase, insert_all};

/// The table `BigTimeDeals`.
#[derive(Table)]
#[table(
    name = "BigTimeDeals",
    pk = "PK",
    sk = "SK",
    entities(
        Deal,
        Brand,
        Brands,
        BrandLike,
        BrandWatch,
        Category,
        CategoryLike,
        CategoryWatch,
        FrontPage,
        EditorsChoice,
        User,
        Message,
        DealsCache,
    )
)]
#[gsi(
    Gsi1,
    name = "GSI1",
    pk = "GSI1PK": string,
    sk = "GSI1SK": string,
)]
#[gsi(
    Gsi2,
    name = "GSI2",
    pk = "GSI2PK": string,
    sk = "GSI2SK": string,
)]
#[gsi(
    Gsi3,
    name = "GSI3",
    pk = "GSI3PK": string,
    sk = "GSI3SK": string,
)]
#[gsi(
    UserIndex,
    name = "UserIndex",
    pk = "UserIndex": string,
)]
pub struct BigTimeDeals;

/// The entity `Deal`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = BigTimeDeals)]
#[key(by_deal_id: pk = "DEAL#{deal_id:ksuid}", sk = "DEAL#{deal_id:ksuid}")]
#[index(Gsi1 by_created_at: pk = "DEALS#{created_at:day}T00:00:00", sk = "DEAL#{deal_id:ksuid}")]
#[index(Gsi2 by_brand_and_created_at:
    pk = "BRAND#{brand:upper}#{created_at:day}T00:00:00",
    sk = "DEAL#{deal_id:ksuid}",
)]
#[index(Gsi3 by_category_and_created_at:
    pk = "CATEGORY#{category:upper}#{created_at:day}T00:00:00",
    sk = "DEAL#{deal_id:ksuid}",
)]
pub struct Deal {
    /// The attribute `DealId`.
    #[attr(name = "DealId")]
    pub deal_id: String,
    /// The attribute `Title`.
    #[attr(name = "Title", max_len = 200)]
    pub title: Option<String>,
    /// The attribute `Link`.
    #[attr(name = "Link", max_len = 500)]
    pub link: Option<String>,
    /// The attribute `Price`.
    #[attr(name = "Price")]
    pub price: Option<Number>,
    /// The attribute `Brand`.
    #[attr(name = "Brand", create_only, max_len = 50)]
    pub brand: String,
    /// The attribute `Category`.
    #[attr(name = "Category", create_only, max_len = 30)]
    pub category: String,
    /// The attribute `CreatedAt`.
    #[attr(name = "CreatedAt", create_only)]
    pub created_at: String,
}

/// The entity `Brand`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = BigTimeDeals)]
#[key(by_brand: pk = "BRAND#{brand:upper}", sk = "BRAND#{brand:upper}")]
pub struct Brand {
    /// The attribute `Brand`.
    #[attr(name = "Brand", max_len = 50)]
    pub brand: String,
    /// The attribute `BrandLogoUrl`.
    #[attr(name = "BrandLogoUrl", max_len = 200)]
    pub brand_logo_url: Option<String>,
    /// Begins at 0
    #[attr(name = "LikesCount")]
    pub likes_count: Option<Number>,
    /// Begins at 0
    #[attr(name = "WatchCount")]
    pub watch_count: Option<Number>,
}

/// All names of brands, about two hundred, in one item
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = BigTimeDeals)]
#[key(only: pk = "BRANDS", sk = "BRANDS")]
pub struct Brands {
    /// The attribute `Brands`.
    #[attr(name = "Brands")]
    pub brands: BTreeSet<String>,
}

/// The entity `BrandLike`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = BigTimeDeals)]
#[key(by_brand_and_username:
    pk = "BRANDLIKE#{brand:upper}#{username}",
    sk = "BRANDLIKE#{brand:upper}#{username}",
)]
pub struct BrandLike {
    /// The attribute `Brand`.
    #[attr(name = "Brand", max_len = 50)]
    pub brand: String,
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
}

/// In one partition by brand, so that those who watch it can be listed
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = BigTimeDeals)]
#[key(by_brand: pk = "BRANDWATCH#{brand:upper}", sk = "USER#{username}")]
pub struct BrandWatch {
    /// The attribute `Brand`.
    #[attr(name = "Brand", max_len = 50)]
    pub brand: String,
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
}

/// The entity `Category`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = BigTimeDeals)]
#[key(by_category: pk = "CATEGORY#{category:upper}", sk = "CATEGORY#{category:upper}")]
pub struct Category {
    /// The attribute `Category`.
    #[attr(name = "Category", max_len = 30)]
    pub category: String,
    /// Short forms of five to ten deals
    #[attr(name = "FeaturedDeals")]
    pub featured_deals: Option<Vec<Value>>,
    /// The attribute `LikesCount`.
    #[attr(name = "LikesCount")]
    pub likes_count: Option<Number>,
    /// The attribute `WatchCount`.
    #[attr(name = "WatchCount")]
    pub watch_count: Option<Number>,
}

/// The entity `CategoryLike`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = BigTimeDeals)]
#[key(by_category_and_username:
    pk = "CATEGORYLIKE#{category:upper}#{username}",
    sk = "CATEGORYLIKE#{category:upper}#{username}",
)]
pub struct CategoryLike {
    /// The attribute `Category`.
    #[attr(name = "Category", max_len = 30)]
    pub category: String,
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
}

/// The entity `CategoryWatch`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = BigTimeDeals)]
#[key(by_category: pk = "CATEGORYWATCH#{category:upper}", sk = "USER#{username}")]
pub struct CategoryWatch {
    /// The attribute `Category`.
    #[attr(name = "Category", max_len = 30)]
    pub category: String,
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
}

/// The entity `FrontPage`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = BigTimeDeals)]
#[key(only: pk = "FRONTPAGE", sk = "FRONTPAGE")]
pub struct FrontPage {
    /// The attribute `FeaturedDeals`.
    #[attr(name = "FeaturedDeals")]
    pub featured_deals: Option<Vec<FrontPageFeaturedDealsElement>>,
}

/// The members of `FeaturedDealsElement`.
#[derive(Attribute, Debug, Clone, PartialEq)]
pub struct FrontPageFeaturedDealsElement {
    /// The member `id`.
    pub id: Option<String>,
    /// The member `name`.
    pub name: Option<String>,
    /// The member `image`.
    pub image: Option<String>,
}

/// The entity `EditorsChoice`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = BigTimeDeals)]
#[key(only: pk = "EDITORSCHOICE", sk = "EDITORSCHOICE")]
pub struct EditorsChoice {
    /// The attribute `FeaturedDeals`.
    #[attr(name = "FeaturedDeals")]
    pub featured_deals: Option<Vec<EditorsChoiceFeaturedDealsElement>>,
}

/// The members of `FeaturedDealsElement`.
#[derive(Attribute, Debug, Clone, PartialEq)]
pub struct EditorsChoiceFeaturedDealsElement {
    /// The member `id`.
    pub id: Option<String>,
    /// The member `name`.
    pub name: Option<String>,
    /// The member `image`.
    pub image: Option<String>,
}

/// The entity `User`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = BigTimeDeals)]
#[key(by_username: pk = "USER#{username}", sk = "USER#{username}")]
#[index(UserIndex by_username_in_user_index: pk = "USER#{username}")]
pub struct User {
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
    /// The attribute `CreatedAt`.
    #[attr(name = "CreatedAt")]
    pub created_at: String,
}

/// The entity `Message`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = BigTimeDeals)]
#[key(by_username: pk = "MESSAGES#{username}", sk = "MESSAGE#{message_id:ksuid}")]
#[index(Gsi1 by_username_in_gsi1:
    pk = "MESSAGES#{username}",
    sk = "MESSAGE#{message_id:ksuid}",
    when = "unread = 'True'",
)]
pub struct Message {
    /// The attribute `MessageId`.
    #[attr(name = "MessageId")]
    pub message_id: String,
    /// Who receives it
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
    /// The attribute `Subject`.
    #[attr(name = "Subject", max_len = 100)]
    pub subject: Option<String>,
    /// The attribute `Body`.
    #[attr(name = "Body", max_len = 2000)]
    pub body: Option<String>,
    /// The attribute `Unread`.
    #[attr(name = "Unread")]
    pub unread: MessageUnread,
}

/// The values of `Unread`.
#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageUnread {
    /// `True`
    True,
    /// `False`
    False,
}

/// The deals of the last two days, several times over to spread the reads
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = BigTimeDeals)]
#[key(by_cache_number:
    pk = "DEALSCACHE#{cache_number:plain}",
    sk = "DEALSCACHE#{cache_number:plain}",
)]
pub struct DealsCache {
    /// The attribute `CacheNumber`.
    #[attr(name = "CacheNumber")]
    pub cache_number: Number,
    /// The attribute `Deals`.
    #[attr(name = "Deals")]
    pub deals: Option<Vec<Value>>,
}

/// Access pattern: create deal.
pub fn create_deal(db: &Db<BigTimeDeals>, deal: &Deal) -> Create<Deal> {
    db.create(deal)
}

/// Access pattern: create brand.
///
/// The brand, and its name among all names
pub fn create_brand(
    db: &Db<BigTimeDeals>,
    brand: &Brand,
    name: &BTreeSet<String>,
) -> Transaction<BigTimeDeals, ()> {
    let brand = Brand {
        likes_count: Some(Number::from(0)),
        watch_count: Some(Number::from(0)),
        ..brand.clone()
    };
    db.transaction()
        .create(&brand)
        .patch(patch(Brands::only()).brands(insert_all(name.clone())).or_create())
}

/// Access pattern: create category.
pub fn create_category(db: &Db<BigTimeDeals>, category: &Category) -> Create<Category> {
    let category = Category {
        likes_count: Some(Number::from(0)),
        watch_count: Some(Number::from(0)),
        ..category.clone()
    };
    db.create(&category)
}

/// Access pattern: set featured deals of the front page.
///
/// The editor sends the whole list
pub fn set_featured_deals_of_the_front_page(
    db: &Db<BigTimeDeals>,
    deals: &[FrontPageFeaturedDealsElement],
) -> front_page::Patch<Db<BigTimeDeals>> {
    db.patch(FrontPage::only()).featured_deals(deals.to_vec()).or_create()
}

/// Access pattern: set featured deals of a category.
pub fn set_featured_deals_of_a_category(
    db: &Db<BigTimeDeals>,
    category: &str,
    deals: &[Value],
) -> category::Patch<Db<BigTimeDeals>> {
    db.patch(Category::by_category(category).category(category)).featured_deals(deals.to_vec())
}

/// Access pattern: set featured deals of the editor's choice.
pub fn set_featured_deals_of_the_editor_s_choice(
    db: &Db<BigTimeDeals>,
    deals: &[EditorsChoiceFeaturedDealsElement],
) -> editors_choice::Patch<Db<BigTimeDeals>> {
    db.patch(EditorsChoice::only()).featured_deals(deals.to_vec()).or_create()
}

/// Access pattern: fetch front page.
pub fn fetch_front_page(db: &Db<BigTimeDeals>) -> Get<FrontPage> {
    db.get(FrontPage::only())
}

/// Access pattern: latest deals of a day.
pub fn latest_deals_of_a_day(
    db: &Db<BigTimeDeals>,
    day: &str,
    last: Option<&str>,
) -> Query<deal::ByCreatedAt> {
    let partition = Deal::by_created_at(day);
    let selection = match last {
        Some(last) => partition.deal_id_in(..last),
        None => partition.selection(),
    };
    db.query(selection).desc().limit(25)
}

/// Access pattern: fetch category.
pub fn fetch_category(db: &Db<BigTimeDeals>, category: &str) -> Get<Category> {
    db.get(Category::by_category(category).category(category))
}

/// Access pattern: latest deals of a category and day.
pub fn latest_deals_of_a_category_and_day(
    db: &Db<BigTimeDeals>,
    category: &str,
    day: &str,
    last: Option<&str>,
) -> Query<deal::ByCategoryAndCreatedAt> {
    let partition = Deal::by_category_and_created_at(category, day);
    let selection = match last {
        Some(last) => partition.deal_id_in(..last),
        None => partition.selection(),
    };
    db.query(selection).desc().limit(25)
}

/// Access pattern: fetch editor's choice.
pub fn fetch_editor_s_choice(db: &Db<BigTimeDeals>) -> Get<EditorsChoice> {
    db.get(EditorsChoice::only())
}

/// Access pattern: fetch brand.
pub fn fetch_brand(db: &Db<BigTimeDeals>, brand: &str) -> Get<Brand> {
    db.get(Brand::by_brand(brand).brand(brand))
}

/// Access pattern: latest deals of a brand and day.
pub fn latest_deals_of_a_brand_and_day(
    db: &Db<BigTimeDeals>,
    brand: &str,
    day: &str,
    last: Option<&str>,
) -> Query<deal::ByBrandAndCreatedAt> {
    let partition = Deal::by_brand_and_created_at(brand, day);
    let selection = match last {
        Some(last) => partition.deal_id_in(..last),
        None => partition.selection(),
    };
    db.query(selection).desc().limit(25)
}

/// Access pattern: fetch all brands.
pub fn fetch_all_brands(db: &Db<BigTimeDeals>) -> Get<Brands> {
    db.get(Brands::only())
}

/// Access pattern: fetch deal.
pub fn fetch_deal(db: &Db<BigTimeDeals>, deal_id: &str) -> Get<Deal> {
    db.get(Deal::by_deal_id(deal_id))
}

/// Access pattern: create user.
pub fn create_user(db: &Db<BigTimeDeals>, user: &User) -> Create<User> {
    db.create(user)
}

/// Access pattern: like brand.
///
/// A second like fails at the first action, an unknown brand at the second
pub fn like_brand(
    db: &Db<BigTimeDeals>,
    brand_like: &BrandLike,
    brand: &str,
) -> Transaction<BigTimeDeals, ()> {
    db.transaction()
        .create(brand_like)
        .patch(patch(Brand::by_brand(brand).brand(brand)).likes_count(increase(Number::from(1))))
}

/// Access pattern: watch brand.
pub fn watch_brand(
    db: &Db<BigTimeDeals>,
    brand_watch: &BrandWatch,
    brand: &str,
) -> Transaction<BigTimeDeals, ()> {
    db.transaction()
        .create(brand_watch)
        .patch(patch(Brand::by_brand(brand).brand(brand)).watch_count(increase(Number::from(1))))
}

/// Access pattern: like category.
pub fn like_category(
    db: &Db<BigTimeDeals>,
    category_like: &CategoryLike,
    category: &str,
) -> Transaction<BigTimeDeals, ()> {
    db.transaction().create(category_like).patch(
        patch(Category::by_category(category).category(category))
            .likes_count(increase(Number::from(1))),
    )
}

/// Access pattern: watch category.
pub fn watch_category(
    db: &Db<BigTimeDeals>,
    category_watch: &CategoryWatch,
    category: &str,
) -> Transaction<BigTimeDeals, ()> {
    db.transaction().create(category_watch).patch(
        patch(Category::by_category(category).category(category))
            .watch_count(increase(Number::from(1))),
    )
}

/// Access pattern: messages of a user.
pub fn messages_of_a_user(db: &Db<BigTimeDeals>, username: &str) -> Query<message::ByUsername> {
    db.query(Message::by_username(username)).desc()
}

/// Access pattern: unread messages of a user.
///
/// Read messages are not in the index
pub fn unread_messages_of_a_user(
    db: &Db<BigTimeDeals>,
    username: &str,
) -> Query<message::ByUsernameInGsi1> {
    db.query(Message::by_username_in_gsi1(username)).desc()
}

/// Access pattern: mark message as read.
pub fn mark_message_as_read(
    db: &Db<BigTimeDeals>,
    username: &str,
    message_id: &str,
) -> message::Patch<Db<BigTimeDeals>> {
    db.patch(Message::by_username(username).message_id(message_id)).unread(MessageUnread::False)
}

/// Access pattern: all users.
pub fn all_users(db: &Db<BigTimeDeals>) -> Scan<Entries<user::ByUsernameInUserIndex>> {
    db.scan_index::<user::ByUsernameInUserIndex>()
}

/// Access pattern: users who watch a brand.
pub fn users_who_watch_a_brand(db: &Db<BigTimeDeals>, brand: &str) -> Query<brand_watch::ByBrand> {
    db.query(BrandWatch::by_brand(brand))
}

/// Access pattern: users who watch a category.
pub fn users_who_watch_a_category(
    db: &Db<BigTimeDeals>,
    category: &str,
) -> Query<category_watch::ByCategory> {
    db.query(CategoryWatch::by_category(category))
}

/// Access pattern: send message.
pub fn send_message(db: &Db<BigTimeDeals>, message: &Message) -> Upsert<Message> {
    let message = Message { unread: MessageUnread::True, ..message.clone() };
    db.upsert(&message)
}

/// Access pattern: read latest deals from a copy.
///
/// The reader picks a number; all copies are written again when a deal is added
pub fn read_latest_deals_from_a_copy(
    db: &Db<BigTimeDeals>,
    cache_number: Number,
) -> Get<DealsCache> {
    db.get(DealsCache::by_cache_number(cache_number))
}

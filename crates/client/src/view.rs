//! Views: some of the fields of an entity.

use crate::entity::{Entity, Pattern, Row, WholePattern};
use crate::expression::Placeholders;

/// Some of the fields of an entity: `#[derive(View)]`.
///
/// A read of a view returns no more than its fields and the keys. That is less to send and to
/// decode, but costs the same: units depend on the size of the stored item, or of its entry in the
/// index.
///
/// ```
/// use monotable::prelude::*;
///
/// #[derive(Table)]
/// #[table(pk = "pk", sk = "sk", type_attr = "type", entities(Post))]
/// #[gsi(ByTopic, pk = "gsi1pk", sk = "gsi1sk", project(title))]
/// pub struct Blog;
///
/// #[derive(Entity, Debug)]
/// #[entity(table = Blog)]
/// #[key(by_author: pk = "AUTHOR#{author}", sk = "POST#{number:04}")]
/// #[index(ByTopic by_topic: pk = "TOPIC#{topic}", sk = "{author}#{number:04}", view(title))]
/// pub struct Post {
///     pub author: String,
///     pub number: u32,
///     pub topic: String,
///     pub title: String,
///     pub text: String,
/// }
///
/// /// A line of a table of contents. The index of topics holds it too.
/// #[derive(View, Debug, PartialEq)]
/// #[view(Post, post::ByTopic)]
/// pub struct Heading {
///     pub number: u32,
///     pub title: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let db = Blog::open("blog", monotable_embedded::Embedded::in_memory());
/// # db.create_table().await?;
/// # let text = "A long text.".to_owned();
/// # let (author, topic) = ("ada".to_owned(), "keys".to_owned());
/// # db.create(&Post { author, number: 1, topic, title: "On keys".to_owned(), text }).await?;
/// let contents = db.query(Post::by_author("ada")).view::<Heading>().all().await?;
/// assert_eq!(contents, [Heading { number: 1, title: "On keys".to_owned() }]);
/// assert_eq!(db.query(Post::by_topic("keys")).view::<Heading>().all().await?, contents);
/// let first = db.get(Post::by_author("ada").number(1_u32)).view::<Heading>().await?;
/// assert_eq!(first.as_ref(), contents.first());
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no view",
    note = "derive it: `#[derive(View)] #[view(Order)]` at a struct with some fields of `Order`"
)]
pub trait View: Row {
    /// The entity.
    type Entity: Entity;
}

/// A view that an access pattern can be read as: one of its entity, without fields that its index
/// lacks.
pub trait ViewOf<P: Pattern>: Row {}

impl<P: WholePattern, V: View<Entity = P::Entity>> ViewOf<P> for V {}

/// The projection for a row; nothing where the whole item is asked for. `keys` are the attributes
/// that say where the item lies, and `is_held` those that can be asked for besides.
pub(crate) fn projection_of<'a, R: Row>(
    keys: impl Iterator<Item = &'a str>,
    type_attribute: Option<&'a str>,
    is_held: impl Fn(&str) -> bool,
    placeholders: &mut Placeholders,
) -> Option<String> {
    if R::ATTRIBUTES.is_empty() {
        return None;
    }
    let others = type_attribute.into_iter().chain(R::ATTRIBUTES.iter().copied());
    let others = others.filter(|name| is_held(name));
    Some(placeholders.projection(keys.chain(others)))
}

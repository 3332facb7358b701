//! The functions of `product-hierarchy`, called with the arguments of a step.

use crate::call::*;
use crate::generated::product_hierarchy::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Products>(), monotable::model_of::<ProductDocuments>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "product with its parts" => {
            call.query(|| product_with_its_parts(&call.db(), call.argument::<Number>("ProductID")))
                .await
        }
        "tracks of an album" => {
            call.query(|| {
                tracks_of_an_album(
                    &call.db(),
                    call.argument::<Number>("ProductID"),
                    &call.argument::<String>("AlbumId"),
                )
            })
            .await
        }
        "get product document" => {
            call.send(get_product_document(&call.db(), call.argument::<Number>("ProductID"))).await
        }
        "change the length of a track in a document" => {
            call.send(change_the_length_of_a_track_in_a_document(
                &call.db(),
                call.argument::<Number>("ProductID"),
                call.place("position"),
                &call.argument::<String>("length"),
            ))
            .await
        }
        _ => return None,
    })
}

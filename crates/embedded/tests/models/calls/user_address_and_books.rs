//! The functions of `user-address-and-books`, called with the arguments of a step.

use crate::call::*;
use crate::generated::user_address_and_books::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "user with address" => {
            call.send(user_with_address(&call.db(), &call.argument::<String>("Email"))).await
        }
        "change a field of the address" => {
            call.send(change_a_field_of_the_address(
                &call.db(),
                &call.argument::<String>("Email"),
                &call.argument::<String>("field"),
                &call.argument::<String>("value"),
            ))
            .await
        }
        "book with author" => {
            call.send(book_with_author(&call.db(), &call.argument::<String>("Name"))).await
        }
        _ => return None,
    })
}

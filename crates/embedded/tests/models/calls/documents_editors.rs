//! The functions of `documents-editors`, called with the arguments of a step.

use crate::call::*;
use crate::generated::documents_editors::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "edit document with its own editors" => {
            call.send(edit_document_with_its_own_editors(
                &call.db(),
                &call.argument::<String>("DocumentId"),
                &call.argument::<String>("content"),
                &call.argument::<String>("user"),
            ))
            .await
        }
        "edit document with common editors" => {
            call.send(edit_document_with_common_editors(
                &call.db(),
                &call.argument::<String>("user"),
                &call.argument::<String>("DocumentId"),
                &call.argument::<String>("content"),
            ))
            .await
        }
        _ => return None,
    })
}

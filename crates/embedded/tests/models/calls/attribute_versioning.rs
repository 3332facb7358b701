//! The functions of `attribute-versioning`, called with the arguments of a step.

use crate::call::*;
use crate::generated::attribute_versioning::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "all parts and versions" => {
            call.query(|| {
                all_parts_and_versions(&call.db(), &call.argument::<String>("DocumentId"))
            })
            .await
        }
        "newest version of a part" => {
            call.query(|| {
                newest_version_of_a_part(
                    &call.db(),
                    &call.argument::<String>("DocumentId"),
                    call.argument::<PartPart>("Part"),
                )
            })
            .await
        }
        "add version of a part" => {
            call.send(add_version_of_a_part(&call.db(), &call.entity::<Part>())).await
        }
        _ => return None,
    })
}

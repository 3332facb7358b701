//! The functions of `split-article`, called with the arguments of a step.

use crate::call::*;
use crate::generated::split_article::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "preview" => call.send(preview(&call.db(), &call.argument::<String>("ArticleId"))).await,
        "whole article" => {
            call.query(|| whole_article(&call.db(), &call.argument::<String>("ArticleId"))).await
        }
        "content alone" => {
            call.query(|| content_alone(&call.db(), &call.argument::<String>("ArticleId"))).await
        }
        _ => return None,
    })
}

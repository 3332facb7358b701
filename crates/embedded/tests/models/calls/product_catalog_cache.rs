//! The functions of `product-catalog-cache`, called with the arguments of a step.

use crate::call::*;
use crate::generated::product_catalog_cache::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<ProductCatalog>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "get product" => call.send(get_product(&call.db(), &call.argument::<String>("Id"))).await,
        "change price" => {
            call.send(change_price(
                &call.db(),
                &call.argument::<String>("Id"),
                call.argument::<Number>("Price"),
            ))
            .await
        }
        _ => return None,
    })
}

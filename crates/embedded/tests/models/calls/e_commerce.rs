//! The functions of `e-commerce`, called with the arguments of a step.

use crate::call::*;
use crate::generated::e_commerce::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<EcommerceTable>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "create customer" => {
            call.send(create_customer(
                &call.db(),
                &call.entity::<Customer>(),
                &call.entity::<CustomerEmail>(),
            ))
            .await
        }
        "create or update address" => {
            call.send(create_or_update_address(
                &call.db(),
                &call.argument::<String>("Username"),
                &call.argument::<String>("AddressName"),
                &call.argument::<BTreeMap<String, Value>>("address"),
                call.argument::<Number>("max"),
            ))
            .await
        }
        "delete address" => {
            call.send(delete_address(
                &call.db(),
                &call.argument::<String>("Username"),
                &call.argument::<String>("AddressName"),
            ))
            .await
        }
        "customer and newest orders" => {
            call.query(|| {
                customer_and_newest_orders(&call.db(), &call.argument::<String>("Username"))
            })
            .await
        }
        "save order" => {
            call.send(save_order(
                &call.db(),
                &call.entity::<Order>(),
                &call.entities::<OrderItem>("items"),
            ))
            .await
        }
        "update order status" => {
            call.send(update_order_status(
                &call.db(),
                &call.argument::<String>("Username"),
                &call.argument::<String>("OrderId"),
                call.argument::<OrderStatus>("status"),
            ))
            .await
        }
        "order and its items" => {
            call.query(|| order_and_its_items(&call.db(), &call.argument::<String>("OrderId")))
                .await
        }
        _ => return None,
    })
}

//! The functions of `sparse-shipped-orders`, called with the arguments of a step.

use crate::call::*;
use crate::generated::sparse_shipped_orders::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "all shipped orders" => call.send(all_shipped_orders(&call.db())).await,
        "newest shipped orders of a customer" => {
            call.query(|| {
                newest_shipped_orders_of_a_customer(
                    &call.db(),
                    &call.argument::<String>("CustomerId"),
                )
            })
            .await
        }
        "orders of a customer shipped since" => {
            call.query(|| {
                orders_of_a_customer_shipped_since(
                    &call.db(),
                    &call.argument::<String>("CustomerId"),
                    &call.argument::<String>("since"),
                )
            })
            .await
        }
        "ship order" => {
            call.send(ship_order(
                &call.db(),
                call.argument::<Number>("OrderId"),
                &call.argument::<String>("SHIP_DATE"),
                &call.argument::<String>("CustomerId"),
            ))
            .await
        }
        _ => return None,
    })
}

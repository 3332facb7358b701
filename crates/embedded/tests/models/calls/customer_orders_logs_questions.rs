//! The functions of `customer-orders-logs-questions`, called with the arguments of a step.

use crate::call::*;
use crate::generated::customer_orders_logs_questions::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "get customer" => {
            call.send(get_customer(&call.db(), &call.argument::<String>("CustomerId"))).await
        }
        "customer and oldest orders" => {
            call.query(|| {
                customer_and_oldest_orders(&call.db(), &call.argument::<String>("CustomerId"))
            })
            .await
        }
        "orders of a customer" => {
            call.query(|| orders_of_a_customer(&call.db(), &call.argument::<String>("CustomerId")))
                .await
        }
        "get order" => {
            call.send(get_order(
                &call.db(),
                &call.argument::<String>("CustomerId"),
                call.argument::<Number>("OrderId"),
            ))
            .await
        }
        "order and its logs" => {
            call.query(|| {
                order_and_its_logs(
                    &call.db(),
                    &call.argument::<String>("CustomerId"),
                    call.argument::<Number>("OrderId"),
                )
            })
            .await
        }
        "customer and oldest questions" => {
            call.query(|| {
                customer_and_oldest_questions(&call.db(), &call.argument::<String>("CustomerId"))
            })
            .await
        }
        "newest questions of a customer" => {
            call.query(|| {
                newest_questions_of_a_customer(&call.db(), &call.argument::<String>("CustomerId"))
            })
            .await
        }
        "customer with orders and questions" => {
            call.query(|| {
                customer_with_orders_and_questions(
                    &call.db(),
                    &call.argument::<String>("CustomerId"),
                )
            })
            .await
        }
        _ => return None,
    })
}

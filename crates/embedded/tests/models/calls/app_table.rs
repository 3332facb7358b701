//! The functions of `app-table`, called with the arguments of a step.

use crate::call::*;
use crate::generated::app_table::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<MyApp>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "get profile" => {
            call.send(get_profile(&call.db(), &call.argument::<String>("userId"))).await
        }
        "profile by email" => {
            call.query(|| profile_by_email(&call.db(), &call.argument::<String>("email"))).await
        }
        "profile and newest orders" => {
            call.query(|| profile_and_newest_orders(&call.db(), &call.argument::<String>("userId")))
                .await
        }
        "newest orders" => {
            call.query(|| newest_orders(&call.db(), &call.argument::<String>("userId"))).await
        }
        "orders of a user between two dates" => {
            call.query(|| {
                orders_of_a_user_between_two_dates(
                    &call.db(),
                    &call.argument::<String>("userId"),
                    &call.argument::<String>("from"),
                    &call.argument::<String>("to"),
                )
            })
            .await
        }
        "orders of a status between two dates" => {
            call.query(|| {
                orders_of_a_status_between_two_dates(
                    &call.db(),
                    call.argument::<OrderStatus>("status"),
                    &call.argument::<String>("from"),
                    &call.argument::<String>("to"),
                )
            })
            .await
        }
        "place order" => {
            call.send(place_order(
                &call.db(),
                &call.entity::<Order>(),
                &call.argument::<Vec<PlaceOrderLinesElement>>("lines"),
            ))
            .await
        }
        "change order status" => {
            call.send(change_order_status(
                &call.db(),
                &call.argument::<String>("userId"),
                &call.argument::<String>("isoDate"),
                &call.argument::<String>("orderId"),
                call.argument::<OrderStatus>("status"),
                call.argument::<OrderStatus>("old"),
            ))
            .await
        }
        "create sign-in record" => {
            call.send(create_sign_in_record(&call.db(), &call.entity::<Session>())).await
        }
        "get sign-in record" => {
            call.query(|| {
                get_sign_in_record(
                    &call.db(),
                    &call.argument::<String>("sessionId"),
                    call.argument::<Number>("now"),
                )
            })
            .await
        }
        "load stock" => {
            call.send(load_stock(&call.db(), &call.entities::<Inventory>("items"))).await
        }
        _ => return None,
    })
}

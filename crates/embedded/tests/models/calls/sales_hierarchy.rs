//! The functions of `sales-hierarchy`, called with the arguments of a step.

use crate::call::*;
use crate::generated::sales_hierarchy::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "sales of a country" => {
            call.query(|| sales_of_a_country(&call.db(), &call.argument::<String>("Country"))).await
        }
        "sales of a city" => {
            call.query(|| {
                sales_of_a_city(
                    &call.db(),
                    &call.argument::<String>("Country"),
                    &call.argument::<String>("City"),
                )
            })
            .await
        }
        "sales of a store" => {
            call.query(|| {
                sales_of_a_store(
                    &call.db(),
                    &call.argument::<String>("Country"),
                    &call.argument::<String>("City"),
                    &call.argument::<String>("Store"),
                )
            })
            .await
        }
        "sales of a store in a year, month or day" => {
            call.query(|| {
                sales_of_a_store_in_a_year_month_or_day(
                    &call.db(),
                    &call.argument::<String>("Country"),
                    &call.argument::<String>("City"),
                    &call.argument::<String>("Store"),
                    &call.argument::<String>("date"),
                )
            })
            .await
        }
        "sales of a store between two dates" => {
            call.query(|| {
                sales_of_a_store_between_two_dates(
                    &call.db(),
                    &call.argument::<String>("Country"),
                    &call.argument::<String>("City"),
                    &call.argument::<String>("Store"),
                    &call.argument::<String>("from"),
                    &call.argument::<String>("to"),
                )
            })
            .await
        }
        _ => return None,
    })
}

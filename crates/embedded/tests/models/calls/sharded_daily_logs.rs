//! The functions of `sharded-daily-logs`, called with the arguments of a step.

use crate::call::*;
use crate::generated::sharded_daily_logs::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "write log entry" => call.send(write_log_entry(&call.db(), &call.entity::<Log>())).await,
        "log of an order on a day" => {
            call.query(|| {
                log_of_an_order_on_a_day(
                    &call.db(),
                    &call.argument::<String>("Date"),
                    call.argument::<Number>("OrderId"),
                )
            })
            .await
        }
        "log of a day" => {
            call.query(|| log_of_a_day(&call.db(), &call.argument::<String>("Date"))).await
        }
        "log of a day within a time range" => {
            call.query(|| {
                log_of_a_day_within_a_time_range(
                    &call.db(),
                    &call.argument::<String>("Date"),
                    &call.argument::<String>("from"),
                    &call.argument::<String>("to"),
                )
            })
            .await
        }
        _ => return None,
    })
}

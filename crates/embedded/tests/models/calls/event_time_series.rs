//! The functions of `event-time-series`, called with the arguments of a step.

use crate::call::*;
use crate::generated::event_time_series::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<EventsTable202404>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "write event" => call.send(write_event(&call.db(), &call.entity::<Event>())).await,
        "events of a time within a month" => {
            call.query(|| {
                events_of_a_time_within_a_month(
                    &call.db(),
                    &call.argument::<String>("Event_id"),
                    &call.argument::<String>("from"),
                    &call.argument::<String>("to"),
                )
            })
            .await
        }
        "events of a time over several months" => {
            call.query(|| {
                events_of_a_time_over_several_months(
                    &call.db(),
                    &call.argument::<String>("Event_id"),
                    &call.argument::<String>("from"),
                    &call.argument::<String>("to"),
                )
            })
            .await
        }
        _ => return None,
    })
}

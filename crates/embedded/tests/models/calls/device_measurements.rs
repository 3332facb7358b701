//! The functions of `device-measurements`, called with the arguments of a step.

use crate::call::*;
use crate::generated::device_measurements::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<DeviceMeasurements>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "measurements between two times" => {
            call.query(|| {
                measurements_between_two_times(
                    &call.db(),
                    call.argument::<Number>("DeviceId"),
                    &call.argument::<String>("from"),
                    &call.argument::<String>("to"),
                )
            })
            .await
        }
        "latest measurement" => {
            call.query(|| latest_measurement(&call.db(), call.argument::<Number>("DeviceId"))).await
        }
        _ => return None,
    })
}

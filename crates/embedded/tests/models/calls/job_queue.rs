//! The functions of `job-queue`, called with the arguments of a step.

use crate::call::*;
use crate::generated::job_queue::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "first job" => {
            call.send(first_job(&call.db(), &call.argument::<BTreeSet<String>>("jobs"))).await
        }
        "add job if there is room" => {
            call.send(add_job_if_there_is_room(
                &call.db(),
                &call.argument::<BTreeSet<String>>("jobs"),
                call.argument::<Number>("max"),
            ))
            .await
        }
        "add job, any number of times" => {
            call.send(add_job_any_number_of_times(
                &call.db(),
                &call.argument::<BTreeSet<String>>("jobs"),
                call.argument::<Number>("max"),
                &call.argument::<String>("job"),
            ))
            .await
        }
        "finish job" => {
            call.send(finish_job(&call.db(), &call.argument::<BTreeSet<String>>("jobs"))).await
        }
        _ => return None,
    })
}

//! The functions of `students-sports`, called with the arguments of a step.

use crate::call::*;
use crate::generated::students_sports::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "get student" => {
            call.send(get_student(&call.db(), &call.argument::<String>("StudentId"))).await
        }
        "student and sports" => {
            call.query(|| student_and_sports(&call.db(), &call.argument::<String>("StudentId")))
                .await
        }
        "sports of a student" => {
            call.query(|| sports_of_a_student(&call.db(), &call.argument::<String>("StudentId")))
                .await
        }
        "sport and its students" => {
            call.query(|| sport_and_its_students(&call.db(), &call.argument::<String>("SportName")))
                .await
        }
        "students of a sport" => {
            call.query(|| students_of_a_sport(&call.db(), &call.argument::<String>("SportName")))
                .await
        }
        "enrol student" => {
            call.send(enrol_student(
                &call.db(),
                &call.argument::<String>("StudentId"),
                &call.argument::<String>("SportName"),
                &call.entity::<StudentSport>(),
            ))
            .await
        }
        "details of several students" => {
            call.send(details_of_several_students(&call.db(), call.keys(&["StudentId"]))).await
        }
        _ => return None,
    })
}

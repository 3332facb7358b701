//! The functions of `student-teacher-graph`, called with the arguments of a step.

use crate::call::*;
use crate::generated::student_teacher_graph::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<Data>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "student with all relations" => {
            call.query(|| {
                student_with_all_relations(&call.db(), &call.argument::<String>("Student"))
            })
            .await
        }
        "classes of a student" => {
            call.query(|| classes_of_a_student(&call.db(), &call.argument::<String>("Student")))
                .await
        }
        "classes of a student with a teacher" => {
            call.query(|| {
                classes_of_a_student_with_a_teacher(
                    &call.db(),
                    &call.argument::<String>("Student"),
                    &call.argument::<String>("Teacher"),
                )
            })
            .await
        }
        "teacher with classes and students" => {
            call.query(|| {
                teacher_with_classes_and_students(&call.db(), &call.argument::<String>("Teacher"))
            })
            .await
        }
        "students who live in a state" => {
            call.query(|| {
                students_who_live_in_a_state(
                    &call.db(),
                    &call.argument::<String>("Country"),
                    &call.argument::<String>("State"),
                )
            })
            .await
        }
        _ => return None,
    })
}

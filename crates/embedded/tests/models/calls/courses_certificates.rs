//! The functions of `courses-certificates`, called with the arguments of a step.

use crate::call::*;
use crate::generated::courses_certificates::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<CertificationPlatform>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "get course" => {
            call.send(get_course(
                &call.db(),
                &call.argument::<String>("course"),
                &call.argument::<String>("date"),
                &call.argument::<String>("location"),
            ))
            .await
        }
        "everything about a course" => {
            call.query(|| everything_about_a_course(&call.db(), &call.argument::<String>("course")))
                .await
        }
        "everything about a course in a year" => {
            call.query(|| {
                everything_about_a_course_in_a_year(
                    &call.db(),
                    &call.argument::<String>("course"),
                    &call.argument::<String>("year"),
                )
            })
            .await
        }
        "everything about a course in a month" => {
            call.query(|| {
                everything_about_a_course_in_a_month(
                    &call.db(),
                    &call.argument::<String>("course"),
                    &call.argument::<String>("month"),
                )
            })
            .await
        }
        "courses and certificates of a day" => {
            call.query(|| {
                courses_and_certificates_of_a_day(
                    &call.db(),
                    &call.argument::<String>("course"),
                    &call.argument::<String>("date"),
                )
            })
            .await
        }
        "courses of a day by the beginning of their location" => {
            call.query(|| {
                courses_of_a_day_by_the_beginning_of_their_location(
                    &call.db(),
                    &call.argument::<String>("course"),
                    &call.argument::<String>("date"),
                    &call.argument::<String>("beginning"),
                )
            })
            .await
        }
        "get certificate" => {
            call.send(get_certificate(
                &call.db(),
                &call.argument::<String>("course"),
                &call.argument::<String>("date"),
                &call.argument::<String>("student"),
            ))
            .await
        }
        "certificates of a day" => {
            call.query(|| {
                certificates_of_a_day(
                    &call.db(),
                    &call.argument::<String>("course"),
                    &call.argument::<String>("date"),
                )
            })
            .await
        }
        "certificates of a day in the first version" => {
            call.query(|| {
                certificates_of_a_day_in_the_first_version(
                    &call.db(),
                    &call.argument::<String>("course"),
                    &call.argument::<String>("date"),
                )
            })
            .await
        }
        "all certificates of a type" => {
            call.query(|| {
                all_certificates_of_a_type(&call.db(), &call.argument::<String>("certType"))
            })
            .await
        }
        "all certificates of a type in the first version" => {
            call.query(|| {
                all_certificates_of_a_type_in_the_first_version(
                    &call.db(),
                    &call.argument::<String>("certType"),
                )
            })
            .await
        }
        "certificates of a type and instructor" => {
            call.query(|| {
                certificates_of_a_type_and_instructor(
                    &call.db(),
                    &call.argument::<String>("certType"),
                    &call.argument::<String>("instructor"),
                )
            })
            .await
        }
        _ => return None,
    })
}

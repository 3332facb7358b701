//! The arguments of a model's tests: does each pattern get what it takes?

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Model, TestStep, check_references};

use super::argument::{ArgumentError, read_arguments};
use super::parameter::{PatternParameter, parameters_of};

/// Reports the arguments of tests that their patterns do not take, cannot read or lack.
///
/// What types arguments have is known once a pattern is planned, so the reader of documents cannot
/// say it. A model whose names refer to nothing cannot be planned, and is not looked at.
pub fn check_tests(model: &Model) -> Vec<Diagnostic> {
    if model.tests.is_empty() || !check_references(model).is_empty() {
        return Vec::new();
    }
    let mut diagnostics = Vec::new();
    for test in &model.tests {
        for (index, step) in test.steps.iter().enumerate() {
            diagnostics.extend(check_step(model, step, &test.step_place(index)));
        }
    }
    diagnostics
}

fn check_step(model: &Model, step: &TestStep, place: &Place) -> Vec<Diagnostic> {
    let Some(pattern) = model.pattern(&step.pattern) else { return Vec::new() };
    let parameters = parameters_of(model, pattern);
    match read_arguments(&parameters, &[], &step.arguments) {
        Ok(_) => Vec::new(),
        Err(errors) => {
            let diagnostic = |error| diagnostic(error, step, &parameters, place);
            errors.into_iter().map(diagnostic).collect()
        }
    }
}

fn diagnostic(
    error: ArgumentError,
    step: &TestStep,
    parameters: &[PatternParameter],
    place: &Place,
) -> Diagnostic {
    let pattern = &step.pattern;
    let with = place.member("with");
    let message = error.to_string();
    match error {
        ArgumentError::Unknown { name, .. } => {
            let names = || parameters.iter().map(|parameter| parameter.name.as_str());
            let message = format!("{pattern} has no parameter {name}");
            let diagnostic = Diagnostic::error("unknown-parameter", with.member(&name), message)
                .with_nearest(&name, names())
                .without_fix();
            if diagnostic.suggestion.is_some() {
                return diagnostic;
            }
            diagnostic.with_suggestion(match names().collect::<Vec<_>>().as_slice() {
                [] => "it takes none".to_owned(),
                names => format!("it takes {}", names.join(", ")),
            })
        }
        ArgumentError::Missing { name, .. } => {
            let at = if step.arguments.is_empty() { place.member("pattern") } else { with };
            let message = format!("{pattern} needs the parameter {name}");
            let advice = format!("say it: with = {{ {name} = … }}");
            Diagnostic::error("missing-parameter", at, message).with_suggestion(advice)
        }
        ArgumentError::Repeated { name }
        | ArgumentError::Invalid { name, .. }
        | ArgumentError::NotAmong { name, .. } => {
            Diagnostic::error("bad-argument", with.member(&name), message)
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use monotable_model::document::{Format, read_with};

    use super::*;

    const MODEL: &str = r#"
format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"

[entities.Order]
key = { partition = "CUSTOMER#{username}", sort = "ORDER#{number:08}" }
attributes = { username = "S", number = "N", status = { type = "S", enum = ["NEW", "SENT"] } }

[patterns."get order"]
operation = "get"
entity = "Order"
by = ["username", "number"]

[patterns."all orders"]
operation = "scan"
returns = ["Order"]

[patterns."ship order"]
operation = "update"
entity = "Order"
by = ["username", "number"]
change = "SET status = :status"

[[tests.found.steps]]
"#;

    #[track_caller]
    fn check(step: &str, expected: &Expect) {
        let text = format!("{MODEL}{step}\n");
        let lines = match read_with(&text, Format::Toml, check_tests) {
            Ok(_) => vec!["consistent".to_owned()],
            Err(found) => found
                .iter()
                .map(|one| {
                    let span = one.span.unwrap();
                    let help = one.suggestion.as_ref().map(|help| format!("; {help}"));
                    let shown = &text[span.start..span.end];
                    format!("`{shown}` {}: {}{}", one.code, one.message, help.unwrap_or_default())
                })
                .collect(),
        };
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn arguments_that_fit_are_no_mistake() {
        check(
            "pattern = \"get order\"\nwith = { username = \"alex\", number = 7 }",
            &expect!["consistent"],
        );
        check("pattern = \"all orders\"", &expect!["consistent"]);
    }

    #[test]
    fn a_parameter_that_the_pattern_lacks_is_reported_with_what_was_meant() {
        check(
            "pattern = \"get order\"\nwith = { usernme = \"alex\", username = \"a\", number = 7 }",
            &expect![[
                r#"`"alex"` unknown-parameter: get order has no parameter usernme; did you mean username?"#
            ]],
        );
        check(
            "pattern = \"all orders\"\nwith = { username = \"alex\" }",
            &expect![[
                r#"`"alex"` unknown-parameter: all orders has no parameter username; it takes none"#
            ]],
        );
    }

    #[test]
    fn a_parameter_that_is_not_said_is_reported() {
        check(
            "pattern = \"get order\"\nwith = { username = \"alex\" }",
            &expect![[
                r#"`with` missing-parameter: get order needs the parameter number; say it: with = { number = … }"#
            ]],
        );
        check(
            "pattern = \"get order\"",
            &expect![[r#"
                `"get order"` missing-parameter: get order needs the parameter username; say it: with = { username = … }
                `"get order"` missing-parameter: get order needs the parameter number; say it: with = { number = … }"#]],
        );
    }

    #[test]
    fn values_of_another_type_and_values_that_are_not_among_those_declared_are_reported() {
        check(
            "pattern = \"ship order\"\nwith = { username = \"a\", number = \"7\", status = \"X\" }",
            &expect![[r#"
                `"7"` bad-argument: parameter number: expected a number, found text
                `"X"` bad-argument: parameter status is one of NEW, SENT"#]],
        );
    }
}

//! Questions about a model, whose text comes with each of them.

mod build;
mod changes;
mod collections;
mod compare;
mod cost;
mod design;
mod exchange;
mod member;
mod queries;
mod recognise;
mod requests;
mod seed;

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Document, Format, Model, Tree, inline_tree, read_json};
use thiserror::Error;

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Complaint {
    /// The question is not JSON.
    #[error("the question is no JSON: {reason}")]
    NotJson {
        /// What is wrong with it.
        reason: String,
    },
    /// The question lacks something.
    #[error("the question lacks {member}")]
    Missing {
        /// What it lacks.
        member: &'static str,
    },
    /// The question is about too much at once.
    #[error("the question has {count} {what}, over {count_max}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        count_max: usize,
    },
    /// The model has mistakes.
    #[error("the model has mistakes, the first: {first}")]
    Inconsistent {
        /// The first of them.
        first: String,
    },
    /// The model has no part of this name.
    #[error("the model has no {what} {name}")]
    Unknown {
        /// What kind of part is meant.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// What was given does not fit the model.
    #[error("{reasons}")]
    Unfit {
        /// Why.
        reasons: String,
    },
}

/// Answers a question; none if there is no such question.
pub(crate) fn answer(question: &str, body: &str) -> Option<Result<String, Complaint>> {
    let answer = match question {
        "design" => design::answer,
        "cost" => cost::answer,
        "recognise" => recognise::answer,
        "build" => build::answer,
        "requests" => requests::answer,
        "seed" => seed::answer,
        "changes" => changes::answer,
        "collections" => collections::answer,
        "compare" => compare::answer,
        "import" => exchange::import,
        "infer" => exchange::infer,
        "export" => exchange::export,
        "save-query" => queries::save,
        _ => return None,
    };
    let body = read_json(body).map_err(|reason| Complaint::NotJson { reason });
    Some(body.and_then(|body| answer(&body)).map(|tree| inline_tree(&tree)))
}

/// The text of the model that a question is about.
fn text_of(question: &Tree) -> Result<&str, Complaint> {
    member::text(question, "model")
}

/// The model that a question is about.
fn model_of(question: &Tree) -> Result<Model, Complaint> {
    consistent_model(text_of(question)?)
}

/// The model of a text without mistakes.
fn consistent_model(text: &str) -> Result<Model, Complaint> {
    Ok(document_of(text).map_err(inconsistent)?.model)
}

/// Refuses a model by the first of its mistakes.
fn inconsistent(mistakes: Vec<Diagnostic>) -> Complaint {
    let first = mistakes.into_iter().next().map(|mistake| mistake.message).unwrap_or_default();
    Complaint::Inconsistent { first }
}

/// The document, or all that is wrong with it.
fn document_of(text: &str) -> Result<Document, Vec<Diagnostic>> {
    monotable_lint::read(text, Format::detect("", text))
}

//! Which entity is this item?
//!
//! It may be known to the new model by its type and its key, and what it was in the old model leads to the entities that
//! continue that. Where both answer, they must agree, or what would become of the item must be the same.

use monotable_item::Item;

use super::fit::{Fit, specificity};
use super::form::{Form, View};

/// What an item may be.
#[derive(Debug)]
pub(super) struct Recognition<'a> {
    /// What fits best: one, unless several fit equally well; none for an item of no entity.
    pub(super) views: Vec<View<'a>>,
    /// Everything that its type and its key allow.
    pub(super) considered: Vec<Form<'a>>,
}

/// The forms that an item can have by its type and its key.
pub(super) fn candidates<'a>(forms: &[Form<'a>], item: &'a Item) -> Vec<View<'a>> {
    forms.iter().filter_map(|form| form.view(item)).collect()
}

/// The candidates that fit best. Entities that are variants of each other are told apart by how much they ask for;
/// that says nothing about others.
pub(super) fn best(candidates: Vec<View<'_>>) -> Vec<View<'_>> {
    let least = candidates.iter().map(Fit::of).min();
    let fitting: Vec<View<'_>> =
        candidates.into_iter().filter(|view| Some(Fit::of(view)) == least).collect();
    let is_outdone = |view: &View<'_>| {
        fitting.iter().any(|other| {
            view.form().family() == other.form().family() && specificity(view) < specificity(other)
        })
    };
    let is_best: Vec<bool> = fitting.iter().map(|view| !is_outdone(view)).collect();
    let kept = fitting.into_iter().zip(is_best).filter(|(_, is_best)| *is_best);
    kept.map(|(view, _)| view).collect()
}

/// What is left of two answers to the same question: those with the fewest values that cannot be.
pub(super) fn united<'a>(first: Vec<View<'a>>, second: Vec<View<'a>>) -> Vec<View<'a>> {
    let mut views = first;
    for view in second {
        let is_same = |other: &View<'_>| other.form().entity.name == view.form().entity.name;
        if !views.iter().any(is_same) {
            views.push(view);
        }
    }
    let wrong = |view: &View<'_>| Fit::of(view).wrong;
    let least = views.iter().map(wrong).min();
    views.retain(|view| Some(wrong(view)) == least);
    views
}

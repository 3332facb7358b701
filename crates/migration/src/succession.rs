//! What an item may become: by what it is in the new model, and by what it was in the old one.
//!
//! It may be known to the new model by its type and its key, and what it was in the old model leads
//! to the entities that continue that. Where both answer, they must agree, or what would become of
//! the item must be the same.

use monotable_item::Item;
use monotable_model::recognition::{Fit, Form, Recognizer, View};

/// What an item may become.
#[derive(Debug)]
pub(super) struct Successors<'a> {
    /// What fits best: one, unless several fit equally well; none for an item of no entity.
    pub(super) views: Vec<View<'a>>,
    /// Everything that its type and its key allow.
    pub(super) considered: Vec<Form<'a>>,
}

/// The item as one of each form that it can have. An item whose attributes build another key is
/// left alone: nobody knows which of the two is right.
pub(super) fn candidates<'a>(forms: &'a Recognizer<'_>, item: &'a Item) -> Vec<View<'a>> {
    let mut candidates = forms.candidates(item);
    candidates.retain(View::has_own_key);
    candidates
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

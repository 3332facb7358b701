//! Parsed expressions, kept by their text.
//!
//! A program sends few expressions many times, with other values each time, and what is parsed
//! depends on the text alone. Each thread keeps its own, so that nobody waits. Texts that are
//! refused are not kept.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::thread::LocalKey;

use monotable_expr::partiql::{self, PartiqlError, Statement};
use monotable_expr::{
    ParseError, ParsedCondition, ParsedProjection, ParsedUpdate, parse_condition, parse_projection,
    parse_update,
};

/// How long the texts of one generation may be together. Trees take some twenty times as much
/// memory as their texts, and two generations are kept of each kind and thread.
const GENERATION_TEXT_BYTES_MAX: usize = 16 * 1024;

type Kept<T> = LocalKey<RefCell<Generations<T>>>;

thread_local! {
    static CONDITIONS: RefCell<Generations<ParsedCondition>> = RefCell::default();
    static PROJECTIONS: RefCell<Generations<ParsedProjection>> = RefCell::default();
    static UPDATES: RefCell<Generations<ParsedUpdate>> = RefCell::default();
    static STATEMENTS: RefCell<Generations<Arc<Statement>>> = RefCell::default();
}

/// A condition, filter or key condition.
pub(super) fn condition(text: &str) -> Result<Rc<ParsedCondition>, ParseError> {
    parsed(&CONDITIONS, text, parse_condition)
}

/// A projection.
pub(super) fn projection(text: &str) -> Result<Rc<ParsedProjection>, ParseError> {
    parsed(&PROJECTIONS, text, parse_projection)
}

/// An update.
pub(super) fn update(text: &str) -> Result<Rc<ParsedUpdate>, ParseError> {
    parsed(&UPDATES, text, parse_update)
}

/// A PartiQL statement, which is needed longer than this thread may run its request.
pub(crate) fn statement(text: &str) -> Result<Arc<Statement>, PartiqlError> {
    let statement = parsed(&STATEMENTS, text, |text| partiql::parse(text).map(Arc::new))?;
    Ok(Arc::clone(&statement))
}

fn parsed<T, Error>(
    kept: &'static Kept<T>,
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, Error>,
) -> Result<Rc<T>, Error> {
    if let Some(found) = kept.with_borrow_mut(|kept| kept.find(text)) {
        return Ok(found);
    }
    let parsed = Rc::new(parse(text)?);
    kept.with_borrow_mut(|kept| kept.keep(text, parsed.clone()));
    Ok(parsed)
}

/// What was used since the last change of generation, and what was used in the one before. Whatever
/// is not used for a whole generation is forgotten.
struct Generations<T> {
    current: HashMap<String, Rc<T>>,
    current_text_bytes: usize,
    former: HashMap<String, Rc<T>>,
}

impl<T> Default for Generations<T> {
    fn default() -> Generations<T> {
        Generations { current: HashMap::new(), current_text_bytes: 0, former: HashMap::new() }
    }
}

impl<T> Generations<T> {
    fn find(&mut self, text: &str) -> Option<Rc<T>> {
        if let Some(found) = self.current.get(text) {
            return Some(found.clone());
        }
        let (text, found) = self.former.remove_entry(text)?;
        self.keep(&text, found.clone());
        Some(found)
    }

    fn keep(&mut self, text: &str, parsed: Rc<T>) {
        if self.current_text_bytes + text.len() > GENERATION_TEXT_BYTES_MAX {
            self.former = std::mem::take(&mut self.current);
            self.current_text_bytes = 0;
        }
        self.current_text_bytes += text.len();
        self.current.insert(text.to_owned(), parsed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_parsed_once() {
        let first = condition("a = :a").unwrap();
        assert!(Rc::ptr_eq(&first, &condition("a = :a").unwrap()));
        assert!(!Rc::ptr_eq(&first, &condition("a = :b").unwrap()));
    }

    #[test]
    fn refusals_are_told_each_time() {
        let first = update("SET").unwrap_err();
        assert_eq!(update("SET").unwrap_err(), first);
        UPDATES.with_borrow(|kept| assert!(kept.current.is_empty()));
    }

    #[test]
    fn what_is_in_use_stays_and_the_rest_is_forgotten() {
        let used = projection("used").unwrap();
        for number in 0..GENERATION_TEXT_BYTES_MAX {
            projection(&format!("other{number}")).unwrap();
            assert!(Rc::ptr_eq(&used, &projection("used").unwrap()));
        }
        PROJECTIONS.with_borrow(|kept| {
            let texts = kept.current.keys().chain(kept.former.keys());
            assert!(texts.map(String::len).sum::<usize>() <= 2 * GENERATION_TEXT_BYTES_MAX);
            assert!(!kept.former.contains_key("other0"));
        });
    }
}

//! `AttributesToGet`.

use std::collections::BTreeSet;

use monotable_expr::Projection;

use crate::error::ApiError;
use crate::validate::item::check_name_size;

/// The attributes to return.
pub(crate) fn attributes_to_get(
    names: &Option<Vec<String>>,
) -> Result<Option<Projection>, ApiError> {
    let Some(names) = names else { return Ok(None) };
    names.iter().try_for_each(|name| check_name_size(name))?;
    let mut seen = BTreeSet::new();
    match names.iter().find(|name| !seen.insert(*name)) {
        Some(repeated) => {
            Err(ApiError::parameter(format!("Duplicate value in attribute name: {repeated}")))
        }
        None => Ok(Some(Projection::of_attributes(names.iter().cloned()))),
    }
}

#[cfg(test)]
mod tests {
    use monotable_item::{Item, Value};

    use super::*;

    fn names(names: &[&str]) -> Option<Vec<String>> {
        Some(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn a_repeated_name_is_refused() {
        let error = attributes_to_get(&names(&["b", "a", "c", "a", "b"])).unwrap_err();
        assert_eq!(
            error.message(),
            Some("One or more parameter values were invalid: Duplicate value in attribute name: a")
        );
    }

    #[test]
    fn names_are_attributes_and_never_paths() {
        let projection = attributes_to_get(&names(&["a.b", "c[0]", "missing"])).unwrap().unwrap();
        let item = Item::from([
            ("a.b".to_owned(), Value::from(1)),
            ("a".to_owned(), Value::Map(Item::from([("b".to_owned(), Value::from(2))]))),
            ("c".to_owned(), Value::List(vec![Value::from(3)])),
        ]);
        assert_eq!(projection.project(&item), Item::from([("a.b".to_owned(), Value::from(1))]));
    }

    #[test]
    fn no_names_are_no_projection() {
        assert_eq!(attributes_to_get(&None), Ok(None));
    }
}

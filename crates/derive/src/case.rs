//! Names in the three cases of Rust.

/// `OrderLine` as `order_line`.
pub(crate) fn snake(name: &str) -> String {
    let mut text = String::new();
    let mut after_lower = false;
    for character in name.chars() {
        if character.is_uppercase() && after_lower {
            text.push('_');
        }
        after_lower = !character.is_uppercase() && character != '_';
        text.extend(character.to_lowercase());
    }
    text
}

/// `by_customer` as `ByCustomer`.
pub(crate) fn pascal(name: &str) -> String {
    let word = |word: &str| {
        let mut characters = word.chars();
        let first = characters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(characters).collect::<String>()
    };
    name.split('_').map(word).collect()
}

/// `placed_at` as `PLACED_AT`.
pub(crate) fn screaming(name: &str) -> String {
    snake(name).to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_their_case() {
        assert_eq!(snake("OrderLine"), "order_line");
        assert_eq!(pascal("by_customer"), "ByCustomer");
        assert_eq!(screaming("placed_at"), "PLACED_AT");
    }
}

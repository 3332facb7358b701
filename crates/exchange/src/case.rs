//! Names in the spellings that other formats want.

/// `STUDENT_SPORT`, `student sport` and `studentSport` are `StudentSport`.
pub(super) fn pascal(name: &str) -> String {
    words(name).iter().map(|word| capitalised(word)).collect()
}

/// `placed_at` of `PlacedAt`.
pub(super) fn snake(name: &str) -> String {
    words(name).join("_").to_lowercase()
}

/// `globalSecondaryIndexes` of `GlobalSecondaryIndexes`; `sseSpecification` of `SSESpecification`.
pub(super) fn camel(name: &str) -> String {
    let mut words = words(name).into_iter();
    let first = words.next().unwrap_or_default().to_lowercase();
    words.fold(first, |name, word| name + &capitalised(&word))
}

/// `shop-orders` of `Shop Orders`.
pub(super) fn kebab(name: &str) -> String {
    words(name).join("-").to_lowercase()
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + &characters.as_str().to_lowercase()
}

/// The words of a name: parted by what is no letter or digit, and where a capital follows a small
/// letter.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut begins = true;
    let characters: Vec<char> = name.chars().collect();
    for (position, character) in characters.iter().enumerate() {
        if !character.is_alphanumeric() {
            begins = true;
            continue;
        }
        let before = position.checked_sub(1).and_then(|before| characters.get(before));
        let after = characters.get(position + 1);
        let is_hump = character.is_uppercase()
            && (before.is_some_and(|before| before.is_lowercase() || before.is_numeric())
                || before.is_some_and(|before| before.is_uppercase())
                    && after.is_some_and(|after| after.is_lowercase()));
        match words.last_mut() {
            Some(word) if !begins && !is_hump => word.push(*character),
            Some(_) | None => words.push(character.to_string()),
        }
        begins = false;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_every_spelling() {
        for (name, pascal_case, snake_case, camel_case) in [
            ("STUDENT_SPORT", "StudentSport", "student_sport", "studentSport"),
            ("placedAt", "PlacedAt", "placed_at", "placedAt"),
            ("SSESpecification", "SseSpecification", "sse_specification", "sseSpecification"),
            ("GSI1PK", "Gsi1Pk", "gsi1_pk", "gsi1Pk"),
            ("my-app.orders", "MyAppOrders", "my_app_orders", "myAppOrders"),
            ("", "", "", ""),
        ] {
            assert_eq!(pascal(name), pascal_case);
            assert_eq!(snake(name), snake_case);
            assert_eq!(camel(name), camel_case);
        }
    }
}

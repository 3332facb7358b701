//! An entity under a random identifier that nobody asks for.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{
    Attribute, AttributeFormat, KeySide, Known, Model, Operation, Pattern,
};
use monotable_model::template::{AttributePart, Form};

use crate::Subject;
use crate::key_site::{KeySite, key_sites};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "surrogate-only-key",
    Warning,
    Keys,
    Model,
    "an entity is keyed by a random identifier, and no pattern knows it",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let sites = key_sites(subject.model).into_iter();
    let own = sites.filter(|site| site.index.is_none() && site.side == KeySide::Partition);
    own.filter_map(|site| finding(subject.model, &site)).collect()
}

fn finding(model: &Model, site: &KeySite<'_>) -> Option<Diagnostic> {
    let name = &site.entity.name;
    let asks = |pattern: &&Pattern| {
        let writes_new = pattern.operation == Operation::Put;
        !writes_new && pattern.all_entities().any(|entity| entity == name)
    };
    let asking: Vec<&Pattern> = model.patterns.iter().filter(asks).collect();
    let identifier = |(part, attribute): &(&AttributePart, &Attribute)| is_random(part, attribute);
    let (_, identifier) = site.parts().find(identifier)?;
    let knows = |pattern: &&Pattern| knows(pattern, name, &identifier.name);
    if asking.is_empty() || asking.iter().any(knows) {
        return None;
    }
    let message = format!(
        "{name} is keyed by the identifier {}, and none of its patterns knows that",
        identifier.name
    );
    let suggestion = "key it by what its patterns know: the natural key";
    Some(Diagnostic::warning(RULE.code, site.place.clone(), message).with_suggestion(suggestion))
}

fn knows(pattern: &Pattern, entity: &str, attribute: &str) -> bool {
    let own = pattern.actions.iter().filter(|action| action.entity == entity);
    let known = pattern.by.iter().chain(own.flat_map(|action| &action.by));
    known.into_iter().any(|Known { attribute: known, .. }| known == attribute)
}

fn is_random(part: &AttributePart, attribute: &Attribute) -> bool {
    let by_form = matches!(part.encoding.form(), Form::Identifier(_));
    let by_format = attribute.format.is_some_and(|format| match format {
        AttributeFormat::Ksuid
        | AttributeFormat::Ulid
        | AttributeFormat::Uuid
        | AttributeFormat::UuidV7 => true,
        AttributeFormat::Email
        | AttributeFormat::Rfc3339
        | AttributeFormat::EpochSeconds
        | AttributeFormat::EpochMillis
        | AttributeFormat::Date => false,
    });
    by_form || by_format
}

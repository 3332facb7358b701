//! Two models side by side: what differs, by pattern and in total.

use monotable_model::document::TableClass;

use super::bill::Payment;
use super::estimate::Estimate;

/// One estimate against another.
#[derive(Debug, Clone, PartialEq)]
pub struct EstimateComparison {
    /// The name of the model that is compared with.
    pub before: String,
    /// The name of the model that is compared.
    pub after: String,
    /// The patterns of both, in the order of the second, then those that only the first has.
    pub patterns: Vec<Difference>,
    /// The entities of both, in the same order: what they cost together.
    pub entities: Vec<Difference>,
    /// What all tables cost in each way of paying that both have.
    pub payments: Vec<(Payment, TableClass, Difference)>,
    /// What all tables cost as the models say that they are paid for.
    pub total: Difference,
}

/// What something costs in a month in each of two models; nothing if it is not there or has no
/// price.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What it is.
    pub name: String,
    /// What it costs in the first.
    pub before: Option<f64>,
    /// What it costs in the second.
    pub after: Option<f64>,
}

impl Difference {
    /// By how much the second is dearer.
    pub fn change(&self) -> f64 {
        self.after.unwrap_or(0.0) - self.before.unwrap_or(0.0)
    }
}

impl EstimateComparison {
    /// Compares two estimates.
    pub fn of(before: &Estimate, after: &Estimate) -> EstimateComparison {
        let total = Difference {
            name: "total".to_owned(),
            before: Some(before.total()),
            after: Some(after.total()),
        };
        EstimateComparison {
            before: before.model.clone(),
            after: after.model.clone(),
            patterns: differences(&pattern_months(before), &pattern_months(after)),
            entities: differences(&entity_months(before), &entity_months(after)),
            payments: payment_differences(before, after),
            total,
        }
    }
}

fn pattern_months(estimate: &Estimate) -> Vec<(String, Option<f64>)> {
    estimate.patterns.iter().map(|pattern| (pattern.name.clone(), pattern.month)).collect()
}

fn entity_months(estimate: &Estimate) -> Vec<(String, Option<f64>)> {
    let entities = estimate.entities.iter();
    let month = entities.map(|entity| {
        let month = entity.storage.unwrap_or(0.0) + entity.reads + entity.writes;
        (entity.name.clone(), Some(month))
    });
    month.collect()
}

fn differences(
    before: &[(String, Option<f64>)],
    after: &[(String, Option<f64>)],
) -> Vec<Difference> {
    let month = |list: &[(String, Option<f64>)], name: &str| {
        list.iter().find(|(other, _)| other == name).and_then(|(_, month)| *month)
    };
    let only_before =
        before.iter().filter(|(name, _)| !after.iter().any(|(other, _)| other == name));
    let names = after.iter().chain(only_before);
    names
        .map(|(name, _)| Difference {
            name: name.clone(),
            before: month(before, name),
            after: month(after, name),
        })
        .collect()
}

fn payment_differences(
    before: &Estimate,
    after: &Estimate,
) -> Vec<(Payment, TableClass, Difference)> {
    let mut found = Vec::new();
    for bill in after.tables.iter().flat_map(|table| &table.bills) {
        let (payment, class) = (bill.payment, bill.class);
        if found.iter().any(|(other, of, _)| *other == payment && *of == class) {
            continue;
        }
        let name = payment.describe(class);
        let [before, after] = [before, after].map(|estimate| estimate.total_as(payment, class));
        if before.is_some() && after.is_some() {
            found.push((payment, class, Difference { name, before, after }));
        }
    }
    found
}

impl Estimate {
    /// What all tables cost in one way of paying; nothing if one of them has no such price.
    pub fn total_as(&self, payment: Payment, class: TableClass) -> Option<f64> {
        self.tables.iter().map(|table| table.bill(payment, class)?.total()).sum()
    }
}

impl Payment {
    /// In words: `on demand`, `reserved for a year`.
    pub fn describe(self, class: TableClass) -> String {
        let payment = match self {
            Payment::OnDemand => "on demand",
            Payment::Declared => "provisioned, as declared",
            Payment::Provisioned => "provisioned for the peak",
            Payment::Scaled => "provisioned, scaled with the load",
            Payment::ReservedOneYear => "reserved for 1 year",
            Payment::ReservedThreeYears => "reserved for 3 years",
        };
        match class {
            TableClass::Standard => payment.to_owned(),
            TableClass::InfrequentAccess => format!("{payment}, infrequent access"),
        }
    }
}

//! The regions whose prices come with the library.

use super::price::Prices;
use super::price_file::read_prices;

/// The region whose prices hold by default.
pub const DEFAULT_REGION: &str = "us-east-1";

const FILES: &[(&str, &str)] = &[
    ("ap-northeast-1", include_str!("../../prices/ap-northeast-1.toml")),
    ("ap-south-1", include_str!("../../prices/ap-south-1.toml")),
    ("ap-southeast-2", include_str!("../../prices/ap-southeast-2.toml")),
    ("eu-central-1", include_str!("../../prices/eu-central-1.toml")),
    ("eu-west-1", include_str!("../../prices/eu-west-1.toml")),
    ("eu-west-2", include_str!("../../prices/eu-west-2.toml")),
    ("us-east-1", include_str!("../../prices/us-east-1.toml")),
    ("us-east-2", include_str!("../../prices/us-east-2.toml")),
    ("us-west-2", include_str!("../../prices/us-west-2.toml")),
];

/// The names of the regions whose prices are known, in their order.
pub fn known_regions() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(region, _)| *region)
}

/// The prices of a region, if they are known.
pub fn prices_of(region: &str) -> Option<Prices> {
    let (_, text) = FILES.iter().find(|(known, _)| *known == region)?;
    Some(read_prices(text).expect("a test reads every file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_can_be_read_and_names_its_region_and_date() {
        for region in known_regions() {
            let prices = prices_of(region).unwrap();
            assert_eq!(prices.region, region);
            assert_eq!((prices.date.len(), prices.currency.as_str()), (10, "USD"), "{region}");
            assert!(prices.standard.on_demand.is_some(), "{region}");
            assert!(prices.standard.provisioned.is_some(), "{region}");
        }
    }

    #[test]
    fn every_file_of_the_folder_is_built_in() {
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/prices")).unwrap();
        let mut names: Vec<_> = folder
            .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        names.sort();
        assert_eq!(names, known_regions().collect::<Vec<_>>());
    }
}

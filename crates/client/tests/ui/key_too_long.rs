//! A key that can be longer than DynamoDB takes, an index key of too many attributes, too many
//! indexes, and templates that cannot be.

use monotable::prelude::*;

#[derive(Table)]
#[table(pk = "pk", sk = "sk")]
#[gsi(Wide, pk = ["a", "b", "c", "d", "e"])]
pub struct Wide;

#[derive(Table)]
#[table(pk = "pk", sk = "sk")]
pub struct Shop;

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_name: pk = "NAME", sk = "{name}")]
pub struct Long {
    #[attr(max_len = 1000)]
    pub name: String,
}

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_name: pk = "NAME#{nmae}", sk = "X")]
pub struct Misspelt {
    pub name: String,
}

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_name: pk = "NAME#{name", sk = "X")]
pub struct Unclosed {
    pub name: String,
}

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_name: pk = "NAME#{name}", sk = "X")]
pub struct Optional {
    pub name: Option<String>,
}

#[derive(Table)]
#[table(pk = "pk", sk = "sk")]
#[gsi(I1, pk = "k1")]
#[gsi(I2, pk = "k2")]
#[gsi(I3, pk = "k3")]
#[gsi(I4, pk = "k4")]
#[gsi(I5, pk = "k5")]
#[gsi(I6, pk = "k6")]
#[gsi(I7, pk = "k7")]
#[gsi(I8, pk = "k8")]
#[gsi(I9, pk = "k9")]
#[gsi(I10, pk = "k10")]
#[gsi(I11, pk = "k11")]
#[gsi(I12, pk = "k12")]
#[gsi(I13, pk = "k13")]
#[gsi(I14, pk = "k14")]
#[gsi(I15, pk = "k15")]
#[gsi(I16, pk = "k16")]
#[gsi(I17, pk = "k17")]
#[gsi(I18, pk = "k18")]
#[gsi(I19, pk = "k19")]
#[gsi(I20, pk = "k20")]
#[gsi(I21, pk = "k21")]
pub struct Crowded;

fn main() {}

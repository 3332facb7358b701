//! Names that would meet: in items, among the setters of a patch, and in the module of an entity.

use monotable::prelude::*;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type")]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
pub struct Shop;

#[derive(KeyPart)]
pub enum Status {
    Open,
}

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_id: pk = "A#{id}", sk = "A")]
#[index(Gsi1 status: pk = "STATUS#{status}", sk = "{id}")]
pub struct Hidden {
    pub id: String,
    pub status: Status,
}

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_id: pk = "B#{id}", sk = "B")]
pub struct Conditional {
    pub id: String,
    pub when: String,
}

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_id: pk = "C#{id}", sk = "C")]
#[index(Gsi1 place: pk = "COUNTRY#{country}", sk = "{city}")]
pub struct Group {
    pub id: String,
    pub country: String,
    pub city: String,
    pub place: String,
}

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_id: pk = "D#{id}", sk = "D")]
pub struct Twice {
    pub id: String,
    #[attr(name = "n")]
    pub name: String,
    pub n: u64,
}

#[derive(Attribute)]
pub struct Address {
    #[attr(name = "s")]
    pub street: String,
    #[attr(name = "s")]
    pub state: String,
}

#[derive(Entity)]
#[entity(table = Shop)]
#[key(by_id: pk = "E#{id}", sk = "E")]
pub struct Typed {
    pub id: String,
    #[attr(name = "type")]
    pub kind: String,
}

fn main() {}

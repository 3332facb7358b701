//! An older version is a struct that becomes the current one, and the table says where versions
//! stand.

use monotable::prelude::*;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "_t")]
pub struct Unversioned;

#[derive(Entity)]
#[entity(table = Unversioned, version = 2, older(1 = MemberV1))]
#[key(by_id: pk = "MEMBER#{id}", sk = "MEMBER")]
pub struct Lost {
    pub id: String,
}

impl From<MemberV1> for Lost {
    fn from(old: MemberV1) -> Lost {
        Lost { id: old.id }
    }
}

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "_t", version_attr = "_v")]
pub struct Club;

#[derive(Attribute)]
pub struct MemberV1 {
    pub id: String,
}

#[derive(Entity)]
#[entity(table = Club, version = 2, older(1 = MemberV1))]
#[key(by_id: pk = "MEMBER#{id}", sk = "MEMBER")]
pub struct Member {
    pub id: String,
}

#[derive(Entity)]
#[entity(table = Club, version = 2, older(2 = MemberV1))]
#[key(by_id: pk = "TWIN#{id}", sk = "TWIN")]
pub struct Twin {
    pub id: String,
}

#[derive(Entity)]
#[entity(table = Club, version = 1)]
#[key(by_id: pk = "NOTE#{id}", sk = "NOTE")]
pub struct Note {
    pub id: String,
    #[attr(name = "_v")]
    pub volume: u32,
}

fn main() {}

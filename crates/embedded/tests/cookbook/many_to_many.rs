//! `many-to-many.md`

use monotable::assert_cost;
use monotable::prelude::*;
use monotable_embedded::Embedded;

use super::Outcome;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Movie, Actor, Role))]
#[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
pub struct Films;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Films)]
#[key(by_title: pk = "MOVIE#{title}", sk = "MOVIE")]
pub struct Movie {
    pub title: String,
    pub year: u32,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Films)]
#[key(by_name: pk = "ACTOR#{name}", sk = "ACTOR")]
pub struct Actor {
    pub name: String,
    pub agent: String,
}

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Films)]
#[key(of_movie: pk = "MOVIE#{movie}", sk = "ROLE#{actor}")]
#[index(Gsi1 of_actor: pk = "ACTOR#{actor}", sk = "ROLE#{movie}")]
pub struct Role {
    pub movie: String,
    pub actor: String,
    #[attr(create_only)]
    pub character: String,
}

#[derive(Collection, Debug, PartialEq)]
#[collection(Films, pk = "MOVIE#{movie}")]
pub enum MovieRow {
    Movie(Movie),
    Role(Role),
}

async fn films() -> Result<Db<Films>, Error> {
    let db = Films::open("films", Embedded::in_memory());
    db.create_table().await?;
    for (title, year) in [("Heat", 1995), ("Ronin", 1998)] {
        db.create(&Movie { title: title.to_owned(), year }).await?;
    }
    for name in ["De Niro", "Kilmer"] {
        db.create(&Actor { name: name.to_owned(), agent: "X".to_owned() }).await?;
    }
    Ok(db)
}

fn role(movie: &str, actor: &str, character: &str) -> Role {
    Role { movie: movie.to_owned(), actor: actor.to_owned(), character: character.to_owned() }
}

#[tokio::test]
async fn a_link_is_read_from_both_of_its_ends() -> Outcome {
    let db = films().await?;
    db.create(&role("Heat", "De Niro", "Neil")).await?;
    db.create(&role("Heat", "Kilmer", "Chris")).await?;
    assert_cost!(db, 2.0 WCU, { db.create(&role("Ronin", "De Niro", "Sam")).await? });

    // From one end: the movie with its cast.
    let rows = assert_cost!(db, 0.5 RCU, { db.query(MovieRow::of("Heat")).all().await? });

    // From the other end: what an actor played in.
    let roles = assert_cost!(db, 0.5 RCU, { db.query(Role::of_actor("De Niro")).all().await? });

    // What changes lives at the ends, and is fetched by key.
    let cast = db.query(Role::of_movie("Heat")).all().await?;
    let actors = assert_cost!(db, 1.0 RCU, {
        db.get_many(cast.iter().map(|role| Actor::by_name(&role.actor))).await?
    });
    assert_eq!(rows.len(), 3);
    assert!(matches!(&rows[0], MovieRow::Movie(movie) if movie.year == 1995));
    assert!(matches!(&rows[1], MovieRow::Role(role) if role.character == "Neil"));
    let movies: Vec<&str> = roles.iter().map(|role| role.movie.as_str()).collect();
    assert_eq!(movies, ["Heat", "Ronin"]);
    assert!(actors.remainder.is_empty());
    assert_eq!(actors.found.iter().flatten().count(), 2);
    Ok(())
}

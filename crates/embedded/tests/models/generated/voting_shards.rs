//! Votes in write shards
//!
//! Tables, entities and access patterns of the model `voting-shards`, written by `monotable model
//! export --to rust`.

use monotable::Number;
use monotable::db::{GetMany, Upsert};
use monotable::prelude::*;

/// The table `Votes`.
#[derive(Table)]
#[table(name = "Votes", pk = "CandidateShard", entities(VoteShard, VoteTotal,))]
pub struct Votes;

/// The entity `VoteShard`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Votes)]
#[key(by_candidate_and_shard: pk = "{!_}{candidate}_{shard:plain}")]
pub struct VoteShard {
    /// The attribute `Candidate`.
    #[attr(name = "Candidate", max_len = 40)]
    pub candidate: String,
    /// Any of them for each vote
    #[attr(name = "Shard")]
    pub shard: Number,
    /// The attribute `Votes`.
    #[attr(name = "Votes")]
    pub votes: Option<Number>,
}

/// The sum when the votes were last added up
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Votes)]
#[key(by_candidate: pk = "{!_}{candidate}_total")]
pub struct VoteTotal {
    /// The attribute `Candidate`.
    #[attr(name = "Candidate", max_len = 40)]
    pub candidate: String,
    /// The attribute `Votes`.
    #[attr(name = "Votes")]
    pub votes: Number,
}

/// Access pattern: vote.
///
/// The first vote creates its counter
pub fn vote(
    db: &Db<Votes>,
    candidate: &str,
    shard: Number,
    one: Number,
) -> vote_shard::Patch<Db<Votes>> {
    db.patch(VoteShard::by_candidate_and_shard(candidate, shard)).votes(add(one)).or_create()
}

/// Access pattern: add up votes.
///
/// All counters of a candidate; one that is not there counts 0
pub fn add_up_votes(
    db: &Db<Votes>,
    keys: impl IntoIterator<Item = Key<VoteShard>>,
) -> GetMany<VoteShard> {
    db.get_many(keys)
}

/// Access pattern: publish total.
pub fn publish_total(db: &Db<Votes>, vote_total: &VoteTotal) -> Upsert<VoteTotal> {
    db.upsert(vote_total)
}

//! What an UpdateTable is about. DynamoDB allows few concerns together in one call.

use monotable_database::Undertaking;
use monotable_protocol::update_table::UpdateTableRequest;

use super::{on_demand_throughput, replicas, warm_throughput};
use crate::error::ApiError;

/// Something that an UpdateTable can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Concern {
    /// How the table is paid for.
    Billing,
    /// What it may read and write.
    Throughput,
    /// What it may read and write at most.
    Ceiling,
    /// What it must serve at once.
    WarmThroughput,
    /// Its stream.
    Stream,
    /// The settings of its indexes.
    IndexSettings,
    /// Which indexes it has.
    Indexes,
    /// How it is encrypted.
    Encryption,
    /// The class of its storage.
    Class,
    /// Whether it can be deleted.
    DeletionProtection,
    /// Its replicas.
    Replicas,
    /// Whether replicas would follow its settings.
    SettingsReplication,
}

/// Concerns that stand alone, in the order of the checks, with the words for them.
const SOLE_CONCERNS: [(Concern, &str); 4] = [
    (Concern::Replicas, "Replica modification"),
    (Concern::Encryption, "Server-Side Encryption modification"),
    (Concern::Class, "TableClass modification"),
    (Concern::DeletionProtection, "DeletionProtection modification"),
];

/// The concerns of a request.
#[derive(Debug, Clone)]
pub(crate) struct Concerns {
    given: Vec<Concern>,
    /// Whether units are reserved: paying by request goes with other changes.
    provisions: bool,
    /// Whether a global index is created.
    creates_index: bool,
    /// What is said about replicas that are to be made, which is no concern by itself.
    attendant: Attendant,
}

/// Members that only mean something beside changes of replicas.
#[derive(Debug, Clone, Copy)]
struct Attendant {
    consistency: bool,
    witnesses: bool,
}

impl Concerns {
    /// What the request is about.
    pub(crate) fn of(request: &UpdateTableRequest) -> Concerns {
        let updates = request.global_secondary_index_updates.as_deref().unwrap_or_default();
        let changes_indexes =
            updates.iter().any(|update| update.create.is_some() || update.delete.is_some());
        let changes_vectors =
            request.vector_index_updates.as_ref().is_some_and(|it| !it.is_empty());
        let given = [
            (Concern::Billing, request.billing_mode.is_some()),
            (Concern::Throughput, request.provisioned_throughput.is_some()),
            (
                Concern::Ceiling,
                on_demand_throughput::asked(&request.on_demand_throughput).is_some(),
            ),
            (Concern::WarmThroughput, warm_throughput::asked(&request.warm_throughput).is_some()),
            (Concern::Stream, request.stream_specification.is_some()),
            (Concern::IndexSettings, !updates.is_empty() && !changes_indexes),
            (Concern::Indexes, changes_indexes || changes_vectors),
            (Concern::Encryption, request.sse_specification.is_some()),
            (Concern::Class, request.table_class.is_some()),
            (Concern::DeletionProtection, request.deletion_protection_enabled.is_some()),
            (Concern::Replicas, replicas::are_changed(request)),
            (
                Concern::SettingsReplication,
                request.global_table_settings_replication_mode.is_some(),
            ),
        ];
        let given = given.into_iter().filter(|(_, is_given)| *is_given);
        let attendant = Attendant {
            consistency: request.multi_region_consistency.is_some(),
            witnesses: request.global_table_witness_updates.is_some(),
        };
        Concerns {
            given: given.map(|(concern, _)| concern).collect(),
            provisions: request.provisioned_throughput.is_some()
                || request.billing_mode.as_deref() == Some("PROVISIONED"),
            creates_index: updates.iter().any(|update| update.create.is_some()),
            attendant,
        }
    }

    /// Refuses a request that is about nothing. AWS names members that it keeps to itself, and
    /// leaves out the consistency of replicas where that is given and says nothing alone.
    pub(crate) fn check_some(&self) -> Result<(), ApiError> {
        if !self.given.is_empty() {
            return Ok(());
        }
        let consistency = if self.attendant.consistency { "" } else { " MultiRegionConsistency," };
        Err(ApiError::validation(format!(
            "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, \
             GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, \
             MultiAccountReplicaReady, ReplicaTransitRoleArn,{consistency} \
             DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is \
             required"
        )))
    }

    /// Refuses concerns that do not go together. Which pairs do, and which of several refusals is
    /// answered, was measured in October 2026.
    pub(crate) fn check_compatible(&self) -> Result<(), ApiError> {
        self.check_attendant()?;
        let sole = SOLE_CONCERNS.iter().find(|(concern, _)| self.contain(*concern));
        if let Some((_, words)) = sole.filter(|_| self.given.len() > 1) {
            return Err(must_be_alone(words));
        }
        self.check_ceiling()?;
        self.check_warm()?;
        let changes_units = self.provisions;
        let changes_stream = self.contain(Concern::Stream);
        let changes_indexes = self.contain(Concern::Indexes);
        let refuse = |message: &str| Err(ApiError::parameter(message));
        match (changes_units, changes_stream, changes_indexes) {
            (true, true, _) => refuse("You cannot modify stream status while updating table IOPS"),
            (true, false, true) => {
                refuse("You cannot create or delete index while updating table IOPS")
            }
            (false, true, true) => {
                refuse("You cannot create or delete index while changing stream status")
            }
            (_, false, false) | (false, true, false) | (false, false, true) => Ok(()),
        }
    }

    fn check_warm(&self) -> Result<(), ApiError> {
        if !self.contain(Concern::WarmThroughput) || self.given.len() == 1 {
            return Ok(());
        }
        if self.creates_index {
            return Err(ApiError::parameter(
                "Create global secondary index cannot be specified when updating WarmThroughput",
            ));
        }
        Err(must_be_alone("WarmThroughput"))
    }

    fn check_attendant(&self) -> Result<(), ApiError> {
        let Attendant { consistency, witnesses } = self.attendant;
        let is_other = |concern: &Concern| *concern != Concern::Replicas;
        if (consistency || witnesses) && self.given.iter().any(is_other) {
            return Err(ApiError::parameter(
                "Requests that modify replicas or witnesses must not also modify other fields",
            ));
        }
        Ok(())
    }

    fn check_ceiling(&self) -> Result<(), ApiError> {
        let goes_along = |concern: &Concern| matches!(concern, Concern::Ceiling | Concern::Billing);
        if self.contain(Concern::Ceiling) && !self.given.iter().all(goes_along) {
            Err(ApiError::parameter(
                "OnDemandThroughput can only be combined with BillingMode in an UpdateTable \
                 request",
            ))
        } else {
            Ok(())
        }
    }

    /// Whether the table as a whole is shown as updating: the others take effect at once on AWS
    /// too.
    pub(crate) fn update_the_table(&self) -> bool {
        self.given.iter().any(|concern| match concern {
            Concern::Billing
            | Concern::Throughput
            | Concern::Ceiling
            | Concern::Stream
            | Concern::Indexes
            | Concern::Class
            | Concern::Replicas => true,
            Concern::WarmThroughput
            | Concern::IndexSettings
            | Concern::Encryption
            | Concern::DeletionProtection
            | Concern::SettingsReplication => false,
        })
    }

    /// What the table is busy with after the change, if changes take time. A ceiling is set at
    /// once, and indexes have statuses of their own.
    pub(crate) fn undertaking(&self) -> Option<Undertaking> {
        self.given.iter().find_map(|concern| match concern {
            Concern::Billing => Some(Undertaking::Billing),
            Concern::Throughput => Some(Undertaking::Throughput),
            Concern::Stream => Some(Undertaking::Stream),
            Concern::Class => Some(Undertaking::Class),
            Concern::Ceiling
            | Concern::WarmThroughput
            | Concern::IndexSettings
            | Concern::Indexes
            | Concern::Encryption
            | Concern::DeletionProtection
            | Concern::Replicas
            | Concern::SettingsReplication => None,
        })
    }

    /// All concerns.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Concern> {
        self.given.iter().copied()
    }

    /// Whether the request is about this.
    pub(crate) fn contain(&self, concern: Concern) -> bool {
        self.given.contains(&concern)
    }
}

fn must_be_alone(words: &str) -> ApiError {
    ApiError::parameter(format!("{words} must be the only operation in the request"))
}

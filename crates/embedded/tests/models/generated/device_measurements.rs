//! Measurements of devices
//!
//! Tables, entities and access patterns of the model `device-measurements`, written by `monotable
//! model export --to rust`.

use monotable::Number;
use monotable::db::Query;
use monotable::prelude::*;

/// The table `Device-measurements`.
#[derive(Table)]
#[table(
    name = "Device-measurements",
    pk = "DeviceId": number,
    sk = "epoch",
    entities(
        Measurement,
    ),
)]
pub struct DeviceMeasurements;

/// The entity `Measurement`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = DeviceMeasurements)]
#[key(by_device_id: pk = "{device_id:number}", sk = "{epoch}")]
pub struct Measurement {
    /// The attribute `DeviceId`.
    #[attr(name = "DeviceId")]
    pub device_id: Number,
    /// Seconds, as eight hexadecimal digits in upper case
    #[attr(max_len = 8)]
    pub epoch: String,
    /// The attribute `temperature`.
    pub temperature: Option<Number>,
    /// The attribute `pressure`.
    pub pressure: Option<Number>,
}

/// Access pattern: measurements between two times.
pub fn measurements_between_two_times(
    db: &Db<DeviceMeasurements>,
    device_id: Number,
    from: &str,
    to: &str,
) -> Query<measurement::ByDeviceId> {
    db.query(Measurement::by_device_id(device_id).epoch_in(from..=to))
}

/// Access pattern: latest measurement.
pub fn latest_measurement(
    db: &Db<DeviceMeasurements>,
    device_id: Number,
) -> Query<measurement::ByDeviceId> {
    db.query(Measurement::by_device_id(device_id)).desc().limit(1)
}

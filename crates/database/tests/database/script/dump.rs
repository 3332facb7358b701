//! The store's raw entries in readable form.
//!
//! The layout of the keys is written down here a second time, as the documentation of the keyspace
//! has it, so that a change of what lies on disk shows in the scripts.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use goldenscript::ArgumentConsumer;
use monotable_database::schema::{IndexSchema, KeyAttribute, TableSchema};
use monotable_item::key_encoding::KeyType;
use monotable_storage::KeyRange;

use super::ScriptResult;
use super::runner::ScriptRunner;
use super::write::print_stored;
use crate::support::json::print_hex;
use crate::support::store::Store;

/// The index number that stands for the table.
const TABLE_ITSELF: u32 = u32::MAX;

/// How much of a text in a key is printed.
const TEXT_LENGTH_MAX: usize = 20;

impl<S: Store> ScriptRunner<S> {
    pub(super) fn dump(&self, arguments: &mut ArgumentConsumer) -> ScriptResult {
        let mut families = Vec::new();
        while let Some(family) = arguments.next_pos() {
            families.push(family);
        }
        arguments.reject_next()?;
        let mut entries = self.harness.entries(&KeyRange::all());
        let counters = self.harness.counters().into_iter();
        entries.extend(counters.map(|(name, value)| (name, value.to_string().into())));
        entries.sort();
        let lines = entries.iter().filter_map(|(key, value)| {
            let (family, line) = self.names.print_entry(key, value).expect("every key is known");
            (families.is_empty() || families.contains(&family)).then(|| format!("{family} {line}"))
        });
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }
}

/// The schemas of all tables and indexes that a script ever had, by their numbers.
#[derive(Default)]
pub(super) struct KnownNames {
    tables: BTreeMap<u32, Arc<TableSchema>>,
    indexes: BTreeMap<(u32, u32), IndexSchema>,
}

impl KnownNames {
    pub(super) fn learn(&mut self, schemas: &[Arc<TableSchema>]) {
        for schema in schemas {
            self.tables.insert(schema.id.0, schema.clone());
            for index in &schema.indexes {
                self.indexes.insert((schema.id.0, index.id.0), index.clone());
            }
        }
    }

    fn print_entry(&self, key: &[u8], value: &Bytes) -> Option<(&'static str, String)> {
        let (tag, mut key) = (key[0], KeyReader(&key[1..]));
        Some(match tag {
            0x01 => ("table", key.name()?),
            0x02 => {
                let table = self.tables.get(&key.u32()?)?;
                key.skip_hash()?;
                let keys = key.table_key(table)?;
                ("item", format!("{}#{} {keys} → {}", table.name, table.id.0, stored(value)))
            }
            0x03 => {
                let table = self.tables.get(&key.u32()?)?;
                let index = self.indexes.get(&(table.id.0, key.u32()?))?;
                key.skip_hash()?;
                let mut index_keys = key.partition(&index.key.partition)?;
                for part in &index.key.sort {
                    index_keys = format!("{index_keys} {}", key.parts([part].into_iter())?);
                }
                let keys = key.hashed_or(|key| key.table_key(table))?;
                let name = format!("{}#{}.{}", table.name, table.id.0, index.name);
                ("index", format!("{name} {index_keys} | {keys} → {}", stored(value)))
            }
            0x04 => {
                let name = self.name(key.u32()?, key.u32()?)?;
                let what = if key.0 == [0] { "items" } else { "bytes" };
                ("counter", format!("{name} {what} {}", std::str::from_utf8(value).ok()?))
            }
            0x05 => {
                let table = self.tables.get(&key.u32()?)?;
                key.skip_hash()?;
                let keys = key.partition(&table.key.partition)?;
                let bytes = std::str::from_utf8(value).ok()?;
                ("collection", format!("{}#{} {keys} {bytes}", table.name, table.id.0))
            }
            0x06 => ("token", key.name()?),
            0x07 => ("garbage", self.name(key.u32()?, key.u32()?)?),
            0x08 => ("sequence", KeyReader(value).u32()?.to_string()),
            0x0D => {
                let name = self.name(key.u32()?, key.u32()?)?;
                let how_far = if value.first() == Some(&1) { "whole" } else { "partly" };
                ("fill", format!("{name} slice {} {how_far}", key.byte()?))
            }
            _ => return None,
        })
    }

    fn name(&self, table: u32, index: u32) -> Option<String> {
        let name = format!("{}#{table}", self.tables.get(&table)?.name);
        if index == TABLE_ITSELF {
            return Some(name);
        }
        Some(format!("{name}.{}", self.indexes.get(&(table, index))?.name))
    }
}

/// Short texts as they are, long ones by their start and their length.
fn print_text(text: &str) -> String {
    match text.char_indices().nth(TEXT_LENGTH_MAX) {
        Some((end, _)) => format!("{}…{}", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

fn stored(value: &Bytes) -> String {
    print_stored(&Some(value.clone()))
}

/// What is left of a key.
struct KeyReader<'k>(&'k [u8]);

impl KeyReader<'_> {
    fn u32(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        Some(u32::from_be_bytes(*number))
    }

    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    /// The name behind account and region.
    fn name(&mut self) -> Option<String> {
        let mut parts = self.0.splitn(3, |byte| *byte == 0).skip(2);
        Some(String::from_utf8_lossy(parts.next()?).into_owned())
    }

    /// What a key in its usual form says; `01` stands before the hash of a long one.
    fn hashed_or(&mut self, read: impl FnOnce(&mut Self) -> Option<String>) -> Option<String> {
        match self.byte()? {
            0 => read(self),
            _ => {
                let (hash, rest) = self.0.split_at_checked(32)?;
                self.0 = rest;
                Some(format!("hash {}", print_hex(hash.get(..4)?)))
            }
        }
    }

    fn partition(&mut self, attributes: &[KeyAttribute]) -> Option<String> {
        self.hashed_or(|key| key.parts(attributes.iter()))
    }

    fn table_key(&mut self, table: &TableSchema) -> Option<String> {
        let partition = self.partition(&table.key.partition)?;
        let sort = self.parts(table.key.sort.iter())?;
        Some(if sort.is_empty() { partition } else { format!("{partition} {sort}") })
    }

    fn skip_hash(&mut self) -> Option<()> {
        self.0 = self.0.get(8..)?;
        Some(())
    }

    fn parts<'a>(&mut self, attributes: impl Iterator<Item = &'a KeyAttribute>) -> Option<String> {
        let mut parts = Vec::new();
        for attribute in attributes {
            parts.push(match attribute.kind {
                KeyType::String => print_text(&String::from_utf8(self.bytes()?).ok()?),
                KeyType::Binary => print_hex(&self.bytes()?),
                KeyType::Number => self.number()?,
            });
        }
        Some(parts.join(" "))
    }

    /// `00` is written `00 ff`, and `00 00` ends.
    fn bytes(&mut self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            match self.byte()? {
                0x00 if self.byte()? == 0x00 => return Some(bytes),
                byte => bytes.push(byte),
            }
        }
    }

    /// Sign, exponent of the first digit + 130, digits in pairs + 1, end; negative ones with all
    /// bits flipped.
    fn number(&mut self) -> Option<String> {
        let sign = self.byte()?;
        let flip = match sign {
            0x00 => 0xFF,
            0x01 => return Some("0".to_owned()),
            _ => 0x00,
        };
        let exponent = i32::from(self.byte()? ^ flip) - 130;
        let mut digits = String::new();
        loop {
            match self.byte()? ^ flip {
                0x00 => break,
                pair => digits += &format!("{:02}", pair - 1),
            }
        }
        let (first, rest) = digits.split_at(1);
        let sign = if sign == 0x00 { "-" } else { "" };
        let number: monotable_item::Number =
            format!("{sign}{first}.{rest}e{exponent}").parse().ok()?;
        Some(number.to_string())
    }
}

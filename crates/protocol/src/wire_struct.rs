//! `wire_struct!` declares a shape of the service model once, and derives its JSON from that.
//!
//! ```text
//! wire_struct! {
//!     /// An attribute of a key.
//!     pub struct KeySchemaElement: Decode + Encode {
//!         /// The attribute's name.
//!         pub attribute_name: String = "AttributeName",
//!         /// `HASH` or `RANGE`.
//!         pub key_type: String = "KeyType",
//!     }
//! }
//! ```
//!
//! - The struct has the name that the shape has in the service model, because DynamoDB names it in
//!   its
//!   answer to a mismatch. Requests and responses stand at the root, where it is never named.
//! - Each member becomes an `Option` of its type; the text after `=` is its name on the wire.
//! - After the colon stands what to derive: `Decode`, `Encode`, `Inspect` or several of them.
//!   `DecodeFew` is `Decode` for a shape of which a table has few: a list of them is read up to a
//!   thousand, which is beyond every limit, so that whatever is wrong is said without work on the
//!   rest.
//! - Decoding skips members it does not know, as DynamoDB does, takes `null` for absent, and keeps
//!   the
//!   last of several members with one name. Encoding leaves out absent members.

macro_rules! wire_struct {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident: $first:ident + $second:ident + $third:ident $members:tt
    ) => {
        wire_struct!($(#[$attribute])* pub struct $name: $first + $second $members);
        wire_struct!(@$third $name $members);
    };
    ($(#[$attribute:meta])* pub struct $name:ident: $first:ident + $second:ident $members:tt) => {
        wire_struct!($(#[$attribute])* pub struct $name: $first $members);
        wire_struct!(@$second $name $members);
    };
    ($(#[$attribute:meta])* pub struct $name:ident: $codec:ident $members:tt) => {
        wire_struct!(@Struct $(#[$attribute])* $name $members);
        wire_struct!(@$codec $name $members);
    };
    (@Struct $(#[$attribute:meta])* $name:ident {
        $($(#[$member_attribute:meta])* pub $member:ident: $type:ty = $wire:literal,)*
    }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $name {
            $($(#[$member_attribute])* pub $member: Option<$type>,)*
        }
    };
    (@Decode $name:ident $members:tt) => {
        wire_struct!(@Decode $name $members usize::MAX);
    };
    (@DecodeFew $name:ident $members:tt) => {
        wire_struct!(@Decode $name $members $crate::decode::FEW_MAX);
    };
    (@Decode $name:ident {
        $($(#[$attribute:meta])* pub $member:ident: $type:ty = $wire:literal,)*
    } $list_max:expr) => {
        impl $crate::Decode for $name {
            const TYPE: $crate::WireType = $crate::WireType::Structure(stringify!($name));
            const LIST_MAX: usize = $list_max;

            fn decode(reader: &mut $crate::json::Reader<'_>) -> Result<Self, $crate::DecodeError> {
                if reader.peek()? != $crate::json::Token::Object {
                    return Err(reader.mismatch(Self::TYPE));
                }
                let mut shape = $name::default();
                reader.object(|reader, name| {
                    reader.set_role($crate::ValueRole::Member);
                    match &*name {
                        $($wire => shape.$member = Option::<$type>::decode(reader)?,)*
                        _ => reader.skip_value()?,
                    }
                    Ok(())
                })?;
                Ok(shape)
            }
        }
    };
    (@Encode $name:ident {
        $($(#[$attribute:meta])* pub $member:ident: $type:ty = $wire:literal,)*
    }) => {
        impl $crate::Encode for $name {
            fn encode(
                &self,
                writer: &mut $crate::json::Writer,
            ) -> Result<(), ::monotable_item::stored::CorruptItem> {
                writer.begin_object();
                $(if let Some(value) = &self.$member {
                    writer.member($wire);
                    $crate::Encode::encode(value, writer)?;
                })*
                writer.end_object();
                Ok(())
            }

            fn room_bytes(&self) -> usize {
                0 $(+ self.$member.as_ref().map_or(0, $crate::Encode::room_bytes))*
            }
        }
    };
    (@Inspect $name:ident {
        $($(#[$attribute:meta])* pub $member:ident: $type:ty = $wire:literal,)*
    }) => {
        impl $crate::inspect::Inspect for $name {
            fn inspect(&self) -> $crate::inspect::Inspected<'_> {
                $crate::inspect::Inspected::Structure(self)
            }
        }

        impl $crate::inspect::Members for $name {
            fn shape(&self) -> &'static str {
                stringify!($name)
            }

            fn for_each<'r>(&'r self, each: &mut $crate::inspect::EachMember<'_, 'r>) {
                $(each($wire, self.$member.as_ref().map($crate::inspect::Inspect::inspect));)*
            }
        }
    };
}

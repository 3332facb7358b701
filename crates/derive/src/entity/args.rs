//! What `#[entity(…)]` says.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, LitInt, LitStr, Path, Result, Token, Type, parenthesized};

/// The arguments as they stand there.
#[derive(Default)]
pub(super) struct EntityArgs {
    pub(super) table: Option<Path>,
    pub(super) tag: Option<LitStr>,
    pub(super) module: Option<LitStr>,
    version: Option<LitInt>,
    older: Vec<OlderArg>,
}

/// `1 = OrderV1`.
struct OlderArg {
    version: LitInt,
    kind: Type,
}

/// A version that items may still have, and the struct that reads it.
pub(super) struct OlderVersion {
    pub(super) version: u64,
    pub(super) kind: Type,
}

impl EntityArgs {
    pub(super) fn version(&self) -> Result<Option<u64>> {
        let Some(literal) = &self.version else { return Ok(None) };
        match literal.base10_parse()? {
            0 => Err(Error::new(literal.span(), "versions are counted from 1")),
            version => Ok(Some(version)),
        }
    }

    /// The older versions, all of which are less than the current one.
    pub(super) fn older(&self, current: Option<u64>) -> Result<Vec<OlderVersion>> {
        let mut older: Vec<OlderVersion> = Vec::new();
        for OlderArg { version: literal, kind } in &self.older {
            let wrong = |message: &str| Err(Error::new(literal.span(), message));
            let version = literal.base10_parse()?;
            match current {
                None => return wrong("an entity with older versions needs its own: `version = 2`"),
                Some(current) if version == 0 || version >= current => {
                    return wrong("an older version is from 1 up to the one before `version`");
                }
                Some(_) if older.iter().any(|it| it.version == version) => {
                    return wrong("a version is read by one struct");
                }
                Some(_) => older.push(OlderVersion { version, kind: kind.clone() }),
            }
        }
        Ok(older)
    }
}

impl Parse for OlderArg {
    fn parse(input: ParseStream<'_>) -> Result<OlderArg> {
        let version = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(OlderArg { version, kind: input.parse()? })
    }
}

impl Parse for EntityArgs {
    fn parse(input: ParseStream<'_>) -> Result<EntityArgs> {
        let mut args = EntityArgs::default();
        while !input.is_empty() {
            let word: Ident = input.parse()?;
            match word.to_string().as_str() {
                "table" => args.table = Some(value(input)?),
                "tag" => args.tag = Some(value(input)?),
                "version" => args.version = Some(value(input)?),
                "module" => args.module = Some(value(input)?),
                "older" => {
                    let inner;
                    parenthesized!(inner in input);
                    let older = Punctuated::<OlderArg, Token![,]>::parse_terminated(&inner)?;
                    args.older = older.into_iter().collect();
                }
                _ => {
                    let message = "expected table, tag, version, older or module";
                    return Err(Error::new(word.span(), message));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(args)
    }
}

fn value<T: Parse>(input: ParseStream<'_>) -> Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

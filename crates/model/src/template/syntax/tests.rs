//! Facts about the string form.

use super::*;

/// The string form reads back as it was written.
#[track_caller]
fn check(text: &str) {
    let template = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(template.to_string(), text);
}

/// The string form is refused, with this piece of it pointed at.
#[track_caller]
fn check_error(text: &str, piece: &str, message: &str) {
    let error = parse(text).unwrap_err();
    assert_eq!(&text[error.span.clone()], piece, "{error}");
    assert_eq!(error.kind.to_string(), message);
}

#[test]
fn every_encoding_is_written_as_it_is_read() {
    for text in [
        "SINGLETON",
        "{id}",
        "ORDER#{placed_at}#{id:06}",
        "{name:fold}",
        "{name:upper}#{name:slug}#{name:snake}",
        "{location:slug:digits(2)}#",
        "{host:reversed}",
        "{geohash:first(5)}#{name:fold:first(1)}#{id:first(8):raw}",
        "{email:hash}#{email:fold:hash(16)}",
        "A#{city:optional}",
        "A#{n:06:desc:optional}",
        "{id:raw}",
        "{id:fold:raw}",
        "V{version:plain}",
        "{n:01}#{n:038}",
        "{n:+06}#{n:08.2}#{n:+08.2}",
        "{n:08:desc}",
        "{n:05:desc(100000)}",
        "{at:time(s)}#{at:time(ms)}#{at:time(us):desc}",
        "{at:epoch(s)}#{at:epoch(ms):desc}",
        "{at:year}#{at:month}#{at:week}#{at:day}#{at:hour(ms)}",
        "{at:quarter}#{at:minute}#{at:minutes(5)}#{at:minutes(15,ms):desc}",
        "{date:ymd}",
        "{id:ulid}#{id:ksuid:desc}#{id:uuid}#{id:uuid7}",
        "{status:enum(NEW,PAID)}",
        "{status:enum(new=1,paid=2)}",
        "{active:bool}#{active:bool:desc}",
        "{device:number}",
        "{blob:binary}",
        "{address.country}#{lines[0].sku}",
        "{shard(id, 16)}",
        "{shard_sum(\"cert#01#{instructor:slug}#\", 20):plain}",
        "{shard_mod(order, 4, 1)}#{shard_any(10)}",
        "{!_}{candidate}_{shard}",
        "a{{b}}c",
    ] {
        check(text);
    }
}

#[test]
fn spaces_inside_braces_do_not_matter() {
    let template = parse("{ status : enum( NEW , PAID = 2 ) }#{shard( id ,16 )}").unwrap();
    assert_eq!(template.to_string(), "{status:enum(NEW,PAID=2)}#{shard(id, 16)}");
}

#[test]
fn errors_point_at_the_piece() {
    check_error("", "", "a template cannot be empty");
    check_error("A#{id", "{id", "a brace or parenthesis is not closed");
    check_error("A}#{id}", "}", "a brace that stands for itself is doubled");
    check_error("{a{b}}", "{", "a brace that stands for itself is doubled");
    check_error("{!é}{a}", "é", "a delimiter is one character of ASCII punctuation");
    check_error("{!ab}", "{!", "a delimiter is one character of ASCII punctuation");
    let path = "expected an attribute such as id, address.country or lines[0]";
    check_error("A#{}", "", path);
    check_error("A#{a..b}", "a..b", path);
    check_error("A#{a[x]}", "a[x]", path);
    check_error("A#{my name}", "my name", path);
    check_error("{id:uper}", "uper", "unknown encoding \"uper\", did you mean upper?");
    check_error("{id:ULID}", "ULID", "unknown encoding \"ULID\", did you mean ulid?");
    check_error("{id:lower}", "lower", "unknown encoding \"lower\", did you mean fold?");
    check_error("{at:ISO8601}", "ISO8601", "unknown encoding \"ISO8601\", did you mean time(s)?");
    let listed = "unknown encoding \"frob\": docs/guide/model-language.md lists them";
    check_error("{id:frob}", "frob", listed);
    check_error("{id:6}", "6", "a number has 1 to 38 digits, such as 06, +06 or 08.2");
    check_error("{id:039}", "039", "a number has 1 to 38 digits, such as 06, +06 or 08.2");
    check_error("{id:03.2}", "03.2", "a number has 1 to 38 digits, such as 06, +06 or 08.2");
    check_error("{at:time}", "time", "expected time(s), time(ms) or time(us)");
    check_error("{at:time(m)}", "time(m)", "expected time(s), time(ms) or time(us)");
    check_error("{a:upper(3)}", "upper(3)", "expected no arguments");
    check_error(
        "{a:enum(x,x)}",
        "enum(x,x)",
        "expected enum(A, B) or enum(a=1, b=2), with distinct values and tokens",
    );
    check_error("{a:first}", "first", "expected first(n), with n from 1 to 255");
    check_error("{a:first(0)}", "first(0)", "expected first(n), with n from 1 to 255");
    check_error("{a:first(3):upper}", "upper", "a step of text cannot follow first");
    check_error("{a:digits(3):first(2)}", "first(2)", "first cannot follow digits");
    check_error("{a:hash(65)}", "hash(65)", "expected hash, or hash(n) with n from 1 to 64");
    check_error("{a:raw:hash}", "hash", "hash cannot follow raw");
    check_error("{a:hash:desc}", "desc", "desc cannot follow hash");
    let minutes = "expected minutes(5) or minutes(5, ms), with a part of an hour from 2 to 30";
    check_error("{at:minutes(7)}", "minutes(7)", minutes);
    check_error("{at:minutes}", "minutes", minutes);
    let optional =
        "only the last part of a key can be optional, and something must stand before it";
    check_error("{a:optional}", "{a:optional}", optional);
    check_error("{a:optional}#{b}", "{a:optional}#{b}", optional);
    check_error("{shard(\"A#{b:optional}\", 4)}", "A#{b:optional}", optional);
    check_error("A#{b:optional:fold}", "optional", "expected optional as the last word, and once");
    check_error("{name:desc}", "desc", "desc cannot follow text");
    check_error("{n:06:desc:desc}", "desc", "desc cannot follow a number of fixed width");
    check_error("{n:06:upper}", "upper", "a step of text cannot follow a number of fixed width");
    check_error("{n:raw:upper}", "upper", "a step of text cannot follow raw");
    check_error("{n:upper:06}", "06", "another encoding cannot follow text");
    check_error(
        "A#{n:number}",
        "A#{n:number}",
        "a key of type N is one attribute and nothing else",
    );
    check_error(
        "{hash(id, 4)}",
        "hash",
        "unknown function \"hash\": expected shard, shard_sum, shard_mod or shard_any",
    );
    check_error(
        "{shard_any(0)}",
        "shard_any(0)",
        "expected shard_any(count) or shard_any(count, first)",
    );
    check_error("{shard_sum(\"A#{b\", 4)}", "{b", "a brace or parenthesis is not closed");
    check_error("{shard(id, 4):06}", "06", "expected plain, or nothing");
}

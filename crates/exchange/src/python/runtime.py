class KeyValueError(ValueError):
    """A value that cannot be written into a key."""

Number = Union[int, Decimal]

Item = Dict[str, Any]

class Client(Protocol):
    """What is used of `boto3.client("dynamodb")`."""
    @property
    def get_item(self) -> Callable[..., Any]: ...
    @property
    def put_item(self) -> Callable[..., Any]: ...
    @property
    def update_item(self) -> Callable[..., Any]: ...
    @property
    def delete_item(self) -> Callable[..., Any]: ...
    @property
    def query(self) -> Callable[..., Any]: ...
    @property
    def scan(self) -> Callable[..., Any]: ...
    @property
    def batch_get_item(self) -> Callable[..., Any]: ...
    @property
    def batch_write_item(self) -> Callable[..., Any]: ...
    @property
    def transact_get_items(self) -> Callable[..., Any]: ...
    @property
    def transact_write_items(self) -> Callable[..., Any]: ...

@dataclass(frozen=True)
class Database:
    """Where the items are: the client, and the names of tables that are not the model's."""
    client: Client
    tables: Mapping[str, str] = field(default_factory=dict)

@dataclass(frozen=True)
class Cursor:
    """Where a page ended. A sharded access pattern has several requests, one after the other."""
    request: int
    key: Optional[Item] = None

@dataclass(frozen=True)
class PageOptions:
    """Which page of an answer is wanted: where it begins, how many items, in which order."""
    start: Optional[Cursor] = None
    limit: Optional[int] = None
    descending: Optional[bool] = None

FIRST_PAGE = PageOptions()

Row = TypeVar("Row")

@dataclass(frozen=True)
class Page(Generic[Row]):
    """A part of an answer, and where the next one begins."""
    rows: List[Row]
    next: Optional[Cursor] = None

Write = Dict[str, Dict[str, Any]]

def every(read: Callable[[PageOptions], Page[Row]]) -> Iterator[Row]:
    """All rows of an access pattern, page by page: `every(lambda page: orders(db, id=1, page=page))`."""
    page = read(FIRST_PAGE)
    yield from page.rows
    while page.next is not None:
        page = read(PageOptions(start=page.next))
        yield from page.rows

def transact(db: Database, writes: Sequence[Write], token: Optional[str] = None) -> None:
    """Makes all writes or none. With a token, a repeated call writes nothing again."""
    members = [{kind: _marshalled(member) for kind, member in write.items()} for write in writes]
    options = {} if token is None else {"ClientRequestToken": token}
    db.client.transact_write_items(TransactItems=members, **options)

def _table_name(db: Database, name: str) -> str:
    return db.tables.get(name, TABLES[name])

def _present(values: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}

def _all_of(conditions: Sequence[Optional[str]]) -> Optional[str]:
    """Conditions that must all hold, of which some may be absent."""
    return " AND ".join(condition for condition in conditions if condition is not None) or None

def _some_of(values: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
    """The values that are there; nothing if none is: requests have no empty maps."""
    return _present(values) or None

def _marshal(value: Any) -> Dict[str, Any]:
    if isinstance(value, bool):
        return {"BOOL": value}
    if isinstance(value, str):
        return {"S": value}
    if isinstance(value, (int, Decimal)):
        return {"N": _decimal(value)}
    if isinstance(value, (bytes, bytearray)):
        return {"B": bytes(value)}
    if value is None:
        return {"NULL": True}
    if isinstance(value, Mapping):
        return {"M": {name: _marshal(member) for name, member in value.items()}}
    if isinstance(value, (set, frozenset)):
        return _marshal_set(value)
    if isinstance(value, Sequence):
        return {"L": [_marshal(element) for element in value]}
    raise TypeError(f"{value!r} is no value of an attribute")

def _marshal_set(values: AbstractSet[Any]) -> Dict[str, Any]:
    if all(isinstance(value, str) for value in values):
        return {"SS": sorted(values)}
    if all(isinstance(value, (int, Decimal)) for value in values):
        return {"NS": [_decimal(value) for value in sorted(values)]}
    return {"BS": sorted(bytes(value) for value in values)}

def _unmarshal(value: Mapping[str, Any]) -> Any:
    ((kind, content),) = value.items()
    if kind == "N":
        return _number(content)
    if kind == "M":
        return {name: _unmarshal(member) for name, member in content.items()}
    if kind == "L":
        return [_unmarshal(element) for element in content]
    if kind in ("SS", "BS"):
        return set(content)
    if kind == "NS":
        return {_number(number) for number in content}
    return None if kind == "NULL" else content

def _number(text: str) -> Number:
    number = Decimal(text)
    return int(number) if number == number.to_integral_value() else number

def _unmarshal_item(item: Mapping[str, Any]) -> Item:
    return {name: _unmarshal(value) for name, value in item.items()}

def _marshalled(request: Mapping[str, Any]) -> Dict[str, Any]:
    typed = ("Key", "Item", "ExpressionAttributeValues", "ExclusiveStartKey")
    return {
        name: {inner: _marshal(value) for inner, value in member.items()} if name in typed else member
        for name, member in request.items()
    }

def _get_item(db: Database, request: Mapping[str, Any]) -> Optional[Item]:
    item = db.client.get_item(**_marshalled(request)).get("Item")
    return None if item is None else _unmarshal_item(item)

def _write(db: Database, action: Write, returns: Optional[str] = None) -> Optional[Item]:
    ((kind, request),) = action.items()
    if kind == "ConditionCheck":
        transact(db, [action])
        return None
    calls = {"Put": db.client.put_item, "Update": db.client.update_item, "Delete": db.client.delete_item}
    options = {} if returns is None else {"ReturnValues": returns}
    attributes = calls[kind](**_marshalled(request), **options).get("Attributes")
    return None if attributes is None else _unmarshal_item(attributes)

def _write_each(db: Database, actions: Sequence[Write]) -> None:
    for action in actions:
        _write(db, action)

def _query(db: Database, requests: Sequence[Mapping[str, Any]], page: PageOptions) -> Page[Item]:
    return _read_page(db.client.query, requests, page)

def _scan(db: Database, requests: Sequence[Mapping[str, Any]], page: PageOptions) -> Page[Item]:
    return _read_page(db.client.scan, requests, page)

def _read_page(
    call: Callable[..., Any], requests: Sequence[Mapping[str, Any]], page: PageOptions
) -> Page[Item]:
    number = 0 if page.start is None else page.start.request
    if number >= len(requests):
        return Page([])
    request = dict(requests[number])
    if page.limit is not None:
        request["Limit"] = page.limit
    if page.descending is not None:
        request["ScanIndexForward"] = not page.descending
    if page.start is not None and page.start.key is not None:
        request["ExclusiveStartKey"] = page.start.key
    answer = call(**_marshalled(request))
    rows = [_unmarshal_item(item) for item in answer.get("Items", [])]
    if "LastEvaluatedKey" in answer:
        return Page(rows, Cursor(number, _unmarshal_item(answer["LastEvaluatedKey"])))
    return Page(rows, Cursor(number + 1) if number + 1 < len(requests) else None)

def _fetch_whole(db: Database, table: str, keys: Sequence[str], page: Page[Item]) -> Page[Item]:
    wanted = [{"TableName": table, "Key": {name: row[name] for name in keys}} for row in page.rows]
    found = {tuple(row[name] for name in keys): row for row in _batch_get(db, wanted)}
    rows = [found.get(tuple(row[name] for name in keys), row) for row in page.rows]
    return Page(rows, page.next)

def _batch_get(db: Database, gets: Sequence[Mapping[str, Any]]) -> List[Item]:
    found: List[Item] = []
    for start in range(0, len(gets), 100):
        wanted: Dict[str, Dict[str, Any]] = {}
        for get in gets[start : start + 100]:
            request = _marshalled(get)
            keys = wanted.get(request["TableName"], {}).get("Keys", [])
            options = {name: request[name] for name in request if name not in ("TableName", "Key")}
            wanted[request["TableName"]] = {**options, "Keys": [*keys, request["Key"]]}
        attempt = 0
        while wanted:
            _pause(attempt)
            answer = db.client.batch_get_item(RequestItems=wanted)
            for items in answer.get("Responses", {}).values():
                found.extend(_unmarshal_item(item) for item in items)
            wanted = answer.get("UnprocessedKeys", {})
            attempt += 1
    return found

def _batch_write(db: Database, writes: Sequence[Write]) -> None:
    for start in range(0, len(writes), 25):
        wanted: Dict[str, List[Dict[str, Any]]] = {}
        for write in writes[start : start + 25]:
            ((kind, request),) = write.items()
            member = _marshalled(request)
            part = "Item" if kind == "Put" else "Key"
            wanted.setdefault(request["TableName"], []).append({f"{kind}Request": {part: member[part]}})
        attempt = 0
        while wanted:
            _pause(attempt)
            wanted = db.client.batch_write_item(RequestItems=wanted).get("UnprocessedItems", {})
            attempt += 1

def _transact_get(db: Database, gets: Sequence[Mapping[str, Any]]) -> List[Item]:
    members = []
    for get in gets:
        member = _marshalled(get)
        member.pop("ConsistentRead", None)
        members.append({"Get": member})
    answers = db.client.transact_get_items(TransactItems=members).get("Responses", [])
    return [_unmarshal_item(answer["Item"]) for answer in answers if "Item" in answer]

def _pause(attempt: int) -> None:
    if attempt > 10:
        raise RuntimeError("the table leaves items of a batch unprocessed, time after time")
    if attempt > 0:
        time.sleep(0.025 * 2**attempt)

def _one(item: Optional[Item], read: Callable[[Item], Row]) -> Optional[Row]:
    return None if item is None else read(item)

def _select(page: Page[Item], read: Callable[[Item], Optional[Row]]) -> Page[Row]:
    return Page(_select_all(page.rows, read), page.next)

def _select_all(items: Sequence[Item], read: Callable[[Item], Optional[Row]]) -> List[Row]:
    rows = (read(item) for item in items)
    return [row for row in rows if row is not None]

def _has_form(value: object, pattern: str) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII | re.DOTALL) is not None

class _Untouched(Enum):
    UNTOUCHED = "untouched"

_UNTOUCHED = _Untouched.UNTOUCHED

def _patch_of(
    table: str, key: Item, changes: Mapping[str, Any], lock: Optional[Tuple[str, Number]] = None
) -> Write:
    names: Dict[str, str] = {}
    values: Item = {}
    sets: List[str] = []
    removes: List[str] = []
    for place, (name, value) in enumerate(changes.items()):
        if value is _UNTOUCHED:
            continue
        names[f"#n{place}"] = name
        if value is None:
            removes.append(f"#n{place}")
        else:
            values[f":v{place}"] = value
            sets.append(f"#n{place} = :v{place}")
    conditions: List[str] = []
    for place, name in enumerate(key):
        names[f"#k{place}"] = name
        conditions.append(f"attribute_exists(#k{place})")
    if lock is not None:
        names["#lock"] = lock[0]
        values.update({":read": lock[1], ":one": 1})
        sets.append("#lock = #lock + :one")
        conditions.append("#lock = :read")
    sections = [f"SET {', '.join(sets)}"] if sets else []
    sections += [f"REMOVE {', '.join(removes)}"] if removes else []
    if not sections:
        raise ValueError("a patch changes nothing")
    update: Dict[str, Any] = {
        "TableName": table,
        "Key": key,
        "UpdateExpression": " ".join(sections),
        "ConditionExpression": " AND ".join(conditions),
        "ExpressionAttributeNames": names,
    }
    if values:
        update["ExpressionAttributeValues"] = values
    return {"Update": update}

def _name_of(value: object) -> str:
    return str(value)

def _numbers(first: int, count: int) -> List[int]:
    return list(range(first, first + count))

def _filled(text: str) -> str:
    if not text:
        raise KeyValueError("a part of a key is empty")
    return text

def _escaped(value: str, delimiter: str, escape: str) -> str:
    """Text in which the delimiter and its escape are replaced by codes that sort as they do."""
    smaller = min(delimiter, escape)
    codes = {c: escape + ("0" if c == smaller else "1") for c in (delimiter, escape)}
    return "".join(codes.get(character, character) for character in value)

def _text(value: str, delimiter: str, escape: str) -> str:
    return _filled(_escaped(value, delimiter, escape))

def _raw(value: str) -> str:
    return _filled(value)

def _fold(value: str) -> str:
    return "".join(character.lower() for character in value)

def _upper(value: str) -> str:
    return "".join(character.upper() for character in value)

_SPACES = re.compile("[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")

def _slug(value: str) -> str:
    return _fold(_SPACES.sub("", value))

def _snake(value: str) -> str:
    return _upper(_SPACES.sub("_", value))

def _first(value: str, count: int) -> str:
    return value[:count]

def _reversed(value: str) -> str:
    return value[::-1]

def _digits(value: str, width: int) -> str:
    return re.sub("[0-9]+", lambda run: run.group().rjust(width, "0"), value)

def _digits_beginning(value: str, width: int) -> str:
    if re.search("[0-9]$", value) is not None:
        raise KeyValueError(f"{value!r} ends inside of a number")
    return _digits(value, width)

def _decimal(value: Number) -> str:
    """A number without an exponent."""
    number = Decimal(value)
    if not number.is_finite():
        raise KeyValueError(f"{value} is not a number")
    written = f"{number:f}"
    if "." in written:
        written = written.rstrip("0").rstrip(".")
    return "0" if written in ("-0", "") else written

def _scaled(value: Number, fraction: int) -> int:
    before, _, after = _decimal(value).partition(".")
    if len(after) > fraction:
        raise KeyValueError(f"{value} has more than {fraction} decimals")
    return int(before + after.ljust(fraction, "0"))

def _whole(value: Number) -> str:
    return str(_scaled(value, 0))

def _width(code: int, before: int, after: int) -> str:
    written = str(code).rjust(before + after, "0")
    if code < 0 or len(written) > before + after:
        raise KeyValueError(f"a number does not fit {before} digits")
    return f"{written[:before]}.{written[before:]}" if after else written

def _padded(value: Number, before: int, after: int) -> str:
    return _width(_scaled(value, after), before, after)

def _offset(value: Number, before: int, after: int) -> str:
    """A number with half of the range added, so that negative ones come first."""
    return _width(_scaled(value, after) + 10 ** (before + after) // 2, before, after)

def _complement(total: int, value: Number, before: int) -> str:
    number = _scaled(value, 0)
    if number < 0:
        raise KeyValueError(f"{value} is negative")
    return _width(total - number, before, 0)

def _descending(value: str, alphabet: str) -> str:
    """Each character replaced by its mirror image in an alphabet, which turns the order round."""
    return value.translate(str.maketrans(alphabet, alphabet[::-1]))

def _shaped(value: str, pattern: str, name: str) -> str:
    if re.fullmatch(pattern, value) is None:
        raise KeyValueError(f"{value!r} is no {name}")
    return value

def _ulid(value: str) -> str:
    return _shaped(value, "[0-7][0-9A-HJKMNP-TV-Z]{25}", "ULID in upper case")

def _ksuid(value: str) -> str:
    written = _shaped(value, "[0-9A-Za-z]{27}", "KSUID")
    if written > "aWgEPTl1tmebfsQzFP4bxwgy80V":
        raise KeyValueError(f"{value} is greater than any KSUID")
    return written

def _uuid(value: str) -> str:
    pattern = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    return _shaped(value, pattern, "UUID in lower case")

def _uuid7(value: str) -> str:
    pattern = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    return _shaped(value, pattern, "UUID of version 7 in lower case")

def _flag(value: bool) -> str:
    return "1" if value else "0"

def _token(value: str, tokens: Mapping[str, str]) -> str:
    if value not in tokens:
        raise KeyValueError(f"{value!r} is none of {', '.join(tokens)}")
    return tokens[value]

_MICROS = {"s": 1_000_000, "ms": 1_000, "us": 1}

_DAY_MICROS = 86_400_000_000

_TIME = re.compile(
    "([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})"
    r"(?:\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2})))?"
)

def _day_number(year: int, month: int, day: int, source: str) -> int:
    """Days since 1970. Year 0000, which `date` lacks, has the length of year 0400."""
    try:
        if year == 0:
            return date(400, month, day).toordinal() - 719_163 - 146_097
        return date(year, month, day).toordinal() - 719_163
    except ValueError:
        raise KeyValueError(f"{source} is no date") from None

def _day_of(days: int) -> Tuple[int, int, int]:
    if days < -719_162:
        shifted = date.fromordinal(days + 719_163 + 146_097)
        return (shifted.year - 400, shifted.month, shifted.day)
    found = date.fromordinal(days + 719_163)
    return (found.year, found.month, found.day)

def _moment(value: Union[str, Number], unit: str, takes_dates: bool) -> int:
    """Microseconds since 1970, of RFC 3339 or of a number that counts a unit."""
    if not isinstance(value, str):
        return _in_years(_scaled(value, {"s": 6, "ms": 3, "us": 0}[unit]), value)
    found = _TIME.fullmatch(value)
    if found is None or (found[4] is None and not takes_dates):
        raise KeyValueError(f"{value!r} is no time such as 2026-01-03T12:00:00Z")
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    hours, minutes = int(found[9] or 0), int(found[10] or 0)
    if hour > 23 or minute > 59 or second > 59 or hours > 23 or minutes > 59:
        raise KeyValueError(f"{value!r} is no time of a day")
    away = (-1 if found[8] == "-" else 1) * (hours * 3600 + minutes * 60)
    micros = int((found[7] or "").ljust(6, "0")[:6])
    seconds = _day_number(year, month, day, value) * 86_400 + hour * 3600 + minute * 60 + second
    return _in_years((seconds - away) * 1_000_000 + micros, value)

def _in_years(micros: int, value: object) -> int:
    if not -62_167_219_200_000_000 <= micros < 253_402_300_800_000_000:
        raise KeyValueError(f"{value} is outside of the years 0000 to 9999")
    return micros

def _rfc3339(micros: int, kept: int) -> str:
    """The beginning of the RFC 3339 form in UTC."""
    days, of_day = divmod(micros, _DAY_MICROS)
    year, month, day = _day_of(days)
    seconds, rest = divmod(of_day, 1_000_000)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:06}"
    return f"{year:04}-{month:02}-{day:02}T{clock}"[:kept]

def _timestamp(value: Union[str, Number], unit: str) -> str:
    return _rfc3339(_moment(value, unit, False), {"s": 19, "ms": 23, "us": 26}[unit]) + "Z"

def _epoch(value: Union[str, Number], unit: str) -> str:
    digits = {"s": 10, "ms": 13}[unit]
    count = _moment(value, unit, False) // _MICROS[unit]
    if count < 0 or len(str(count)) > digits:
        raise KeyValueError(f"{value} has too many digits")
    return str(count).rjust(digits, "0")

def _period(value: Union[str, Number], name: str, unit: str) -> str:
    return _period_of(_moment(value, unit, _takes_dates(name)), name)

def _takes_dates(name: str) -> bool:
    """Whether a period is a day or more, so that a date tells it."""
    return _period_micros(name) == _DAY_MICROS

def _period_micros(name: str) -> int:
    """The length of a period, or of a day if it is longer."""
    if name == "hour":
        return 3_600_000_000
    if name == "minute":
        return 60_000_000
    return int(name.split()[0]) * 60_000_000 if name.endswith(" minutes") else _DAY_MICROS

def _period_of(micros: int, name: str) -> str:
    if name == "week":
        return _week_of(micros // _DAY_MICROS)
    if name == "quarter":
        return f"{_rfc3339(micros, 4)}-Q{(int(_rfc3339(micros, 7)[5:]) + 2) // 3}"
    kept = {"year": 4, "month": 7, "day": 10, "hour": 13}.get(name)
    window = _period_micros(name)
    return _rfc3339(micros // window * window, 16) if kept is None else _rfc3339(micros, kept)

def _week_of(days: int) -> str:
    """A week belongs to the year that its Thursday is in."""
    thursday = days - (days + 3) % 7 + 3
    year = _day_of(thursday)[0]
    week = (thursday - _day_number(year, 1, 1, "a week")) // 7 + 1
    return f"{year:04}-W{week:02}"

def _periods(start: Union[str, Number], end: Union[str, Number], name: str, unit: str) -> List[str]:
    """The periods from one time to another, both included."""
    step = _period_micros(name)
    last = _period(end, name, unit)
    micros = _moment(start, unit, _takes_dates(name)) // step * step
    found = [_period_of(micros, name)]
    if found[0] > last:
        raise KeyValueError("the range ends before it begins")
    while found[-1] < last:
        micros += step
        current = _period_of(micros, name)
        if current != found[-1]:
            found.append(current)
        if len(found) > 1000:
            raise KeyValueError("a range of more than 1000 periods")
    return found

def _in_order(times: List[str], page: PageOptions, descending: bool) -> List[str]:
    """Periods in the order in which their rows are wanted."""
    is_descending = descending if page.descending is None else page.descending
    return times[::-1] if is_descending else times

def _hashed(value: str, count: int) -> str:
    """The first digits of the SHA-256 of a text."""
    return hashlib.sha256(_filled(value).encode()).hexdigest()[:count]

def _year_first(value: str) -> str:
    """`MM/DD/YYYY` turned year first."""
    found = re.fullmatch("([0-9]{2})/([0-9]{2})/([0-9]{4})", value)
    if found is None:
        raise KeyValueError(f"{value!r} is no date such as 01/31/2026")
    month, day, year = found.groups()
    _day_number(int(year), int(month), int(day), value)
    return f"{year}/{month}/{day}"

def _shard(offset: int, first: int, width: int) -> str:
    return str(first + offset).rjust(width, "0")

def _chosen_shard(number: Number, first: int, count: int, width: int) -> str:
    if number != int(number) or not first <= number < first + count:
        raise KeyValueError(f"there is no shard {number}")
    return str(int(number)).rjust(width, "0")

def _shard_hash(value: str, count: int) -> int:
    """The shard of a text by its FNV-1a hash of 64 bits."""
    result = 0xCBF29CE484222325
    for byte in value.encode():
        result = (result ^ byte) * 0x100000001B3 % 2**64
    return result % count

def _shard_sum(value: str, count: int) -> int:
    return sum(map(ord, value)) % count

def _shard_modulus(value: str, count: int) -> int:
    if re.fullmatch("-?[0-9]+", value) is None:
        raise KeyValueError(f"{value!r} is no whole number")
    return int(value) % count

def _after_all(value: str) -> str:
    """The least text after all that begin with this one."""
    kept = value
    while kept:
        kept, code = kept[:-1], ord(kept[-1])
        if code < 0x10FFFF:
            return kept + chr(0xE000 if code == 0xD7FF else code + 1)
    return value + "\U0010ffff"

def _before(value: str) -> str:
    """A text between this one and all others of its width that are before it."""
    if not value or value[-1] == "\0":
        return ""
    code = ord(value[-1])
    return value[:-1] + chr(0xD7FF if code == 0xE000 else code - 1) + "\U0010ffff"

def _own_key(name: str, given: object, built: str) -> str:
    """A key that is an attribute too: it has to be given in the form that its template builds."""
    if given is not None and given != built:
        raise KeyValueError(f"{name} is given as {given!r}, and its template builds {built!r}")
    return built

def _key_part(key: object, pattern: str) -> Optional[str]:
    """What stands in a key for an attribute that the item does not hold itself."""
    found = re.fullmatch(pattern, key, re.ASCII | re.DOTALL) if isinstance(key, str) else None
    return None if found is None else found[1]

def _unescaped(value: Optional[str], delimiter: str, escape: str) -> Optional[str]:
    if value is None:
        return None
    smaller, greater = sorted((delimiter, escape))
    return value.replace(f"{escape}0", smaller).replace(f"{escape}1", greater)

def _number_of(value: Optional[str]) -> Optional[Number]:
    return None if value is None else _number(value)

def _is_number(value: object) -> bool:
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)

def _is_before(left: Any, right: Any) -> bool:
    if _is_number(left) and _is_number(right):
        return bool(left < right)
    return isinstance(left, str) and isinstance(right, str) and left < right

def _is_equal(left: Any, right: Any) -> bool:
    if _is_number(left) and _is_number(right):
        return bool(left == right)
    return left is not None and type(left) is type(right) and bool(left == right)

def _begins_with(value: Any, prefix: Any) -> bool:
    return isinstance(value, str) and isinstance(prefix, str) and value.startswith(prefix)

def _holds(value: Any, element: Any) -> bool:
    if isinstance(value, str):
        return isinstance(element, str) and element in value
    return isinstance(value, (set, frozenset, list)) and element in value

def _exists(value: object) -> bool:
    return value is not None

/** A value that cannot be written into a key. */
export class KeyError extends Error {}

/** An item, or a key, as it is stored. */
export type Item = Record<string, unknown>;

/** Where the items are: the document client, and the names of tables that are not the model's. */
export interface Database {
  readonly client: DynamoDBDocumentClient;
  readonly tables?: Readonly<Record<string, string>>;
}

/** Which page of an answer is wanted. */
export interface PageOptions {
  /** Where the page before it ended. */
  readonly from?: Cursor;
  /** How many items are read at most. */
  readonly limit?: number;
  /** The order of sort keys, where it is not that of the access pattern. */
  readonly descending?: boolean;
}

/** Where a page ended. It is plain data, and can be kept as JSON. */
export interface Cursor {
  /** Which of the requests of the access pattern goes on: a sharded one has several. */
  readonly request: number;
  readonly key?: Item;
}

/** A part of an answer. */
export interface Page<Row> {
  readonly rows: Row[];
  /** Where the next page begins; nothing if this is the last one. */
  readonly next?: Cursor;
}

/** A write, in the form in which it is a member of a transaction. */
export type Write = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** All rows of an access pattern, page by page: `every((page) => orders(db, { id }, page))`. */
export async function* every<Row>(
  read: (page: PageOptions) => Promise<Page<Row>>,
): AsyncGenerator<Row> {
  let from: Cursor | undefined;
  do {
    const page = await read(from === undefined ? {} : { from });
    yield* page.rows;
    from = page.next;
  } while (from !== undefined);
}

/** Makes all writes or none. With a token, a repeated call writes nothing again. */
export async function transact(
  db: Database,
  writes: readonly Write[],
  token?: string,
): Promise<void> {
  const input = { TransactItems: [...writes], ClientRequestToken: token };
  await db.client.send(new TransactWriteCommand(input));
}

function tableName(db: Database, name: keyof typeof TABLES): string {
  return db.tables?.[name] ?? TABLES[name];
}

function present<T extends object>(values: T): T {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}

/** Conditions that must all hold, of which some may be absent. */
function allOf(conditions: ReadonlyArray<string | undefined>): string | undefined {
  const sent = conditions.filter((condition) => condition !== undefined);
  return sent.length > 0 ? sent.join(" AND ") : undefined;
}

/** The values that are there; nothing if none is: requests have no empty maps. */
function someOf<Value>(
  values: Readonly<Record<string, Value | undefined>>,
): Record<string, Value> | undefined {
  const entries = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** A member that an object has itself, and not from its prototype. */
function own<Of extends object, Name extends keyof Of>(
  of: Of | undefined,
  name: Name,
): NonNullable<Of[Name]> {
  const value = of !== undefined && Object.hasOwn(of, name) ? of[name] : undefined;
  return value as NonNullable<Of[Name]>;
}

async function getItem(db: Database, request: GetCommandInput): Promise<Item | undefined> {
  return (await db.client.send(new GetCommand(request))).Item;
}

async function write(
  db: Database,
  action: Write,
  returns?: ReturnValue,
): Promise<Item | undefined> {
  const { Put, Update, Delete } = action;
  if (Put !== undefined) {
    return (await db.client.send(new PutCommand({ ...Put, ReturnValues: returns }))).Attributes;
  }
  if (Update !== undefined) {
    return (await db.client.send(new UpdateCommand({ ...Update, ReturnValues: returns })))
      .Attributes;
  }
  if (Delete !== undefined) {
    return (await db.client.send(new DeleteCommand({ ...Delete, ReturnValues: returns })))
      .Attributes;
  }
  await transact(db, [action]);
  return undefined;
}

async function writeEach(db: Database, actions: readonly Write[]): Promise<void> {
  for (const action of actions) {
    await write(db, action);
  }
}

async function query(
  db: Database,
  requests: readonly QueryCommandInput[],
  page: PageOptions,
): Promise<Page<Item>> {
  const number = page.from?.request ?? 0;
  const request = requests[number];
  if (request === undefined) {
    return { rows: [] };
  }
  const forward = page.descending === undefined ? request.ScanIndexForward : !page.descending;
  const answer = await db.client.send(
    new QueryCommand({ ...request, ...paging(request, page), ScanIndexForward: forward }),
  );
  return pageOf(answer, number, requests.length);
}

async function scan(
  db: Database,
  requests: readonly ScanCommandInput[],
  page: PageOptions,
): Promise<Page<Item>> {
  const number = page.from?.request ?? 0;
  const request = requests[number];
  if (request === undefined) {
    return { rows: [] };
  }
  const answer = await db.client.send(new ScanCommand({ ...request, ...paging(request, page) }));
  return pageOf(answer, number, requests.length);
}

function paging(request: { Limit?: number | undefined }, page: PageOptions): object {
  return present({ Limit: page.limit ?? request.Limit, ExclusiveStartKey: page.from?.key });
}

function pageOf(
  answer: { Items?: Item[] | undefined; LastEvaluatedKey?: Item | undefined },
  request: number,
  requests: number,
): Page<Item> {
  const rows = answer.Items ?? [];
  if (answer.LastEvaluatedKey !== undefined) {
    return { rows, next: { request, key: answer.LastEvaluatedKey } };
  }
  return request + 1 < requests ? { rows, next: { request: request + 1 } } : { rows };
}

async function fetchWhole(
  db: Database,
  table: string,
  keys: readonly string[],
  page: Page<Item>,
): Promise<Page<Item>> {
  const keyOf = (row: Item): Item => Object.fromEntries(keys.map((name) => [name, row[name]]));
  const wanted = page.rows.map((row) => ({ TableName: table, Key: keyOf(row) }));
  const found = await batchGet(db, wanted);
  const text = (row: Item): string => JSON.stringify(keys.map((name) => row[name]));
  const byKey = new Map(found.map((row) => [text(row), row]));
  const rows = page.rows.map((row) => byKey.get(text(row)) ?? row);
  return { ...page, rows };
}

async function batchGet(db: Database, gets: readonly GetCommandInput[]): Promise<Item[]> {
  const found: Item[] = [];
  for (let start = 0; start < gets.length; start += 100) {
    let wanted: NonNullable<BatchGetCommandInput["RequestItems"]> = {};
    for (const { TableName, Key, ...options } of gets.slice(start, start + 100)) {
      const name = TableName ?? "";
      const keys = wanted[name]?.Keys ?? [];
      wanted[name] = { ...options, Keys: [...keys, Key ?? {}] };
    }
    for (let attempt = 0; Object.keys(wanted).length > 0; attempt += 1) {
      await pause(attempt);
      const answer = await db.client.send(new BatchGetCommand({ RequestItems: wanted }));
      found.push(...Object.values(answer.Responses ?? {}).flat());
      wanted = answer.UnprocessedKeys ?? {};
    }
  }
  return found;
}

async function batchWrite(db: Database, writes: readonly Write[]): Promise<void> {
  for (let start = 0; start < writes.length; start += 25) {
    let wanted: NonNullable<BatchWriteCommandInput["RequestItems"]> = {};
    for (const { Put, Delete } of writes.slice(start, start + 25)) {
      const name = Put?.TableName ?? Delete?.TableName ?? "";
      const request =
        Put === undefined
          ? { DeleteRequest: { Key: Delete?.Key ?? {} } }
          : { PutRequest: { Item: Put.Item ?? {} } };
      wanted[name] = [...(wanted[name] ?? []), request];
    }
    for (let attempt = 0; Object.keys(wanted).length > 0; attempt += 1) {
      await pause(attempt);
      const answer = await db.client.send(new BatchWriteCommand({ RequestItems: wanted }));
      wanted = answer.UnprocessedItems ?? {};
    }
  }
}

async function transactGet(
  db: Database,
  gets: readonly GetCommandInput[],
): Promise<Item[]> {
  const members = gets.map(({ ConsistentRead: _, ...Get }) => ({ Get }));
  const answer = await db.client.send(new TransactGetCommand({ TransactItems: members }));
  return (answer.Responses ?? []).flatMap(({ Item: item }) => (item === undefined ? [] : [item]));
}

async function pause(attempt: number): Promise<void> {
  if (attempt > 10) {
    throw new Error("the table leaves items of a batch unprocessed, time after time");
  }
  if (attempt > 0) {
    await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** attempt));
  }
}

function one<Row>(item: Item | undefined, read: (item: Item) => Row): Row | undefined {
  return item === undefined ? undefined : read(item);
}

function select<Row>(page: Page<Item>, read: (item: Item) => Row | undefined): Page<Row> {
  return { ...page, rows: selectAll(page.rows, read) };
}

function selectAll<Row>(items: readonly Item[], read: (item: Item) => Row | undefined): Row[] {
  return items.map(read).filter((row) => row !== undefined);
}

function hasForm(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

function patchOf(
  table: string,
  key: Item,
  changes: Item,
  lock?: { readonly attribute: string; readonly read: number },
): Write {
  const names: Record<string, string> = {};
  const values: Item = {};
  const sets: string[] = [];
  const removes: string[] = [];
  Object.entries(changes).forEach(([name, value], place) => {
    if (value === undefined) {
      return;
    }
    names[`#n${place}`] = name;
    if (value === null) {
      removes.push(`#n${place}`);
    } else {
      values[`:v${place}`] = value;
      sets.push(`#n${place} = :v${place}`);
    }
  });
  const conditions = Object.keys(key).map((name, place) => {
    names[`#k${place}`] = name;
    return `attribute_exists(#k${place})`;
  });
  if (lock !== undefined) {
    names["#lock"] = lock.attribute;
    values[":read"] = lock.read;
    values[":one"] = 1;
    sets.push("#lock = #lock + :one");
    conditions.push("#lock = :read");
  }
  const sections = [
    ...(sets.length > 0 ? [`SET ${sets.join(", ")}`] : []),
    ...(removes.length > 0 ? [`REMOVE ${removes.join(", ")}`] : []),
  ];
  if (sections.length === 0) {
    throw new Error("a patch changes nothing");
  }
  return {
    Update: {
      TableName: table,
      Key: key,
      UpdateExpression: sections.join(" "),
      ConditionExpression: conditions.join(" AND "),
      ExpressionAttributeNames: names,
      ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
    },
  };
}

function nameOf(value: string | number): string {
  return String(value);
}

function numbers(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, place) => first + place);
}

function filled(text: string): string {
  if (text === "") {
    throw new KeyError("a part of a key is empty");
  }
  return text;
}

/** Text in which the delimiter and its escape are replaced by codes that sort as they do. */
function escaped(value: string, delimiter: string, escape: string): string {
  const smaller = delimiter < escape ? delimiter : escape;
  const code = (character: string): string =>
    character === delimiter || character === escape
      ? escape + (character === smaller ? "0" : "1")
      : character;
  return [...value].map(code).join("");
}

function text(value: string, delimiter: string, escape: string): string {
  return filled(escaped(value, delimiter, escape));
}

function raw(value: string): string {
  return filled(value);
}

function fold(value: string): string {
  return [...value].map((character) => character.toLowerCase()).join("");
}

function upper(value: string): string {
  return [...value].map((character) => character.toUpperCase()).join("");
}

const SPACES = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;

function slug(value: string): string {
  return fold(value.replace(SPACES, ""));
}

function snake(value: string): string {
  return upper(value.replace(SPACES, "_"));
}

function first(value: string, count: number): string {
  return [...value].slice(0, count).join("");
}

function reversed(value: string): string {
  return [...value].reverse().join("");
}

function digits(value: string, width: number): string {
  return value.replace(/[0-9]+/g, (run) => run.padStart(width, "0"));
}

function digitsBeginning(value: string, width: number): string {
  if (/[0-9]$/.test(value)) {
    throw new KeyError(`${JSON.stringify(value)} ends inside of a number`);
  }
  return digits(value, width);
}

/** A number without an exponent. */
function decimal(value: number | bigint): string {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  if (!/^[0-9]+$/.test(whole + fraction)) {
    throw new KeyError(`${value} is not a number`);
  }
  const point = whole.length + Number(exponent);
  const all = (whole + fraction).padEnd(point, "0");
  const padded = "0".repeat(Math.max(0, 1 - point)) + all;
  const place = Math.max(point, 1);
  const before = padded.slice(0, place).replace(/^0+(?=[0-9])/, "");
  const after = padded.slice(place).replace(/0+$/, "");
  const written = after === "" ? before : `${before}.${after}`;
  return mantissa.startsWith("-") && written !== "0" ? `-${written}` : written;
}

function scaled(value: number | bigint, fraction: number): bigint {
  const [before = "", after = ""] = decimal(value).split(".");
  if (after.length > fraction) {
    throw new KeyError(`${value} has more than ${fraction} decimals`);
  }
  return BigInt(before + after.padEnd(fraction, "0"));
}

function whole(value: number | bigint): string {
  return scaled(value, 0).toString();
}

function width(code: bigint, before: number, after: number): string {
  const written = code.toString().padStart(before + after, "0");
  if (code < 0n || written.length > before + after) {
    throw new KeyError(`a number does not fit ${before} digits`);
  }
  return after === 0 ? written : `${written.slice(0, before)}.${written.slice(before)}`;
}

function padded(value: number | bigint, before: number, after: number): string {
  return width(scaled(value, after), before, after);
}

/** A number with half of the range added, so that negative ones come first. */
function offset(value: number | bigint, before: number, after: number): string {
  return width(scaled(value, after) + 10n ** BigInt(before + after) / 2n, before, after);
}

function complement(total: number, value: number | bigint, before: number): string {
  const number = scaled(value, 0);
  if (number < 0n) {
    throw new KeyError(`${value} is negative`);
  }
  return width(BigInt(total) - number, before, 0);
}

/** Each character replaced by its mirror image in an alphabet, which turns the order round. */
function descending(value: string, alphabet: string): string {
  const mirrored = (character: string): string => {
    const place = alphabet.indexOf(character);
    return place < 0 ? character : alphabet.charAt(alphabet.length - 1 - place);
  };
  return [...value].map(mirrored).join("");
}

function shaped(value: string, pattern: RegExp, name: string): string {
  if (!pattern.test(value)) {
    throw new KeyError(`${JSON.stringify(value)} is no ${name}`);
  }
  return value;
}

function ulid(value: string): string {
  return shaped(value, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, "ULID in upper case");
}

function ksuid(value: string): string {
  const written = shaped(value, /^[0-9A-Za-z]{27}$/, "KSUID");
  if (written > "aWgEPTl1tmebfsQzFP4bxwgy80V") {
    throw new KeyError(`${value} is greater than any KSUID`);
  }
  return written;
}

function uuid(value: string): string {
  const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
  return shaped(value, pattern, "UUID in lower case");
}

function uuid7(value: string): string {
  const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  return shaped(value, pattern, "UUID of version 7 in lower case");
}

function flag(value: boolean): string {
  return value ? "1" : "0";
}

function token(value: string, tokens: Readonly<Record<string, string>>): string {
  const found = Object.hasOwn(tokens, value) ? tokens[value] : undefined;
  if (found === undefined) {
    throw new KeyError(`${JSON.stringify(value)} is none of ${Object.keys(tokens).join(", ")}`);
  }
  return found;
}

type Unit = "s" | "ms" | "us";

const MICROS: Readonly<Record<Unit, bigint>> = { s: 1_000_000n, ms: 1_000n, us: 1n };

/** The day so many days after the first of January 1970 that a date is. */
function dayNumber(year: number, month: number, day: number, source: string): bigint {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    throw new KeyError(`${source} is no date`);
  }
  return BigInt(date.getTime() / 86_400_000);
}

/** Microseconds since 1970, of RFC 3339 or of a number that counts a unit. */
function moment(value: string | number, unit: Unit, takesDates: boolean): bigint {
  if (typeof value === "number") {
    const places = unit === "s" ? 6 : unit === "ms" ? 3 : 0;
    return inYears(scaled(value, places), value);
  }
  const fields =
    /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2})))?$/.exec(
      value,
    );
  if (fields === null || (fields[4] === undefined && !takesDates)) {
    throw new KeyError(`${JSON.stringify(value)} is no time such as 2026-01-03T12:00:00Z`);
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields
    .slice(1, 7)
    .map((field) => Number(field ?? 0));
  const [hours = 0, minutes = 0] = fields.slice(9, 11).map((field) => Number(field ?? 0));
  if (hour > 23 || minute > 59 || second > 59 || hours > 23 || minutes > 59) {
    throw new KeyError(`${JSON.stringify(value)} is no time of a day`);
  }
  const away = (fields[8] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60);
  const micros = BigInt((fields[7] ?? "").padEnd(6, "0").slice(0, 6));
  const days = dayNumber(year, month, day, value) * 86_400n;
  return inYears((days + BigInt(hour * 3600 + minute * 60 + second - away)) * 1_000_000n + micros, value);
}

function inYears(micros: bigint, value: unknown): bigint {
  if (micros < -62_167_219_200_000_000n || micros >= 253_402_300_800_000_000n) {
    throw new KeyError(`${String(value)} is outside of the years 0000 to 9999`);
  }
  return micros;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

/** The beginning of the RFC 3339 form in UTC. */
function rfc3339(micros: bigint, kept: number): string {
  const millis = floorDivide(micros, 1000n);
  const rest = (micros - millis * 1000n).toString().padStart(3, "0");
  return (new Date(Number(millis)).toISOString().slice(0, 23) + rest).slice(0, kept);
}

function timestamp(value: string | number, unit: Unit): string {
  const kept = unit === "s" ? 19 : unit === "ms" ? 23 : 26;
  return `${rfc3339(moment(value, unit, false), kept)}Z`;
}

function epoch(value: string | number, unit: "s" | "ms"): string {
  const count = floorDivide(moment(value, unit, false), MICROS[unit]);
  const written = count.toString().padStart(unit === "s" ? 10 : 13, "0");
  if (count < 0n || written.length > (unit === "s" ? 10 : 13)) {
    throw new KeyError(`${value} has too many digits`);
  }
  return written;
}

type Period =
  | "year"
  | "quarter"
  | "month"
  | "week"
  | "day"
  | "hour"
  | "minute"
  | `${number} minutes`;

function period(value: string | number, name: Period, unit: Unit): string {
  return periodOf(moment(value, unit, takesDates(name)), name);
}

/** Whether a period is a day or more, so that a date tells it. */
function takesDates(name: Period): boolean {
  return periodMicros(name) === 86_400_000_000n;
}

/** The length of a period, or of a day if it is longer. */
function periodMicros(name: Period): bigint {
  if (name === "hour") {
    return 3_600_000_000n;
  }
  if (name === "minute") {
    return 60_000_000n;
  }
  return name.endsWith(" minutes") ? BigInt(parseInt(name, 10)) * 60_000_000n : 86_400_000_000n;
}

function periodOf(micros: bigint, name: Period): string {
  if (name === "week") {
    return weekOf(floorDivide(micros, 86_400_000_000n));
  }
  if (name === "quarter") {
    const month = Number(rfc3339(micros, 7).slice(5));
    return `${rfc3339(micros, 4)}-Q${Math.ceil(month / 3)}`;
  }
  const window = periodMicros(name);
  const kept = { year: 4, month: 7, day: 10, hour: 13 };
  return name === "year" || name === "month" || name === "day" || name === "hour"
    ? rfc3339(micros, kept[name])
    : rfc3339(floorDivide(micros, window) * window, 16);
}

/** A week belongs to the year that its Thursday is in. */
function weekOf(days: bigint): string {
  const weekday = Number((((days + 3n) % 7n) + 7n) % 7n);
  const thursday = new Date(Number(days - BigInt(weekday) + 3n) * 86_400_000);
  const newYear = new Date(thursday.getTime());
  newYear.setUTCMonth(0, 1);
  const week = Math.floor((thursday.getTime() - newYear.getTime()) / 86_400_000 / 7) + 1;
  const year = String(thursday.getUTCFullYear()).padStart(4, "0");
  return `${year}-W${String(week).padStart(2, "0")}`;
}

/** The periods from one time to another, both included. */
function periods(from: string | number, to: string | number, name: Period, unit: Unit): string[] {
  const step = periodMicros(name);
  const last = period(to, name, unit);
  let micros = floorDivide(moment(from, unit, takesDates(name)), step) * step;
  let current = periodOf(micros, name);
  if (current > last) {
    throw new KeyError("the range ends before it begins");
  }
  const found = [current];
  while (current < last) {
    micros += step;
    const next = periodOf(micros, name);
    if (next !== current) {
      found.push(next);
    }
    if (found.length > 1000) {
      throw new KeyError("a range of more than 1000 periods");
    }
    current = next;
  }
  return found;
}

/** Periods in the order in which their rows are wanted. */
function inOrder(times: string[], page: PageOptions, descending: boolean): string[] {
  return (page.descending ?? descending) ? times.reverse() : times;
}

const ROUNDS: readonly number[] = Array.from({ length: 64 }, (_, place) => {
  return fractionBits(primes(64)[place] ?? 2, 1 / 3);
});

function primes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number += 1) {
    if (found.every((prime) => number % prime !== 0)) {
      found.push(number);
    }
  }
  return found;
}

/** The first 32 bits behind the point of a root. */
function fractionBits(prime: number, power: number): number {
  const root = prime ** power;
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

function sha256(bytes: Uint8Array): string {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  let state = primes(8).map((prime) => fractionBits(prime, 1 / 2));
  for (let start = 0; start < padded.length; start += 64) {
    const words = Array.from({ length: 16 }, (_, place) => view.getInt32(start + 4 * place));
    const next = sha256Block(state, words);
    state = state.map((word, place) => (word + (next[place] ?? 0)) | 0);
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function sha256Block(state: readonly number[], words: number[]): number[] {
  const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let round = 0; round < 64; round += 1) {
    if (round >= 16) {
      const [x = 0, y = 0] = [words[round - 15], words[round - 2]];
      const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      words.push(((words[round - 16] ?? 0) + low + (words[round - 7] ?? 0) + high) | 0);
    }
    const choice = (e & f) ^ (~e & g);
    const sum = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + sum + choice + (ROUNDS[round] ?? 0) + (words[round] ?? 0)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h];
}

/** The first digits of the SHA-256 of a text. */
function hashed(value: string, count: number): string {
  return sha256(new TextEncoder().encode(filled(value))).slice(0, count);
}

/** `MM/DD/YYYY` turned year first. */
function yearFirst(value: string): string {
  const fields = /^([0-9]{2})\/([0-9]{2})\/([0-9]{4})$/.exec(value);
  if (fields === null) {
    throw new KeyError(`${JSON.stringify(value)} is no date such as 01/31/2026`);
  }
  const [month = "", day = "", year = ""] = fields.slice(1);
  dayNumber(Number(year), Number(month), Number(day), value);
  return `${year}/${month}/${day}`;
}

function shard(offset: number, first: number, width: number): string {
  return String(first + offset).padStart(width, "0");
}

function chosenShard(number: number, first: number, count: number, width: number): string {
  if (!Number.isInteger(number) || number < first || number >= first + count) {
    throw new KeyError(`there is no shard ${number}`);
  }
  return String(number).padStart(width, "0");
}

/** The shard of a text by its FNV-1a hash of 64 bits. */
function shardHash(value: string, count: number): number {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(value)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return Number(hash % BigInt(count));
}

function shardSum(value: string, count: number): number {
  return [...value].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % count;
}

function shardModulus(value: string, count: number): number {
  if (!/^-?[0-9]+$/.test(value)) {
    throw new KeyError(`${JSON.stringify(value)} is no whole number`);
  }
  const divisor = BigInt(count);
  return Number(((BigInt(value) % divisor) + divisor) % divisor);
}

/** The least text after all that begin with this one. */
function afterAll(value: string): string {
  const characters = [...value];
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const code = last.codePointAt(0) ?? 0;
    if (code < 0x10ffff) {
      return characters.join("") + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1);
    }
  }
  return `${value}\u{10ffff}`;
}

/** A text between this one and all others of its width that are before it. */
function before(value: string): string {
  const characters = [...value];
  const code = characters.pop()?.codePointAt(0) ?? 0;
  if (code === 0) {
    return "";
  }
  const previous = String.fromCodePoint(code === 0xe000 ? 0xd7ff : code - 1);
  return `${characters.join("")}${previous}\u{10ffff}`;
}

/** A key that is an attribute too: it has to be given in the form that its template builds. */
function ownKey(name: string, given: unknown, built: string): string {
  if (given !== undefined && given !== built) {
    throw new KeyError(`${name} is given as ${given}, and its template builds ${built}`);
  }
  return built;
}

/** What stands in a key for an attribute that the item does not hold itself. */
function keyPart(key: unknown, pattern: RegExp): string | undefined {
  return typeof key === "string" ? pattern.exec(key)?.[1] : undefined;
}

function unescaped(value: string | undefined, delimiter: string, escape: string): string | undefined {
  const [smaller, greater] = delimiter < escape ? [delimiter, escape] : [escape, delimiter];
  return value?.replaceAll(`${escape}0`, smaller).replaceAll(`${escape}1`, greater);
}

function numberOf(value: string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function isBefore(left: unknown, right: unknown): boolean {
  if (typeof left === "number" && typeof right === "number") {
    return left < right;
  }
  return typeof left === "string" && typeof right === "string" && left < right;
}

function isEqual(left: unknown, right: unknown): boolean {
  return left !== undefined && left !== null && left === right;
}

function beginsWith(value: unknown, prefix: unknown): boolean {
  return typeof value === "string" && typeof prefix === "string" && value.startsWith(prefix);
}

function holds(value: unknown, element: unknown): boolean {
  if (typeof value === "string") {
    return typeof element === "string" && value.includes(element);
  }
  return value instanceof Set ? value.has(element) : Array.isArray(value) && value.includes(element);
}

function exists(value: unknown): boolean {
  return value !== undefined && value !== null;
}

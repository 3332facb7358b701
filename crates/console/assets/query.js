// A query as the address has it, and the request that it means. Nothing here touches the page.
import { filterOfText } from "./filter-text.js";
import { listed, Placeholders } from "./placeholders.js";
import { indexOf, keysOf } from "./table-parts.js";

export const PAGE_DEFAULT = 100;

/** Comparisons of a sort key: the word, what people read, and how many values it takes. */
export const SORT_COMPARISONS = [
  ["=", "=", 1],
  ["<", "<", 1],
  ["<=", "≤", 1],
  [">", ">", 1],
  [">=", "≥", 1],
  ["between", "between", 2],
  ["begins_with", "begins with", 1],
];

/** What a filter is called that is written as a whole; it stands in the place of a value. */
export const WRITTEN = "written";

/** Comparisons of a filter. */
export const FILTER_COMPARISONS = [
  ["=", "=", 1],
  ["<>", "≠", 1],
  ["<", "<", 1],
  ["<=", "≤", 1],
  [">", ">", 1],
  [">=", "≥", 1],
  ["between", "between", 2],
  ["in", "is one of, by commas", 1],
  ["begins_with", "begins with", 1],
  ["contains", "contains", 1],
  ["not_contains", "does not contain", 1],
  ["exists", "exists", 0],
  ["not_exists", "does not exist", 0],
  ["type", "is of type", 1],
  ["size>", "has a size >", 1],
  ["size>=", "has a size ≥", 1],
  ["size<", "has a size <", 1],
  ["size<=", "has a size ≤", 1],
  ["size=", "has the size", 1],
  ["size<>", "has another size than", 1],
  [WRITTEN, "as an expression", 1],
];

/** Reads a query from the parameters of an address. */
export function readQuery(params) {
  return {
    index: params.index ?? "",
    partition: readList(params.p),
    comparison: params.op ?? "=",
    sort: readList(params.s),
    to: params.to ?? "",
    filters: readList(params.filter).map(readFilter),
    isAny: params.match === "any",
    project: params.project ?? "",
    isDescending: params.order === "desc",
    limit: Math.min(Math.max(Number(params.limit) || PAGE_DEFAULT, 1), 5000),
    isConsistent: params.consistent === "1",
    start: params.start ?? "",
    before: params.before ?? "",
    statement: params.statement ?? "",
  };
}

/** The parameters that stand for a query; what is usual is left out. */
export function writeQuery(query) {
  const list = (values) => (values.some((value) => value !== "") ? JSON.stringify(values) : "");
  return {
    index: query.index,
    p: list(query.partition),
    op: query.comparison === "=" ? "" : query.comparison,
    s: list(query.sort),
    to: query.to,
    filter: query.filters.length ? JSON.stringify(query.filters.map(writtenFilter)) : "",
    match: query.isAny ? "any" : "",
    project: query.project,
    order: query.isDescending ? "desc" : "",
    limit: query.limit === PAGE_DEFAULT ? "" : query.limit,
    consistent: query.isConsistent ? "1" : "",
    start: query.start,
    before: query.before,
    statement: query.statement,
  };
}

/**
 * A filter: the attribute, the comparison, the type and the text of its values, and whether it is
 * turned round.
 */
function readFilter(filter) {
  const [name = "", word = "=", type = "S", value = "", to = "", isNot = false] = Array.isArray(filter) ? filter : [];
  return [name, word, type, value, to, isNot === true];
}

function writtenFilter([name, word, type, value, to, isNot]) {
  return isNot ? [name, word, type, value, to, true] : [name, word, type, value, to];
}

/** Whether a filter says something. */
export function isFilter([name, word, , value]) {
  return word === WRITTEN ? value.trim() !== "" : name !== "";
}

/** A query in a line, as people read it. */
export function queryText(table, query) {
  if (query.statement) return query.statement;
  const target = [table.TableName, query.index].filter(Boolean).join(" / ");
  const keys = keysOf(table, query.index || null);
  const sort = keys.filter((key) => !key.isPartition).filter((_, place) => (query.sort[place] ?? "") !== "");
  const conditions = [
    ...query.partition.filter((value) => value !== ""),
    ...sort.map((_, place) => {
      const isLast = place === sort.length - 1;
      const word = SORT_COMPARISONS.find(([key]) => key === (isLast ? query.comparison : "="))?.[1] ?? "=";
      return `${word} ${query.sort[place]}${isLast && query.to ? ` and ${query.to}` : ""}`;
    }),
  ];
  const filters = query.filters.map(([name, word, , value, to, isNot]) => {
    const title = FILTER_COMPARISONS.find(([key]) => key === word)?.[1] ?? word;
    const said = word === WRITTEN ? value : `${name} ${title} ${[value, to].filter(Boolean).join(" and ")}`.trim();
    return isNot ? `not ${said}` : said;
  });
  const parts = [...conditions, filters.length ? `if ${filters.join(query.isAny ? " or " : ", ")}` : ""];
  return [target, ...parts.filter(Boolean)].join(" · ");
}

function readList(text) {
  try {
    const list = JSON.parse(text ?? "[]");
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/** Whether the query names a partition; what does not is a scan. */
export function hasPartition(table, query) {
  const keys = keysOf(table, query.index || null).filter((key) => key.isPartition);
  return keys.every((_, place) => (query.partition[place] ?? "") !== "");
}

/**
 * Whether the query has parts of a key without a partition: a scan reads all, and filters by them.
 */
export function isKeyFilter(table, query) {
  return !hasPartition(table, query) && [...query.partition, ...query.sort].some((value) => value !== "");
}

/** The operation and its request. */
export function requestOf(table, query) {
  const request = { TableName: table.TableName };
  const names = new Placeholders();
  if (query.index) request.IndexName = query.index;
  const isQuery = hasPartition(table, query);
  const ofKeys = keyConditions(keysOf(table, query.index || null), query, names);
  if (isQuery) request.KeyConditionExpression = ofKeys.join(" AND ");
  const filter = allOf([...(isQuery ? [] : ofKeys), filterExpression(query, names)]);
  if (filter) request.FilterExpression = filter;
  const projected = projection(query.project, names);
  if (projected) request.ProjectionExpression = projected;
  Object.assign(request, names.members());
  // A page before another one is read from there backwards.
  const isBackward = isQuery && query.before !== "";
  if (isQuery && query.isDescending !== isBackward) request.ScanIndexForward = false;
  const isGlobal = indexOf(table, query.index)?.kind === "global";
  if (query.isConsistent && !isGlobal) request.ConsistentRead = true;
  request.Limit = query.limit;
  const from = isBackward ? query.before : query.start;
  if (from) request.ExclusiveStartKey = JSON.parse(from);
  request.ReturnConsumedCapacity = "INDEXES";
  return { operation: isQuery ? "Query" : "Scan", request };
}

/** The conditions of the parts of a key that are given. */
function keyConditions(keys, query, names) {
  const isGiven = (values) => (_, place) => (values[place] ?? "") !== "";
  const partition = keys.filter((key) => key.isPartition);
  const sort = keys.filter((key) => !key.isPartition);
  const parts = partition.flatMap((key, place) =>
    isGiven(query.partition)(key, place)
      ? [`${names.name(key.name)} = ${names.value({ [key.type]: query.partition[place] })}`]
      : [],
  );
  const given = sort.map((key, place) => [key, query.sort[place] ?? ""]).filter(([, value]) => value !== "");
  given.forEach(([key, text], place) => {
    const value = { [key.type]: text };
    const isLast = place === given.length - 1;
    parts.push(
      comparison(names.name(key.name), isLast ? query.comparison : "=", [value, { [key.type]: query.to }], names),
    );
  });
  return parts;
}

/** All of several conditions, each of which may be made of others. */
function allOf(conditions) {
  const given = conditions.filter(Boolean);
  return given.length > 1 ? given.map((one) => (/ OR /.test(one) ? `(${one})` : one)).join(" AND ") : (given[0] ?? "");
}

function filterExpression({ filters, isAny }, names) {
  const parts = filters.filter(isFilter).map((filter) => filterCondition(filter, names));
  return isAny ? parts.join(" OR ") : allOf(parts);
}

function filterCondition([attribute, word, type, value, to, isNot], names) {
  const condition = () => {
    if (word === WRITTEN) return `(${filterOfText(value, names)})`;
    const path = names.path(attribute);
    if (word !== "in") return comparison(path, word, [typedText(type, value), typedText(type, to ?? "")], names);
    const values = value.split(",").map((one) => names.value(typedText(type, one.trim())));
    return `${path} IN (${values.join(", ")})`;
  };
  return isNot ? `NOT ${condition()}` : condition();
}

function comparison(path, word, [value, to], names) {
  switch (word) {
    case "between":
      return `${path} BETWEEN ${names.value(value)} AND ${names.value(to)}`;
    case "begins_with":
    case "contains":
      return `${word}(${path}, ${names.value(value)})`;
    case "not_contains":
      return `NOT contains(${path}, ${names.value(value)})`;
    case "exists":
      return `attribute_exists(${path})`;
    case "not_exists":
      return `attribute_not_exists(${path})`;
    case "type":
      return `attribute_type(${path}, ${names.value({ S: Object.values(value)[0] })})`;
    case "size>":
    case "size>=":
    case "size<":
    case "size<=":
    case "size=":
    case "size<>":
      return `size(${path}) ${word.slice("size".length)} ${names.value({ N: String(Object.values(value)[0]) })}`;
    default:
      return `${path} ${word} ${names.value(value)}`;
  }
}

/** What people write for true; all else is false. */
export function isTrue(text) {
  return text.trim().toLowerCase() === "true";
}

function typedText(type, text) {
  if (type === "BOOL") return { BOOL: isTrue(text) };
  if (type === "NULL") return { NULL: true };
  return { [type]: text };
}

function projection(text, names) {
  return listed(text)
    .map((path) => names.path(path))
    .join(", ");
}

/**
 * Whether a query looks at an index as a whole: then a page of the table shows what the index lacks.
 */
export function isPivot(table, query) {
  if (!query.index || query.start || query.filters.length) return false;
  return !hasPartition(table, query) && !isKeyFilter(table, query);
}

/** What reading a page costs, by the mean size of the table's items; null if nothing is known. */
export function estimate(table, query) {
  const target = indexOf(table, query.index);
  const ofTable = { count: table.ItemCount, size: table.TableSizeBytes };
  const read = target ? { count: target.ItemCount, size: target.IndexSizeBytes } : ofTable;
  if (!read.count) return null;
  const factor = query.isConsistent && target?.kind !== "global" ? 1 : 0.5;
  const beside = isPivot(table, query) ? pageUnits(ofTable, query.limit) * 0.5 : 0;
  return { page: pageUnits(read, query.limit) * factor + beside, all: units(read.size) * factor };
}

/** Units of a consistent read of so many bytes. */
function units(bytes) {
  return Math.ceil(bytes / 4096);
}

/** The same of a page of items of the mean size; a page ends at a megabyte. */
function pageUnits({ count, size }, limit) {
  return count ? units(Math.min((size / count) * Math.min(limit, count), 1_048_576)) : 0;
}

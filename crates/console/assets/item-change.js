// Writes that overwrite nobody's change: what is sent for an edit, and under which condition.
import { Placeholders } from "./placeholders.js";
import { keyOf, keysOf } from "./table-parts.js";
import { attribute, isSame } from "./values.js";

/**
 * Attributes that a deletion compares at most; an expression takes no more than so many operators.
 */
const COMPARED_MAX = 100;

/** The request that makes a new item; it fails if there is one. */
export function creation(table, item) {
  const { name } = keysOf(table)[0];
  return {
    operation: "PutItem",
    request: {
      TableName: table.TableName,
      Item: item,
      ConditionExpression: "attribute_not_exists(#key)",
      ExpressionAttributeNames: { "#key": name },
      ReturnConsumedCapacity: "INDEXES",
    },
    sentence: "if there is no item with this key",
  };
}

/**
 * The request that makes `item` of `stored`; null if nothing is different. Another key makes it two
 * writes in one.
 */
export function edit(table, stored, item) {
  const isMoved = keysOf(table).some(({ name }) => !isSame(attribute(stored, name), attribute(item, name)));
  if (isMoved) return move(table, stored, item);
  const names = [...new Set([...Object.keys(stored), ...Object.keys(item)])];
  const changed = names.filter((name) => !isSame(attribute(stored, name), attribute(item, name)));
  if (!changed.length) return null;
  const condition = new Condition();
  condition.exists(keysOf(table)[0].name);
  const [set, removed] = [[], []];
  for (const name of changed) {
    condition.unchanged(name, attribute(stored, name));
    const value = attribute(item, name);
    if (value === undefined) removed.push(condition.name(name));
    else set.push(`${condition.name(name)} = ${condition.value(value)}`);
  }
  const change = [set.length ? `SET ${set.join(", ")}` : "", removed.length ? `REMOVE ${removed.join(", ")}` : ""];
  return {
    operation: "UpdateItem",
    request: {
      TableName: table.TableName,
      Key: keyOf(table, stored),
      UpdateExpression: change.filter(Boolean).join(" "),
      ...condition.members(),
      ReturnConsumedCapacity: "INDEXES",
    },
    sentence: `if ${changed.join(", ")} ${changed.length === 1 ? "is" : "are"} still as shown`,
  };
}

function move(table, stored, item) {
  const { operation: _, request: put } = creation(table, item);
  const { request: removal, sentence } = deletion(table, stored);
  delete put.ReturnConsumedCapacity;
  delete removal.ReturnConsumedCapacity;
  return {
    operation: "TransactWriteItems",
    request: { TransactItems: [{ Delete: removal }, { Put: put }], ReturnConsumedCapacity: "INDEXES" },
    sentence: `${sentence}, and there is no item with the new key; both or nothing`,
  };
}

/** The request that deletes an item; it fails if the item is no longer as it was read. */
export function deletion(table, stored) {
  const condition = new Condition();
  condition.exists(keysOf(table)[0].name);
  const keys = keysOf(table).map(({ name }) => name);
  const others = Object.keys(stored).filter((name) => !keys.includes(name));
  const compared = others.slice(0, COMPARED_MAX);
  compared.forEach((name) => condition.unchanged(name, attribute(stored, name)));
  return {
    operation: "DeleteItem",
    request: {
      TableName: table.TableName,
      Key: keyOf(table, stored),
      ...condition.members(),
      ReturnConsumedCapacity: "INDEXES",
    },
    sentence:
      compared.length < others.length
        ? `if ${compared.length} of its ${others.length} attributes are still as shown`
        : "if it is still as shown",
  };
}

class Condition extends Placeholders {
  parts = [];

  exists(attribute) {
    this.parts.push(`attribute_exists(${this.name(attribute)})`);
  }

  unchanged(attribute, value) {
    const name = this.name(attribute);
    this.parts.push(value === undefined ? `attribute_not_exists(${name})` : `${name} = ${this.value(value)}`);
  }

  members() {
    return { ConditionExpression: this.parts.join(" AND "), ...super.members() };
  }
}

/** The condition of a request as people read it, with names and values in their places. */
export function conditionText({ operation, request }) {
  const one = (member) => {
    const names = member.ExpressionAttributeNames ?? {};
    const values = member.ExpressionAttributeValues ?? {};
    const shown = (value) => {
      const text = JSON.stringify(Object.values(value)[0]);
      return text.length > 60 ? `${text.slice(0, 57)}…` : text;
    };
    return member.ConditionExpression.replace(
      /#\w+|:\w+/g,
      (word) => names[word] ?? (values[word] ? shown(values[word]) : word),
    );
  };
  if (operation !== "TransactWriteItems") return one(request);
  return request.TransactItems.map((member) => Object.entries(member)[0])
    .map(([kind, member]) => `${kind}: ${one(member)}`)
    .join("\n");
}

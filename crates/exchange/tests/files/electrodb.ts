import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CustomAttributeType, Entity, Service, createSchema } from "electrodb";
import { nanoid } from "nanoid";

const client = new DynamoDBClient({});
const table = "work-table";
const service = 'WorkApp';

/* Attributes that every entity has. */
const stamps = {
  createdAt: { type: "number", readOnly: true, default: () => Date.now(), set: () => Date.now() },
  updatedAt: { type: "number", watch: "*", set: () => Date.now() },
} as const;

export const Employee = new Entity(
  {
    model: { entity: "Employee", version: "1", service },
    attributes: {
      employeeId: { type: "string", required: true, default: () => nanoid() },
      firstName: { type: "string", required: true, label: "fn" },
      lastName: { type: "string", required: true, field: "ln" },
      office: { type: "string", required: true },
      team: { type: ["Development", "Marketing"] as const, required: true },
      salary: { type: "number", padding: { length: 7, char: "0" }, required: true },
      badge: { type: "number", required: true, hidden: true },
      tags: { type: "set", items: "string" },
      address: {
        type: "map",
        properties: { street: { type: "string", required: true }, zip: { type: "string" } },
      },
      phones: { type: "list", items: { type: "string" } },
      extra: { type: "any", hidden: true },
      rank: { type: CustomAttributeType<Extract<1 | 2 | 3, 1 | 2>>("number") },
      ...stamps,
    },
    indexes: {
      employee: {
        pk: { field: "pk", composite: ["employeeId"] },
        sk: { field: "sk", composite: [] },
      },
      coworkers: {
        collection: "workplaces",
        index: "gsi1pk-gsi1sk-index",
        pk: { field: "gsi1pk", composite: ["office"] },
        sk: { field: "gsi1sk", composite: ["team", "firstName", "employeeId"] },
      },
      teams: {
        index: "gsi2pk-gsi2sk-index",
        scope: "Staff",
        pk: { field: "gsi2pk", composite: ["team"], casing: "upper" },
        sk: { field: "gsi2sk", composite: ["salary", "lastName"], casing: "none" },
      },
      byBadge: {
        index: "badge-index",
        projection: ["firstName", "lastName"],
        pk: { field: "badge", composite: ["badge"] },
      },
      paid: {
        index: "lsi1",
        pk: { field: "pk", composite: ["employeeId"] },
        sk: { field: "lsi1sk", composite: ["salary"], cast: "number" },
      },
    },
  },
  { client, table },
);

const taskSchema = createSchema({
  model: { entity: "task", version: "2", service },
  attributes: {
    taskId: { type: "string", required: true },
    project: { type: "string", required: true },
    employeeId: { type: "string", required: true },
    points: { type: "number", required: true },
    status: { type: ["open", "closed"] as const, required: true },
    note: { type: "string", validate: /^[^{}]*$/ },
  },
  indexes: {
    task: {
      pk: { field: "pk", composite: ["taskId"], template: "TASK#${taskId}", casing: "none" },
      sk: { field: "sk", composite: ["project"], template: "Project#${project}#End", casing: "upper" },
    },
    assigned: {
      index: "gsi1pk-gsi1sk-index",
      collection: ["assignments", "Active"],
      condition: (attributes) => attributes.status === "open",
      pk: { field: "gsi1pk", composite: ["employeeId"] },
      sk: { field: "gsi1sk", composite: ["points"] },
    },
    project: {
      index: "gsi2pk-gsi2sk-index",
      type: "clustered",
      collection: "backlog",
      pk: { field: "gsi2pk", composite: ["project"] },
      sk: { field: "gsi2sk", composite: ["status", "taskId"] },
    },
    reversed: {
      index: "reverse-index",
      pk: { field: "sk", composite: ["project"], template: "Project#${project}#End", casing: "upper" },
      sk: { field: "pk", composite: ["taskId"], template: "TASK#${taskId}", casing: "none" },
    },
  },
} as const);

export const Task = new Entity(taskSchema, { client });

export const Counter = new Entity({
  model: { entity: "counter", version: "1", service },
  attributes: { name: { type: "string" }, shelf: { type: "number" }, count: { type: "number" } },
  indexes: {
    counters: {
      pk: { field: "name", composite: ["name"] },
      sk: { field: "shelf", composite: ["shelf"], template: "${shelf}" },
    },
    sizes: { index: "sizes", scope: "z", pk: { field: "szpk", composite: ["count"] } },
    apart: {
      index: "apart",
      type: "composite",
      pk: { composite: ["name", "count"] },
      sk: { composite: ["shelf"] },
    },
  },
}, { client, table: "counters" });

export const app = new Service({ employees: Employee, tasks: Task }, { client, table });

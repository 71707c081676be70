// Reads the OpenAPI document: its operations as plain objects, and the schemas that they need.
import { addEventSchemas } from "./events.mjs";

/**
 * @typedef {object} Parameter
 * @property {string} name as in the URL
 * @property {string} description
 * @property {boolean} required
 * @property {{type: string, enum?: string[], items?: {type: string, enum?: string[]}}} schema
 *
 * @typedef {object} Operation
 * @property {string} id
 * @property {string} method in upper case
 * @property {string} path with `{id}` where a parameter stands
 * @property {string} summary
 * @property {string} description
 * @property {string[]} ids names of the parameters in the path
 * @property {Parameter[]} query
 * @property {{json: string | null, required: boolean, files: string[]} | null} body `json` names a schema, `files` are media types
 * @property {boolean} keyed whether it takes an `Idempotency-Key`
 * @property {boolean} versioned whether it takes `If-Match`
 * @property {boolean} named whether it takes the name of a file
 * @property {string | null} json the schema of its answer
 * @property {string[]} files the media types of its answer, where it is a file
 * @property {string | null} item the schema of one row, where the answer is one page of a list: `User` of a `UserList`
 */

/**
 * The operations and schemas for the SDKs.
 * @returns {{version: string, operations: Operation[], schemas: object}}
 */
export function read(document) {
  const schemas = structuredClone(document.components.schemas);
  // A named schema, so that programs can refer to the type.
  schemas.ErrorCode = { ...schemas.ErrorBody.properties.code };
  schemas.ErrorBody.properties.code = { $ref: "#/components/schemas/ErrorCode" };
  addEventSchemas(document, schemas);

  const operations = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of METHODS.filter((name) => name in methods)) {
      const operation = whole(document, methods[method], methods.parameters);
      if (!isLeftOut(path, operation)) operations.push(toOperation(path, method, operation));
    }
  }
  operations.sort((a, b) => (a.id < b.id ? -1 : 1));
  const roots = operations.flatMap(({ body, json, item }) => [body?.json, json, item]).filter(Boolean);
  return { version: document.info.version, operations, schemas: reachable(schemas, [...roots, "ErrorBody", "WebhookEvent"]) };
}

const METHODS = ["get", "put", "post", "patch", "delete"];

/** An operation with its references resolved. */
function whole(document, operation, shared = []) {
  const target = (object) => (object?.$ref ? object.$ref.split("/").slice(1).reduce((part, name) => part[name], document) : object);
  return {
    ...operation,
    parameters: [...shared, ...(operation.parameters ?? [])].map(target),
    requestBody: target(operation.requestBody),
    responses: Object.fromEntries(Object.entries(operation.responses).map(([status, response]) => [status, target(response)])),
  };
}

/** Paths with an account id are left out, because every credential belongs to one account. */
function isLeftOut(path, operation) {
  return path.includes("{account_id}") || operation.operationId === "getOpenApiDocument";
}

function toOperation(path, method, operation) {
  const within = (place) => operation.parameters.filter((parameter) => parameter.in === place);
  const header = (name) => within("header").some((parameter) => parameter.name === name);
  const body = operation.requestBody;
  const { json, files } = toAnswer(operation);
  const isList = within("query").some(({ name }) => name === "page");
  return {
    id: operation["x-same-as"] ?? operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description ?? "",
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    query: within("query").map(({ name, description, required, schema }) => ({ name, description, required: required === true, schema })),
    body: body ? { required: body.required === true, json: nameOf(body.content["application/json"]), files: filesOf(body.content) } : null,
    keyed: header("Idempotency-Key"),
    versioned: header("If-Match"),
    named: header("Content-Disposition"),
    json,
    files,
    item: isList ? json.replace(/List$/, "") : null,
  };
}

function toAnswer(operation) {
  const contents = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, response]) => response.content ?? {});
  const names = new Set(contents.map((content) => nameOf(content["application/json"])).filter(Boolean));
  if (names.size > 1) throw new Error(`${operation.operationId} answers with ${[...names].join(" and ")}: the SDKs know one type`);
  return { json: [...names][0] ?? null, files: [...new Set(contents.flatMap(filesOf))] };
}

function nameOf(media) {
  if (!media) return null;
  const reference = media.schema.$ref;
  if (!reference) throw new Error(`a schema without a name: ${JSON.stringify(media.schema)}`);
  return reference.split("/").pop();
}

function filesOf(content) {
  return Object.keys(content).filter((type) => type !== "application/json" && type !== "multipart/form-data");
}

/** The named schemas and all that they refer to, in the order of their names. */
function reachable(schemas, roots) {
  const found = new Set();
  const visit = (name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const [, next] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g)) visit(next);
  };
  roots.forEach(visit);
  return Object.fromEntries([...found].sort().map((name) => [name, schemas[name]]));
}

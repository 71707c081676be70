// The methods of the TypeScript SDK.

const HEAD = "// Generated from the OpenAPI document by .ci/sdk. Do not edit.\n";

/** The source of `operations.gen.ts`. @param {import("./document.mjs").Operation[]} operations */
export function methods(operations) {
  const queries = operations.filter(({ query }) => query.length > 0).map(queryType);
  const options = ["FileOptions", "Options", "KeyedOptions", "UploadOptions", "VersionedOptions"];
  const body = operations.flatMap((operation) => [method(operation), ...(operation.item ? [iterator(operation)] : [])]).join("\n\n");
  const used = options.filter((name) => body.includes(name)).sort();
  return `${HEAD}
import { Client, pages, segment, ${used.map((name) => `type ${name}`).join(", ")} } from "./client.js";
import type * as types from "./types.gen.js";

${queries.join("\n\n")}

/** A client of one Retour: one method for each operation of the API. */
export class Retour extends Client {
${body}
}
`;
}

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => name[0].toUpperCase() + name.slice(1);
const queryName = ({ id }) => `${pascal(id)}Query`;
export const iteratorName = (id) => id.replace(/^list/, "iterate");

function comment(text, indent) {
  const lines = text.replaceAll("*/", "* /").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join("\n");
}

function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array") return schema.items.enum ? `(${typeOf(schema.items)})[]` : `${typeOf(schema.items)}[]`;
  const known = { integer: "number", number: "number", boolean: "boolean", string: "string" }[schema.type];
  if (!known) throw new Error(`a parameter of the type ${schema.type}`);
  return known;
}

function queryType(operation) {
  const fields = operation.query.map(
    ({ name, description, required, schema }) => `${comment(description, "  ")}\n  ${name}${required ? "" : "?"}: ${typeOf(schema)};`,
  );
  return `/** The parameters of \`${operation.id}\`. */\nexport interface ${queryName(operation)} {\n${fields.join("\n")}\n}`;
}

function parametersOf(operation) {
  const { ids, body, query } = operation;
  const parameters = ids.map((name) => `${camel(name)}: string`);
  if (body) parameters.push(`${body.files.length > 0 ? "file" : "body"}${body.required ? "" : "?"}: ${bodyType(body)}`);
  if (query.length > 0) parameters.push(queryParameter(operation, queryName(operation)));
  parameters.push(`options: ${optionsType(operation)} = {}`);
  return parameters;
}

function queryParameter({ query }, type) {
  return query.some(({ required }) => required) ? `query: ${type}` : `query: ${type} = {}`;
}

function bodyType({ json, files }) {
  return [json && `types.${json}`, files.length > 0 && "Blob"].filter(Boolean).join(" | ");
}

function optionsType({ keyed, versioned, named, files }) {
  if (files.length > 0) return `FileOptions<${files.map((type) => JSON.stringify(type)).join(" | ")}>`;
  if (named) return "UploadOptions";
  if (versioned) return "VersionedOptions";
  return keyed ? "KeyedOptions" : "Options";
}

function resultType({ json, files }) {
  if (json) return `types.${json}`;
  return files.length > 0 ? "Blob" : "void";
}

function documentation({ summary, description, method, path }) {
  return comment([summary + ".", description, `\`${method} ${path}\``].filter(Boolean).join("\n\n"), "  ");
}

function method(operation) {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => `\${segment(${camel(name)})}`);
  const fields = [`method: "${operation.method}"`, `path: ${operation.ids.length > 0 ? `\`${path}\`` : `"${path}"`}`];
  if (operation.query.length > 0) fields.push("query: { ...query }");
  if (operation.body) fields.push(operation.body.files.length > 0 ? "body: file" : "body");
  if (operation.keyed) fields.push("keyed: true");
  if (operation.files.length > 0) fields.push("answersFile: true");
  return `${documentation(operation)}
  ${operation.id}(${parametersOf(operation).join(", ")}): Promise<${resultType(operation)}> {
    return this.call({ ${fields.join(", ")} }, options);
  }`;
}

function iterator(operation) {
  const others = operation.ids.map(camel);
  const parameters = operation.ids.map((name) => `${camel(name)}: string`);
  parameters.push(queryParameter(operation, `Omit<${queryName(operation)}, "page">`), "options: Options = {}");
  const arguments_ = [...others, "{ limit: 100, ...query, ...page }", "options"].join(", ");
  return `  /** Every result of \`${operation.id}\`: fetches the next page when the results of the last one are used up. */
  ${iteratorName(operation.id)}(${parameters.join(", ")}): AsyncGenerator<types.${operation.item}, void, void> {
    return pages((page) => this.${operation.id}(${arguments_}));
  }`;
}

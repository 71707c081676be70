// The methods of the Python SDK, once for `Retour` and once for `AsyncRetour`.

const HEAD = '"""Generated from the OpenAPI document by .ci/sdk. Do not edit."""\n';

/** The source of `_operations.py`, or of `_async_operations.py`. @param {import("./document.mjs").Operation[]} operations */
export function methods(operations, isAsync) {
  const body = operations.flatMap((operation) => [method(operation, isAsync), ...(operation.item ? [iterator(operation, isAsync)] : [])]);
  const base = isAsync ? "AsyncClient" : "Client";
  return `${HEAD}
from __future__ import annotations

from collections.abc import ${isAsync ? "AsyncIterator" : "Iterator"}, Sequence
from typing import Literal

from . import types
from ._client import ${base}
from ._request import Request, Upload, segment


class ${isAsync ? "AsyncRetour" : "Retour"}(${base}):
    """A client of one Retour${isAsync ? " for asyncio" : ""}: one method for each operation of the API."""

${body.join("\n\n")}
`;
}

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const iteratorName = (id) => snake(id).replace(/^list_/, "iterate_");
const literal = (values) => `Literal[${values.map((value) => JSON.stringify(value)).join(", ")}]`;

function docstring(text) {
  const lines = text.replaceAll("\\", "\\\\").replaceAll('"""', "'''").split("\n");
  if (lines.length === 1) return `        """${lines[0]}"""`;
  return [`        """${lines[0]}`, ...lines.slice(1).map((line) => `        ${line}`.trimEnd()), '        """'].join("\n");
}

function typeOf(schema) {
  if (schema.enum) return literal(schema.enum);
  if (schema.type === "array") return `Sequence[${typeOf(schema.items)}]`;
  const known = { integer: "int", number: "float", boolean: "bool", string: "str" }[schema.type];
  if (!known) throw new Error(`a parameter of the type ${schema.type}`);
  return known;
}

/** Parameters by position, and those by name. */
function parametersOf(operation) {
  const { ids, body, query, keyed, versioned, named, files } = operation;
  const positional = ids.map((name) => `${name}: str`);
  if (body) positional.push(body.required ? `${bodyName(body)}: ${bodyType(body)}` : `${bodyName(body)}: ${bodyType(body)} | None = None`);
  const named_ = query.map(({ name, required, schema }) => `${snake(name)}: ${typeOf(schema)}${required ? "" : " | None = None"}`);
  if (body?.files.length > 0) named_.push(`content_type: ${literal(body.files)} = "${usualType(body.files)}"`);
  if (named) named_.push("file_name: str | None = None");
  if (files.length > 0) named_.push(`accept: ${literal(files)} | None = None`);
  if (keyed) named_.push("idempotency_key: str | None = None");
  if (versioned) named_.push("if_match: int | None = None");
  named_.push("timeout_seconds: float | None = None");
  return { positional, named: named_ };
}

const usualType = (files) => ["application/octet-stream", "text/csv"].find((type) => files.includes(type)) ?? files[0];
const bodyName = ({ files }) => (files.length > 0 ? "file" : "body");

function bodyType({ json, files }) {
  return [json && `types.${json}`, files.length > 0 && "Upload"].filter(Boolean).join(" | ");
}

function resultType({ json, files }) {
  if (json) return `types.${json}`;
  return files.length > 0 ? "bytes" : "None";
}

function signature(name, { positional, named }, result, prefix) {
  const lines = ["self", ...positional, "*", ...named].map((parameter) => `        ${parameter},`);
  return `    ${prefix}def ${name}(\n${lines.join("\n")}\n    ) -> ${result}:`;
}

function documentation({ summary, description, method, path, query }) {
  const parameters = query.map(({ name, description: text }) => `\`${snake(name)}\`: ${text}`).join("\n\n");
  return docstring([summary + ".", description, parameters, `\`${method} ${path}\``].filter(Boolean).join("\n\n"));
}

function method(operation, isAsync) {
  const { ids, query, body, keyed, versioned, named, files, json } = operation;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => `{segment(${name})}`);
  const fields = [`"${operation.method}"`, ids.length > 0 ? `f"${path}"` : `"${path}"`];
  if (query.length > 0) fields.push(`query={${query.map(({ name }) => `"${name}": ${snake(name)}`).join(", ")}}`);
  if (body) fields.push(`body=${bodyName(body)}`);
  if (body?.files.length > 0) fields.push("content_type=content_type");
  if (named) fields.push("file_name=file_name");
  if (files.length > 0) fields.push("answers_file=True", "accept=accept");
  if (keyed) fields.push("keyed=True", "idempotency_key=idempotency_key");
  if (versioned) fields.push("if_match=if_match");
  fields.push("timeout_seconds=timeout_seconds");
  const result = resultType(operation);
  const call = `${isAsync ? "await " : ""}self._call(\n            Request(\n${fields.map((field) => `                ${field},`).join("\n")}\n            )\n        )`;
  const lines = json || files.length > 0 ? [`        answer: ${result} = ${call}`, "        return answer"] : [`        ${call}`];
  return [signature(snake(operation.id), parametersOf(operation), result, isAsync ? "async " : ""), documentation(operation), ...lines].join("\n");
}

function iterator(operation, isAsync) {
  const { positional, named } = parametersOf(operation);
  const others = named.filter((parameter) => !/^(page|limit):/.test(parameter));
  const names = [...operation.ids, ...["limit: ", "page: ", ...others].map((parameter) => parameter.split(":")[0]).map((name) => `${name}=${name}`)];
  const loop = isAsync ? "await " : "";
  return `${signature(iteratorName(operation.id), { positional, named: ["limit: int = 100", ...others] }, `${isAsync ? "AsyncIterator" : "Iterator"}[types.${operation.item}]`, loop ? "async " : "")}
        """Every result of \`${snake(operation.id)}\`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = ${loop}self.${snake(operation.id)}(
${names.map((name) => `                ${name},`).join("\n")}
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return`;
}

// What Shopify refuses in the query of a bulk operation, although the schema allows it. From "Perform bulk operations with the
// GraphQL Admin API" (operation restrictions); that a list must not contain a connection is known from its error message.
import { getNamedType, getNullableType, isListType, isObjectType, Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

const MOST_CONNECTIONS = 5;
const MOST_LEVELS = 2; // below the first connection

/** Returns why Shopify refuses a query, or undefined. */
export function wrongInBulk(schema, document) {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operations.length !== 1) return 'Bulk queries contain exactly one operation.';
  const [{ operation, variableDefinitions, selectionSet }] = operations;
  if (operation !== 'query') return 'Bulk queries must be queries.';
  if (variableDefinitions?.length) return 'Bulk queries cannot have variables.';
  if (selectionSet.selections.length !== 1) return 'Bulk queries must have exactly one top-level field.';
  if (['node', 'nodes'].includes(selectionSet.selections[0].name?.value)) return 'Bulk queries cannot use the top-level node and nodes fields.';
  if (document.definitions.length > 1) return 'The stand-in does not follow fragments in bulk queries.';
  return wrongConnections(schema, document);
}

function wrongConnections(schema, document) {
  let wrong;
  let count = 0;
  let depth = 0;
  let lists = 0; // lists that are no `edges` or `nodes`
  const types = new TypeInfo(schema);
  const kindOf = (node) => {
    const type = types.getType();
    const named = type && getNamedType(type);
    if (isObjectType(named) && named.name.endsWith('Connection')) return 'connection';
    const isPage = ['edges', 'nodes'].includes(node.name.value) && types.getParentType()?.name.endsWith('Connection');
    return type && isListType(getNullableType(type)) && !isPage ? 'list' : 'other';
  };
  visit(document, visitWithTypeInfo(types, {
    Field: {
      enter(node) {
        const kind = kindOf(node);
        if (node.name.value === 'nodes' && types.getParentType()?.name.endsWith('Connection')) wrong ??= 'Bulk queries read connections by edges and node, not by nodes.';
        if (kind === 'list') lists += 1;
        if (kind !== 'connection') return;
        count += 1;
        depth += 1;
        if (lists) wrong ??= `Queries that contain a connection field within a list field are not supported: ${node.name.value}.`;
        if (depth > MOST_LEVELS + 1) wrong ??= 'Queries may have at most two levels of nested connections.';
      },
      leave(node) {
        const kind = kindOf(node);
        if (kind === 'list') lists -= 1;
        if (kind === 'connection') depth -= 1;
      },
    },
  }));
  if (!count) return 'Bulk queries must contain at least one connection.';
  if (count > MOST_CONNECTIONS) return `Bulk queries may contain at most ${MOST_CONNECTIONS} connections.`;
  return wrong;
}

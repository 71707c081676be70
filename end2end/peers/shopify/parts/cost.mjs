// The cost of a request and the leaky bucket that limits it.
import { getNamedType, isAbstractType, isLeafType, isObjectType, Kind, valueFromASTUntyped } from 'graphql';

export const MOST = 1000; // points of one request, as documented
const MUTATION = 10;

/** Shopify sizes connections by `first` or `last`, and does not say how. "logarithmic" fits costs that people published; "linear" is its older rule. */
const sizing = {
  linear: (count) => count,
  logarithmic: (count) => Math.min(count, Math.ceil(Math.log2(count)) + 3),
};

/** Returns the cost of an operation in points before it runs. */
export function requestedCost(schema, document, operation, variables = {}, size = 'logarithmic') {
  const fragments = new Map(document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).map((one) => [one.name.value, one]));
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const counted = { schema, fragments, variables, of: sizing[size] };
  return costOf(operation.selectionSet, root, counted, null);
}

function costOf(selectionSet, type, counted, count) {
  const fields = new Map();
  const branches = new Map(); // an interface or union costs what its most expensive type costs
  collect(selectionSet, type, counted, fields, branches);
  let cost = 0;
  for (const [name, nodes] of fields) cost += fieldCost(type, name, nodes, counted, count);
  return cost + Math.max(0, ...[...branches].map(([branch, sets]) => sets.reduce((sum, set) => sum + costOf(set, branch, counted, count), 0)));
}

function collect(selectionSet, type, counted, fields, branches) {
  for (const selection of selectionSet.selections) {
    if (selection.kind === Kind.FIELD) {
      const name = selection.alias?.value ?? selection.name.value;
      fields.set(name, [...(fields.get(name) ?? []), selection]);
      continue;
    }
    const part = selection.kind === Kind.INLINE_FRAGMENT ? selection : counted.fragments.get(selection.name.value);
    const narrowed = part.typeCondition ? counted.schema.getType(part.typeCondition.name.value) : type;
    if (narrowed === type || !isAbstractType(type)) collect(part.selectionSet, type, counted, fields, branches);
    else branches.set(narrowed, [...(branches.get(narrowed) ?? []), part.selectionSet]);
  }
}

function fieldCost(type, alias, nodes, counted, count) {
  const [node] = nodes;
  const field = node.name.value.startsWith('__') ? undefined : type.getFields()[node.name.value];
  if (!field || !node.selectionSet) return 0;
  const inner = getNamedType(field.type);
  if (isLeafType(inner)) return 0;
  const { first, last } = Object.fromEntries((node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, counted.variables)]));
  // A list of nodes by their ids: an assumption, because Shopify does not say what it costs.
  const { ids } = Object.fromEntries((node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, counted.variables)]));
  if (node.name.value === 'nodes' && type.name === 'QueryRoot') return (ids?.length ?? 1) * (1 + nodes.reduce((sum, one) => sum + costOf(one.selectionSet, inner, counted, null), 0));
  const isConnection = isObjectType(inner) && inner.name.endsWith('Connection');
  const children = (given) => nodes.reduce((sum, one) => sum + costOf(one.selectionSet, inner, counted, given), 0);
  if (isConnection) return 2 + children(first ?? last ?? 1);
  if (count !== null && inner.name === 'PageInfo') return 0;
  const own = type.name === 'Mutation' ? MUTATION : isMoney(inner.name) ? 0 : 1;
  if (count !== null && (node.name.value === 'nodes' || node.name.value === 'edges')) {
    return counted.of(count) * ((node.name.value === 'nodes' ? 1 : 0) + children(null));
  }
  if (first !== undefined) return counted.of(first) * (own + children(null)); // a list without pages, such as Order.fulfillments
  return own + children(null);
}

// An assumption: otherwise an order with 50 lines and their prices would be over the limit of one request, which real ones are not.
const isMoney = (name) => ['MoneyBag', 'MoneyV2'].includes(name);

export class Bucket {
  /** `restore`: the points a second of the shop's plan. A bucket holds twenty times as many. */
  constructor(shop, restore) {
    Object.assign(this, { shop, maximum: 20 * restore, restore, available: 20 * restore, at: shop.now() });
  }

  refill() {
    const now = this.shop.now();
    this.available = Math.min(this.maximum, this.available + ((now - this.at) / 1000) * this.restore);
    this.at = now;
    return this.available;
  }

  /** Takes the requested cost, or nothing and returns false. */
  take(cost) {
    if (this.refill() < cost) return false;
    this.available -= cost;
    return true;
  }

  giveBack(cost) { this.available = Math.min(this.maximum, this.available + cost); }

  set({ available, maximum, restore }) {
    if (maximum !== undefined) this.maximum = maximum;
    if (restore !== undefined) this.restore = restore;
    if (available !== undefined) Object.assign(this, { available, at: this.shop.now() });
  }

  status() {
    return { maximumAvailable: this.maximum, currentlyAvailable: Math.floor(this.refill()), restoreRate: this.restore };
  }
}

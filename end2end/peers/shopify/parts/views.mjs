// Turns what the shop keeps into GraphQL objects. Each file of views registers its own types, so that views can refer to each
// other without importing each other.
const views = new Map();

export const register = (type, view) => views.set(type, view);

/** Returns the GraphQL object of a thing that Shop.keep made, or null without a thing. */
export function show(shop, thing) {
  if (!thing) return null;
  const view = views.get(thing.type);
  if (!view) throw new Error(`no view is registered for ${thing.type}`);
  return view(shop, thing);
}

// The errors that karrio itself finds in a draft. They are few: an address needs only its country, and a weight may be 0.
const LONGEST = { postal_code: 20, city: 50, federal_tax_id: 50, state_tax_id: 50, person_name: 100, company_name: 100,
  phone_number: 50, state_code: 50, street_number: 100, address_line1: 100, address_line2: 100 };
const CONTENTS = ['documents', 'gift', 'sample', 'merchandise', 'return_merchandise', 'other'];
const PAYERS = ['sender', 'recipient', 'third_party'];
const TERMS = ['CFR', 'CIF', 'CIP', 'CPT', 'DAP', 'DAF', 'DDP', 'DDU', 'DEQ', 'DES', 'EXW', 'FAS', 'FCA', 'FOB'];
const WEIGHTS = ['KG', 'LB', 'OZ', 'G'];

function required(value, or = () => undefined) {
  if (value === undefined) return 'This field is required.';
  return value === null ? 'This field may not be null.' : or(value);
}
const oneOf = (choices) => (value) => (choices.includes(value) ? undefined : `"${value}" is not a valid choice.`);
const number = (value) => (value === '' || Number.isNaN(Number(value)) ? 'A valid number is required.' : undefined);
// Any two capitals are a country, except those that ISO never assigns.
const country = (value) => (/^(?!X[A-Z]|ZZ)[A-Z]{2}$/.test(value) ? undefined : `"${value}" is not a valid choice.`);
const said = (value, check) => (value == null ? undefined : check(value));
const atMost = (longest) => (value) =>
  String(value).length > longest ? `Ensure this field has no more than ${longest} characters.` : undefined;

function* address(at, given) {
  if (given == null) return yield [at, required(given)];
  const lengths = Object.entries(LONGEST).map(([key, longest]) => [`${at}.${key}`, said(given[key], atMost(longest))]);
  const code = [`${at}.country_code`, required(given.country_code, country)];
  yield* [...lengths.slice(0, 6), code, ...lengths.slice(6)];
  const american = given.country_code === 'US' && given.postal_code != null && !/^\d{5}(-\d{4})?$/.test(given.postal_code);
  if (american && !code[1]) yield [`${at}.postal_code`, 'The American postal code must match 12345 or 12345-6789'];
}

function* parcel(at, given) {
  const weights = [
    [`${at}.weight`, required(given.weight, number)],
    [`${at}.weight_unit`, required(given.weight_unit, oneOf(WEIGHTS))],
  ];
  yield* weights;
  if (weights.some(([, wrong]) => wrong)) return; // the parcel as a whole is checked only after its parts
  const sides = [given.width, given.height, given.length].filter((side) => side != null).length;
  if (sides % 3) yield [`${at}.dimensions`, 'When one dimension is specified, all must be specified with a dimension_unit'];
  if (sides === 3 && !given.dimension_unit) yield [`${at}.dimension_unit`, 'dimension_unit is required when dimensions are specified'];
}

function* list(at, given, each) {
  if (given == null) return yield [at, required(given)];
  if (given.length === 0) return yield [`${at}.non_field_errors`, 'This list may not be empty.'];
  for (const [index, one] of given.entries()) yield* each(`${at}.${index}`, one);
}

function* commodity(at, given) {
  yield [`${at}.weight`, required(given.weight, number)];
  yield [`${at}.weight_unit`, required(given.weight_unit, oneOf(WEIGHTS))];
  for (const [key, longest] of [['title', 200], ['description', 200], ['sku', 100], ['hs_code', 100]]) {
    yield [`${at}.${key}`, said(given[key], atMost(longest))];
  }
  yield [`${at}.origin_country`, said(given.origin_country, country)];
}

function* customs(given) {
  yield* list('customs.commodities', given.commodities, commodity);
  yield ['customs.duty.paid_by', said(given.duty?.paid_by, oneOf(PAYERS))];
  yield ['customs.content_type', said(given.content_type, oneOf(CONTENTS))];
  yield ['customs.incoterm', said(given.incoterm, oneOf(TERMS))];
  yield ['customs.invoice', said(given.invoice, atMost(50))];
}

function* draft(body) {
  yield* address('recipient', body.recipient);
  yield* address('shipper', body.shipper);
  yield* list('parcels', body.parcels, parcel);
  if (body.customs) yield* customs(body.customs);
  yield ['reference', said(body.reference, atMost(100))];
  yield ['order_id', said(body.order_id, atMost(50))];
  yield ['label_type', said(body.label_type, oneOf(['PDF', 'ZPL', 'PNG']))];
  const kind = typeof body.metadata === 'string' ? 'str' : undefined;
  yield ['metadata', kind && `Expected a dictionary of items but got type "${kind}".`];
}

/** With karrio's own messages. */
export const mistakes = (body) => [...draft(body)].filter(([, wrong]) => wrong).map(([where, wrong]) => `${where}: ${wrong}`);
mistakes.label = ({ label_type }) => {
  const wrong = said(label_type, oneOf(['PDF', 'ZPL', 'PNG']));
  return wrong && `label_type: ${wrong}`;
};

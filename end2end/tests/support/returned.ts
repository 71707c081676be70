import { Api } from './api';
import { basket, type Line, type Order, type Shop } from './shop';

/** A return, as staff see it. */
export interface Returned {
  id: string;
  number: string;
  returnRequests: {
    id: string;
    stage: string;
    product: { name: string };
    quantity: number;
    receivedQuantity: number;
    surplusQuantity: number;
  }[];
  shipments: { labelBarcode: string }[];
}

export interface Wanted {
  lines?: Line[];
  /** The first items of the order that can be returned; by default all. */
  items?: number;
  /** The customer's words about each item. */
  comment?: string;
  /** Who makes it. Staff need no review. */
  by?: 'customer' | 'staff';
}

const apis = new WeakMap<Shop, Promise<Api>>();

/** The API of a shop, with one key for all calls of a test. */
export function apiOf(shop: Shop): Promise<Api> {
  const known = apis.get(shop) ?? shop.api();
  apis.set(shop, known);
  return known;
}

interface Bought {
  id: string;
  quantity: number;
  returnReasons: { id: string }[];
  shippingOptions: { id: string }[];
}

/** Makes a return of a new order by the API. */
export async function returned(shop: Shop, { lines = basket, items = lines.length, comment = '', by = 'customer' }: Wanted = {}): Promise<Returned & { order: Order }> {
  const order = await shop.order(lines);
  const call = async <T>(method: string, path: string, token: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${process.env.RETOUR_URL}${path}`, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const proof = { account: shop.slug, orderNumber: order.number, email: order.email };
  const proved = await call<{ accessToken: string; consumer: { id: string } }>('POST', '/auth/consumer', '', proof);
  const consumer = `/consumer/${proved.consumer.id}`;
  const { data } = await call<{ data: Bought[] }>('GET', `${consumer}/purchases?limit=100`, proved.accessToken);
  const chosen = data.filter((line) => line.returnReasons.length > 0 && line.shippingOptions.length > 0).slice(0, items);
  const selection = {
    shippingOptionId: chosen[0]!.shippingOptions[0]!.id,
    selectedPurchases: chosen.map((line) => ({
      purchaseId: line.id,
      quantity: by === 'staff' ? line.quantity : 1,
      returnReasonId: line.returnReasons[0]!.id,
      returnReasonComment: comment,
      requestedResolution: 'Refund',
    })),
  };
  const api = await apiOf(shop);
  let id: string;
  if (by === 'staff') {
    ({ id } = await api.post<{ id: string }>('/return-orders', { consumerId: proved.consumer.id, ...selection }));
  } else {
    const draft = await call<{ id: string }>('POST', `${consumer}/draft-return-order`, proved.accessToken, selection);
    ({ id } = await call<{ id: string }>('POST', `${consumer}/return-order`, proved.accessToken, { draftReturnOrderId: draft.id }));
  }
  return { ...(await state(shop, id)), order };
}

/** A return as it is now. */
export async function state(shop: Shop, id: string): Promise<Returned> {
  return (await apiOf(shop)).get<Returned>(`/return-orders/${id}?expand=returnRequests&expand=shipments`);
}

// The portal in a page of the shop: two origins, as with a real shop. The shop is localhost, the portal 127.0.0.1.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Shop, type Order } from './shop';

/** The merchant's snippet within the shop's own page. */
export function html(portal: string, slug: string, data: Record<string, string>): string {
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${value}"`).join('');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>A shop</title><style>body { margin: 0; font-family: serif; background: #fdf6e3 } header, footer { padding: 2rem }
      #above { height: 60vh }</style>
    <header><h1>A shop</h1></header><main><p id="above">Our returns</p>
    <div id="returns"><a href="${portal}/${slug}">Return something</a></div>
    <script>
      window.told = [];
      for (const type of ['step', 'completed']) addEventListener('retour:' + type, ({ detail }) => told.push([type, detail]));
    </script>
    <script src="${portal}/embed.js" data-shop="${slug}" data-target="#returns"${attributes} async></script>
    </main><footer><p>A shop, Some Street 1</p></footer></html>`;
}

/** A shop's website. */
export class Site {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async open(page: () => string, host = 'localhost'): Promise<Site> {
    const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page()));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new Site(server, `http://${host}:${(server.address() as AddressInfo).port}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

export interface Setting {
  shop: Shop;
  order: Order;
  site: Site;
}

/** A shop whose website shows its portal, and an order in it. */
export async function setting(portal: string, policy: object, use: (setting: Setting) => Promise<void>, data?: (order: Order) => Record<string, string>, host?: string) {
  const shop = await Shop.open(policy);
  const order = await shop.order();
  const site = await Site.open(() => html(portal, shop.slug, data?.(order) ?? {}), host);
  try {
    const api = await shop.api();
    await api.patch('/account', { branding: { embedOrigins: [site.origin] } });
    await use({ shop, order, site });
  } finally {
    await site.close();
  }
}

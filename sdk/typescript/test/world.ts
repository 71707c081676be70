// The server and the proxy that world.mjs started.
import { Retour, type ClientOptions } from "@retour/sdk";

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: node sdk/test/world.mjs COMMAND…`);
  return value;
}

export const url = setting("RETOUR_URL");
export const key = setting("RETOUR_KEY");
export const retour = new Retour({ baseUrl: url, token: key });

let names = 0;

/** A request that the proxy of faults.mjs has seen. */
export interface Seen {
  method: string;
  path: string;
  key: string | null;
  tooEarly: boolean;
}

/** A client whose first requests fail as the script says, and a list of its requests. */
export function failing(script: string, options: Partial<ClientOptions> = {}): { client: Retour; seen: () => Promise<Seen[]> } {
  const faults = setting("RETOUR_FAULTS");
  const name = `ts-${process.pid}-${(names += 1)}`; // each file of tests is a process
  return {
    client: new Retour({ baseUrl: `${faults}/faults/${script}/${name}`, token: key, ...options }),
    seen: async () => (await (await fetch(`${faults}/seen/${name}`)).json()) as Seen[],
  };
}

/** Everything that a list has. */
export async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

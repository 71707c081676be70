import { createHmac, randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import type { Cookie, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { sendForm } from './form';

/** One of a merchant's people. */
export interface Person {
  email: string;
  name: string;
  password: string;
  /** Their session, once they have signed in by `enter`. */
  session?: Cookie[];
}

export type Role = 'admin' | 'agent' | 'finance' | 'viewer' | 'warehouse';

/** Creates a person who can sign in to the desk. */
export async function person(role: Role = 'agent', account = 'fjord-fern', name = 'Kari Nordmann'): Promise<Person> {
  const known = { email: `${randomUUID().slice(0, 8)}@shop.example`, name, password: `tests only ${randomUUID()}` };
  await new Promise<void>((done, failed) => {
    const options = ['user', 'create', '--account', account, '--email', known.email, '--role', role, '--name', name];
    const env = { ...process.env, DATABASE_URL: process.env.RETOUR_DATABASE_URL! };
    const program = execFile(process.env.RETOUR_BIN!, options, { env }, (error) => (error ? failed(error) : done()));
    program.stdin!.end(`${known.password}\n`);
  });
  return known;
}

const known = new Map<string, Promise<Person>>();

/** A person who works at the desk. Tests of one worker share their session. */
export function staff(role: Role = 'agent', account = 'fjord-fern'): Promise<Person> {
  const key = `${role} ${account}`;
  const one = known.get(key) ?? person(role, account);
  known.set(key, one);
  return one;
}

/** The desk in a page. */
export class Desk {
  /** What went wrong in the browser, for the message of a page that does not become ready. */
  private readonly troubles: string[] = [];

  constructor(readonly page: Page) {
    page.on('requestfailed', (request) => this.troubles.push(`${request.url()}: ${request.failure()?.errorText}`));
    page.on('pageerror', (error) => this.troubles.push(String(error)));
  }

  get heading() {
    return this.page.getByRole('heading', { level: 1 });
  }

  get alert() {
    return this.page.getByRole('alert');
  }

  async open(path = ''): Promise<void> {
    await this.page.goto(/^(\?|$)/.test(path) ? `/desk${path}` : `/desk/${path}`);
  }

  /** Signs in, and opens a page. */
  async signIn({ email, password }: Person, path = 'me'): Promise<void> {
    await this.open(path);
    await this.page.getByLabel('Email address').fill(email);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(this.page).toHaveURL((url) => `${url.pathname}${url.search}` === `/desk${path && `/${path}`}`);
  }

  /** Opens a page as somebody. The first time, their sign-in is sent without its page. */
  async enter(person: Person, path = ''): Promise<void> {
    const context = this.page.context();
    if (person.session) {
      await context.addCookies(person.session);
    } else {
      const { email, password } = person;
      await sendForm(this.page, '/desk/call/sign-in', { email, password }, '/desk');
      person.session = await context.cookies();
    }
    await this.open(path);
    await this.ready();
  }

  /** What can be undone, or was done afterwards. */
  get holding() {
    return this.page.locator('.holding');
  }

  /** Waits until the islands react, if scripting is on. A page has its style sheet then, too. */
  async ready(): Promise<void> {
    await this.page.waitForLoadState();
    await expect(async () => {
      const waits = () => matchMedia('(scripting: enabled)').matches && !!document.querySelector('leptos-island') && !document.documentElement.hasAttribute('data-hydrated');
      expect(await this.page.evaluate(waits), `islands are hydrated; ${this.troubles.join('; ')}`).toBe(false);
    }).toPass({ intervals: [20, 50, 100, 200], timeout: 60_000 });
  }
}

/** The code of an authenticator app (RFC 6238) for a secret in Base32. `later`: so many steps of 30 seconds. */
export function totp(secret: string, later = 0): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret.replace(/[^A-Z2-7]/g, '')].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const hash = createHmac('sha1', key).update(counter).digest();
  const offset = hash[hash.length - 1]! & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

import { request, type APIRequestContext, type APIResponse, type Page } from '@playwright/test';
import { expect } from './test';

/**
 * Requests that no honest browser sends. Each response is a page that says what happened, and never an error
 * of the server.
 */
export class Raw {
  private constructor(private readonly context: APIRequestContext) {}

  /** Requests with the page's current cookies. */
  static async of(page: Page, baseURL: string): Promise<Raw> {
    return new Raw(await request.newContext({ baseURL, storageState: await page.context().storageState() }));
  }

  static async stranger(baseURL: string, cookie?: string): Promise<Raw> {
    return new Raw(await request.newContext({ baseURL, extraHTTPHeaders: cookie ? { cookie } : {} }));
  }

  /** Posts a form and follows redirects like a browser. */
  async post(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    return answer(await this.context.post(path, { form, headers }));
  }

  async postBytes(path: string, data: Buffer | string, type = 'application/x-www-form-urlencoded'): Promise<Answer> {
    return answer(await this.context.post(path, { data, headers: { 'content-type': type } }));
  }

  async fetch(method: string, path: string): Promise<Answer> {
    return answer(await this.context.fetch(path, { method }));
  }

  async get(path: string): Promise<Answer> {
    return this.fetch('GET', path);
  }

  async close(): Promise<void> {
    await this.context.dispose();
  }
}

export interface Answer {
  status: number;
  url: string;
  text: string;
  headers: Record<string, string>;
  /** The page's heading. */
  heading: string;
}

async function answer(response: APIResponse): Promise<Answer> {
  const text = await response.text();
  const heading = /<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1].replace(/<!.*?>/g, '') ?? '';
  expect(response.status(), `${response.url()}\n${text.slice(0, 400)}`).toBeLessThan(500);
  return { status: response.status(), url: response.url(), text, headers: response.headers(), heading };
}

/** The fields of the page's form, so that a test can change them. */
export async function fieldsOf(page: Page): Promise<Record<string, string>> {
  return page
    .getByRole('main')
    .locator('form')
    .first()
    .evaluate((form: HTMLFormElement) => {
      const fields: Record<string, string> = {};
      for (const [name, value] of new FormData(form)) fields[name] = String(value);
      return fields;
    });
}

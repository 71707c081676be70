/** The REST API, as merchants' programs call it. */
export class Api {
  constructor(private readonly key: string) {}

  get<T>(path: string): Promise<T> {
    return this.call('GET', path);
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.call('POST', path, body);
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.call('PATCH', path, body);
  }

  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${process.env.RETOUR_URL}/api/v0${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}

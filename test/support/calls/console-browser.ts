import request from 'supertest';

/** Origin of the console, according to `PUBLIC_URL`. */
export const CONSOLE_ORIGIN = 'https://mail.example.com';
export const CONSOLE_HEADER = 'X-Lettermill-Console';

/** A browser on a page of the console: it sends what browsers send, and keeps the cookie. */
export class ConsoleBrowser {
  constructor(private readonly url: string) {}

  cookie = '';
  csrf = '-';
  setCookie = '';

  ask(method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string, headers: Readonly<Record<string, string | null>> = {}) {
    const all = {
      Origin: method === 'get' ? null : CONSOLE_ORIGIN,
      'Sec-Fetch-Site': 'same-origin',
      Cookie: this.cookie || null,
      [CONSOLE_HEADER]: this.csrf,
      ...headers,
    };
    const test = request(this.url)[method](path);
    for (const [name, value] of Object.entries(all)) if (value !== null) test.set(name, value);
    return test;
  }

  async signIn(given: object, headers: Readonly<Record<string, string | null>> = {}) {
    const answer = await this.ask('post', '/console/session', headers).send(given);
    this.setCookie = answer.headers['set-cookie']?.[0] ?? '';
    this.cookie = this.setCookie.split(';')[0] ?? '';
    if (answer.status !== 200) return answer;
    this.csrf = (await this.ask('get', '/console/session').expect(200)).body.data.csrf;
    return answer;
  }
}

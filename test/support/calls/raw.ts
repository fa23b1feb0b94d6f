import http from 'node:http';

interface RawAnswer {
  readonly status: number;
  readonly body: { readonly code?: string; readonly details?: readonly { readonly path: string; readonly code: string }[] };
}

/** Sends header lines and bytes as they are; supertest would merge repeated headers and convert the body. */
export const raw = (
  url: string,
  method: string,
  path: string,
  headers: readonly string[],
  body: string | Buffer = '',
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const call = http.request({ hostname, port, method, path, headers: headers, setHost: false });
    call.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as RawAnswer['body'] }));
    });
    call.on('error', reject);
    call.end(body);
  });

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[] }[];
}

export interface CollectedSpan extends Omit<WireSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Takes spans as an OTLP collector does (HTTP, JSON). */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** All that was sent. */
  text = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const collector: TraceCollector = new TraceCollector(
      createServer((req, res) => {
        const chunks: Buffer[] = [];
        req.on('data', (chunk: Buffer) => chunks.push(chunk));
        req.on('end', () => {
          collector.take(Buffer.concat(chunks).toString());
          res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        });
      }),
    );
    await new Promise<void>((resolve) => collector.server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(text: string): void {
    this.text += text;
    const spans = (JSON.parse(text) as Export).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    for (const { attributes, ...span } of spans) {
      const pairs = attributes.map(({ key, value }) => [key, Object.values(value)[0]]);
      this.spans.push({ ...span, attributes: Object.fromEntries(pairs) as Record<string, unknown> });
    }
  }
}

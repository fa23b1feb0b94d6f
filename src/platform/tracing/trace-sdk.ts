import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, context, propagation, trace } from '@opentelemetry/api';
import type { Attributes, Context, Span } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { MongoDBInstrumentation } from '@opentelemetry/instrumentation-mongodb';
import { Resource, detectResourcesSync, envDetectorSync } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client';
import { OpenTelemetryActivityInboundInterceptor, makeWorkflowExporter } from '@temporalio/interceptors-opentelemetry/lib/worker';
import { VERSION } from '../config';

/** A message as far as its spans name it. */
interface TracedMessage {
  readonly _id: string;
  readonly projectId: string;
  readonly shard: number;
  readonly source: string;
  readonly attempts: number;
  /** A traceparent (W3C), of the request that the message was accepted with. */
  readonly trace?: string | undefined;
}

/** Statements and texts of errors may name people, subjects and secrets. */
const UNSPOKEN = /^(?:db\.(?:statement|query\.text|connection_string)|exception\.(?:message|stacktrace)|http\.url|url\..*)$/;

const spoken = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !UNSPOKEN.test(name)));

/** Returns the span without what must not leave the process. */
function scrubbed(span: ReadableSpan): ReadableSpan {
  const members = {
    attributes: spoken(span.attributes),
    events: span.events.map((event) => ({ ...event, attributes: spoken(event.attributes ?? {}) })),
    status: { code: span.status.code },
  };
  return Object.create(span, Object.fromEntries(Object.entries(members).map(([name, value]) => [name, { value }]))) as ReadableSpan;
}

const scrubbing = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(scrubbed), done),
  shutdown: () => exporter.shutdown(),
  ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
});

/** Creates spans of requests and of messages; Temporal's interceptors and MongoDB's instrumentation create those between. */
export class TraceSdk {
  private readonly tracer = trace.getTracer('lettermill', VERSION);

  constructor(
    private readonly processor: BatchSpanProcessor,
    private readonly resource: Resource,
  ) {}

  /** Options for clients of Temporal: the workflows that they start continue the trace. */
  get clientOptions() {
    return { interceptors: { workflow: [new OpenTelemetryWorkflowClientInterceptor()] } };
  }

  /** Options for workers. Workflows also need the interceptors in their own code. */
  get workerOptions() {
    return {
      interceptors: {
        activity: [
          (ctx: ConstructorParameters<typeof OpenTelemetryActivityInboundInterceptor>[0]) => ({
            inbound: new OpenTelemetryActivityInboundInterceptor(ctx),
          }),
        ],
      },
      sinks: { exporter: makeWorkflowExporter(this.processor, this.resource) },
    };
  }

  /** Serves a request within its span, which continues the caller's trace. `ended` takes its route and status. */
  request(method: string, headers: object, serve: (ended: (route: string, status: number) => void) => void): void {
    const parent = propagation.extract(ROOT_CONTEXT, headers);
    const span = this.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }, parent);
    context.with(trace.setSpan(parent, span), () =>
      serve((route, status) => {
        span.updateName(`${method} ${route}`);
        span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      }),
    );
  }

  /** Returns the traceparent of the current work, for continuing the trace later or elsewhere; undefined if it is not sampled. */
  current(): string | undefined {
    const span = trace.getSpanContext(context.active());
    if (!span || (span.traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
    return `00-${span.traceId}-${span.spanId}-01`;
  }

  /** Runs one attempt to send a message as a span in the trace of its acceptance; `said` are the attributes of its outcome. */
  async attempt<T>(message: TracedMessage, work: () => Promise<T>, said: (result: T) => Attributes): Promise<T> {
    const parent = propagation.extract(ROOT_CONTEXT, { traceparent: message.trace });
    const span = this.tracer.startSpan(
      'message.attempt',
      {
        kind: SpanKind.CONSUMER,
        attributes: {
          'lettermill.email_id': message._id,
          'lettermill.project_id': message.projectId,
          'lettermill.source': message.source,
          'lettermill.shard': message.shard,
          'lettermill.attempt': message.attempts,
        },
      },
      parent,
    );
    return within(trace.setSpan(parent, span), span, work, said);
  }

  /** Runs the exchange with a mail server, until its reply, as a span within an attempt. */
  async exchange<T>(work: () => Promise<T>, said: (result: T) => Attributes): Promise<T> {
    const span = this.tracer.startSpan('smtp', { kind: SpanKind.CLIENT });
    return within(trace.setSpan(context.active(), span), span, work, said);
  }

  /** Sends what is left. */
  async stop(): Promise<void> {
    await this.processor.shutdown().catch(() => undefined);
  }
}

async function within<T>(at: Context, span: Span, work: () => Promise<T>, said: (result: T) => Attributes): Promise<T> {
  try {
    const result = await context.with(at, work);
    span.setAttributes(said(result));
    return result;
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** Starts the SDK with what the standard variables say, and hooks into MongoDB's driver, which must not be loaded yet. */
export function startTraceSdk(): TraceSdk {
  const named = new Resource({ 'service.name': 'lettermill', 'service.version': VERSION });
  const resource = named.merge(detectResourcesSync({ detectors: [envDetectorSync] }));
  const processor = new BatchSpanProcessor(scrubbing(new OTLPTraceExporter()));
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  provider.register({
    contextManager: new AsyncLocalStorageContextManager().enable(),
    propagator: new W3CTraceContextPropagator(),
  });
  new MongoDBInstrumentation({ dbStatementSerializer: () => '' }).setTracerProvider(provider);
  return new TraceSdk(processor, resource);
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { Response } from 'supertest';
import { createProject } from '../../../src/records/projects/service';
import type { ProjectKeys } from '../../../src/records/projects/service';
import { eventNamesOf } from '../data/event-names';
import { connectEmptied } from '../run/database';
import { forTheFile } from '../run/for-the-file';
import { endProcess, freePort, processCode } from '../run/servers';
import { ofTheRun } from '../run/test-run';
import type { TestServer } from '../run/servers';
import { startSmtpServer } from '../servers/smtp-fault-server';
import type { SmtpFaultServer } from '../servers/smtp-fault-server';
import { ownGround, sharedGround } from './ground';
import type { Ground } from './ground';

const ROOT = path.resolve(__dirname, '../../..');
const START_MS = 120_000;
/** Most processes live for seconds, in which they do not earn back what V8 takes to optimize them: it should wait until code is really hot. */
const SHORT_LIVED = '--interrupt-budget=2000000';

/** Between two looks of a check that is cheap, and of one that is not, in milliseconds. */
const [PAUSE_MS, LONGEST_PAUSE_MS] = [25, 250];
/** A check that asks the API or the database takes time from the platform: it pauses for this many times its own duration. */
const PAUSES = 6;

/** Polls until `check` answers something true; fails after `withinMs` with what it waited for. */
export async function eventually<T>(what: string, check: () => Promise<T> | T, withinMs = 120_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs;
  let last: unknown;
  for (;;) {
    const began = performance.now();
    try {
      const value = await check();
      if (value) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what} (last: ${String(last)})`);
    const pauseMs = Math.min(Math.max(PAUSE_MS, PAUSES * (performance.now() - began)), LONGEST_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** A process of the platform, as `npm run api` or `npm run worker` would start it. */
export class Part {
  private child: ChildProcess | undefined;
  output = '';

  constructor(
    private readonly entry: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly readyText: string,
    /** Returns the arguments with which Node runs an entry file. */
    private readonly codeOf: (entry: string) => string | readonly string[] = processCode,
  ) {}

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  async start(): Promise<void> {
    this.output = '';
    const child = spawn(process.execPath, [SHORT_LIVED, this.codeOf(this.entry)].flat(), {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', HOME: os.homedir(), ...ofTheRun(), ...this.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    const take = (chunk: Buffer): void => {
      this.output = (this.output + chunk.toString()).slice(-200_000);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    await eventually(`${this.entry} is ready`, () => this.output.includes(this.readyText) || child.exitCode !== null, START_MS);
    if (child.exitCode !== null) throw new Error(`${this.entry} ended:\n${this.output}`);
  }

  signal(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  /** Ends at once, as by a power cut. */
  async kill9(): Promise<void> {
    await endProcess(this.child, 'SIGKILL');
  }

  async stop(): Promise<void> {
    await endProcess(this.child, 'SIGTERM');
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Any shape, as in the tests of the API. */
  readonly body: Response['body'];
}

interface PlatformOptions {
  /** The host that PUBLIC_URL names, where it matters. */
  readonly publicHost?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** For tests that kill mongod or Temporal. */
  readonly ownServers?: boolean;
  /** A database on mongods that the caller starts and ends. */
  readonly mongoUri?: string;
  /** Port for the web UI of a Temporal of its own. */
  readonly temporalUiPort?: number;
  /** Returns the code for an entry file, if it is not one of the bundles that tests share. */
  readonly codeOf?: (entry: string) => string;
}

/** The whole platform as separate processes, which may be killed; its servers only where they are its own. */
export class Platform {
  private constructor(
    readonly url: string,
    readonly keys: ProjectKeys,
    private readonly ground: Ground,
    readonly smtp: SmtpFaultServer,
    readonly api: Part,
    readonly worker: Part,
    readonly env: Readonly<Record<string, string>>,
  ) {}

  static async start({
    env: more = {},
    ownServers = false,
    mongoUri,
    temporalUiPort,
    codeOf,
    publicHost,
  }: PlatformOptions = {}): Promise<Platform> {
    const [ground, smtp, port] = await Promise.all([
      ownServers ? ownGround(temporalUiPort) : sharedGround(mongoUri),
      startSmtpServer(),
      freePort(),
    ]);
    await connectEmptied(ground.mongoUri);
    const keys = await createProject('Default');
    const env = {
      NODE_ENV: 'test',
      LOG_LEVEL: 'info',
      PORT: String(port),
      MONGODB_URI: ground.mongoUri,
      TEMPORAL_ADDRESS: ground.temporalAddress,
      TEMPORAL_NAMESPACE: ground.namespace,
      APP_SECRET: 'an application secret for tests only!',
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      DEV_VERIFIED_DOMAINS: 'hello.test',
      SEND_RATE_PER_SECOND: '100000',
      SEND_RATE_BURST: '100000',
      API_RATE_PER_SECOND: '100000',
      API_RATE_BURST: '100000',
      ...(publicHost !== undefined && { PUBLIC_URL: `http://${publicHost}:${port}` }),
      ...more,
    };
    const api = new Part('api/main.ts', env, 'istening', codeOf);
    const worker = new Part('worker/main.ts', env, 'Worker is ready', codeOf);
    const platform = new Platform(`http://127.0.0.1:${port}`, keys, ground, smtp, api, worker, env);
    try {
      await Promise.all([api.start(), worker.start()]);
      await eventually('the API is healthy', async () => (await platform.get('/v1/health')).status === 200);
      return platform;
    } catch (error) {
      await platform.stop();
      throw error;
    }
  }

  private get own(): NonNullable<Ground['own']> {
    if (!this.ground.own) throw new Error('Only servers of its own may be killed: start it with ownServers');
    return this.ground.own;
  }

  get mongod(): TestServer {
    return this.own.mongod;
  }

  get temporal(): TestServer {
    return this.own.temporal;
  }

  async request(method: string, route: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const response = await fetch(this.url + route, {
      method,
      headers: {
        authorization: `Bearer ${this.keys.secret}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  }

  get(route: string): Promise<Answer> {
    return this.request('GET', route);
  }

  post(route: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.request('POST', route, body, headers);
  }

  /** Sends one message and resolves to its id; fails unless it was accepted. */
  async send(to: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { status, body } = await this.post('/v1/send', { to, from: 'hello@hello.test', subject: 'Hello', html: '<p>Hello</p>', ...more });
    const id: unknown = body?.data?.results?.[0]?.id;
    if (status !== 200 || typeof id !== 'string') throw new Error(`Not accepted: ${status} ${JSON.stringify(body)}`);
    return id;
  }

  /** The e-mail once it has one of these statuses. */
  untilStatus(id: string, ...statuses: readonly string[]): Promise<Answer['body']> {
    return eventually(`${id} is ${statuses.join(' or ')}`, async () => {
      const { body } = await this.get(`/v1/emails/${id}`);
      return statuses.includes(body?.data?.status as string) ? body.data : null;
    });
  }

  /** The names of a message's events, in order. */
  eventNames(id: string): Promise<string[]> {
    return eventNamesOf(id);
  }

  /** The messages that the mail server accepted for an address. */
  arrived(to: string): SmtpFaultServer['messages'] {
    return this.smtp.messages.filter((message) => message.to === to);
  }

  /** A client of the platform's Temporal namespace; its connection is the caller's to close. */
  async temporalClient(): Promise<Client> {
    const { temporalAddress: address, namespace } = this.ground;
    return new Client({ connection: await Connection.connect({ address }), namespace });
  }

  messageIds(to: string): unknown[] {
    return this.arrived(to).map((message) => message.headers['message-id']);
  }

  async stop(): Promise<void> {
    await Promise.all([this.api.stop(), this.worker.stop()]);
    await Promise.all([this.smtp.close(), this.ground.leave()]);
  }
}

/** A platform for the tests of a file. Takes a function where options depend on what else is started before the tests. */
export const aPlatform = (options: PlatformOptions | (() => PlatformOptions) = {}): Platform =>
  forTheFile(
    () => Platform.start(typeof options === 'function' ? options() : options),
    (platform) => platform.stop(),
  );

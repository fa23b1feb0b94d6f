import { isIP } from 'node:net';
import { z } from 'zod';
import { patternFault } from '../../rules/provider-rules';
import { DEFAULT_TRANSPORT } from '../../rules/transports';
import { isTimeZone } from '../../rules/zoned-time';
import { hostName } from './setting-kinds';

const MOST = 100;
const transportName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'must be a name of small letters, digits, - and _');
const word = z.string().min(1).max(200);

const transport = z.strictObject({
  name: transportName.refine((name) => name !== DEFAULT_TRANSPORT, '“default” is the transport of SMTP_URL'),
  url: z.string().regex(/^(smtps?:\/\/\S+|direct:)$/, 'must be smtp://, smtps:// or direct:'),
  sourceAddress: z
    .string()
    .refine((text) => isIP(text) !== 0, 'must be an IP address')
    .optional(),
  hello: hostName.optional(),
});

const use = z.strictObject({ transport: transportName, weight: z.number().int().min(1).max(10_000).default(1) });

const route = z.strictObject({
  project: word.optional(),
  type: z.enum(['transactional', 'marketing']).optional(),
  topic: word.optional(),
  tag: word.regex(/^[\w-]+:\S+$/, 'must be name:value').optional(),
  provider: word.optional(),
  use: z.array(use).min(1).max(MOST),
  fallback: z.array(transportName).max(MOST).default([]),
});

const minutes = z.number().int().min(1).max(10_080);
const rate = z.number().min(0.1).max(1_000_000);

const reply = z
  .strictObject({
    reply: z
      .string()
      .min(1)
      .superRefine((pattern, ctx) => {
        const fault = patternFault(pattern);
        if (fault !== null) ctx.addIssue({ code: 'custom', message: fault });
      }),
    times: z.number().int().min(1).max(1_000).default(1),
    withinMinutes: minutes.max(60).default(60),
    do: z.enum(['suspend', 'rate', 'hold']),
    forMinutes: minutes.optional(),
    perMinute: rate.optional(),
  })
  .refine((on) => (on.forMinutes !== undefined) === (on.do !== 'hold'), '“suspend” and “rate” need forMinutes; “hold” has none')
  .refine((on) => (on.perMinute !== undefined) === (on.do === 'rate'), '“rate” needs perMinute; the others have none');

const rule = z.strictObject({
  provider: word,
  connections: z.number().int().min(1).max(1_000).optional(),
  messagesPerConnection: z.number().int().min(1).max(100_000).optional(),
  perMinute: rate.optional(),
  on: z.array(reply).max(MOST).default([]),
});

const ramp = z.strictObject({
  transport: transportName,
  perDay: z.array(z.number().int().min(1).max(100_000_000)).min(1).max(366),
  perProvider: z.boolean().default(false),
  timezone: z.string().refine(isTimeZone, 'must be the name of a time zone, as “Europe/Berlin”').default('UTC'),
  overflow: z.enum(['wait', 'other']),
});

const transports = z
  .strictObject({
    transports: z.array(transport).max(MOST).default([]),
    routes: z.array(route).max(1_000).default([]),
    rules: z.array(rule).max(1_000).default([]),
    ramps: z.array(ramp).max(MOST).default([]),
  })
  .superRefine((given, ctx) => {
    const names = given.transports.map(({ name }) => name);
    const known = new Set([...names, DEFAULT_TRANSPORT]);
    const named = (name: string, path: (string | number)[]): void => {
      if (!known.has(name)) ctx.addIssue({ code: 'custom', message: `transport “${name}” does not exist`, path });
    };
    const once = (list: readonly string[], pathOf: (at: number) => (string | number)[]): void => {
      for (const [at, name] of list.entries())
        if (list.indexOf(name) < at) ctx.addIssue({ code: 'custom', message: `“${name}” is listed twice`, path: pathOf(at) });
    };
    const ramped = given.ramps.map(({ transport: name }) => name);
    for (const [at, name] of ramped.entries()) named(name, ['ramps', at, 'transport']);
    once(names, (at) => ['transports', at, 'name']);
    once(ramped, (at) => ['ramps', at, 'transport']);
    once(
      given.rules.map(({ provider }) => provider),
      (at) => ['rules', at, 'provider'],
    );
    for (const [at, { use: used, fallback }] of given.routes.entries()) {
      for (const [place, one] of used.entries()) named(one.transport, ['routes', at, 'use', place, 'transport']);
      for (const [place, name] of fallback.entries()) named(name, ['routes', at, 'fallback', place]);
    }
  });

/** Several ways for mail, and which mail takes which. */
export type TransportSettings = z.output<typeof transports>;

/** Reads JSON text. Its faults do not repeat it: URLs may hold passwords. */
const json = z.string().transform((text, ctx): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    ctx.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
});

/** The setting of transports. */
export const transportSettings = {
  TRANSPORTS: json
    .pipe(transports)
    .optional()
    .describe('JSON: several smarthosts and addresses to send from, routes, rules for providers and ramps (docs/transports.md)'),
};

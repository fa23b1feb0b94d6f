import type { SmtpOutcome } from '@lettermill/smtp';
import { Flows } from '../../../../src/sending/deliver/flows';
import { SmarthostGate } from '../../../../src/sending/deliver/make-lanes';
import { Shares } from '../../../../src/sending/deliver/taker';
import type { Answer, Gate } from '../../../../src/sending/deliver/transport';
import { verdictOfFlow, verdictOfServer } from '../../../../src/sending/deliver/verdicts';

const LANES = 20;

const failed = (phase: string, cause: string, code?: number): SmtpOutcome =>
  ({
    accepted: false,
    phase,
    cause,
    reply: code === undefined ? null : { code, enhanced: null, text: '' },
    inDoubt: false,
    message: '',
  }) as SmtpOutcome;
const TAKEN: SmtpOutcome = { accepted: true, reply: { code: 250, enhanced: null, text: 'OK' } };
const MUTE = failed('rcpt', 'timeout');

const mail = (projectId: string, domain: string) => ({ projectId, to: `ada@${domain}` });
/** Begins messages until one has to wait; returns how many. */
function begun(gate: Pick<Gate, 'ask'>, projectId: string, domainOf: (n: number) => string, most = 60): number {
  for (let n = 0; n < most; n++) if (!('go' in gate.ask(mail(projectId, domainOf(n))))) return n;
  return most;
}
const gate = (): SmarthostGate => new SmarthostGate(LANES, { warn: () => undefined });
const may = (answer: Answer): boolean => 'go' in answer;

test.each([
  ['421 to the greeting', failed('greeting', 'reply', 421), 'gone', 'other'],
  ['no greeting', failed('greeting', 'timeout'), 'gone', 'other'],
  ['a refused connection', failed('connect', 'refused'), 'gone', 'other'],
  ['a host that refuses us', failed('greeting', 'reply', 554), 'other', 'other'],
  ['421 to the sender', failed('mail', 'reply', 421), 'other', 'gone'],
  ['421 to the recipient', failed('rcpt', 'reply', 421), 'other', 'gone'],
  ['421 to the message', failed('final_dot', 'reply', 421), 'other', 'gone'],
  ['silence at the recipient', MUTE, 'other', 'gone'],
  ['silence after the message', failed('final_dot', 'timeout'), 'other', 'gone'],
  ['a recipient put off', failed('rcpt', 'reply', 450), 'well', 'busy'],
  ['a connection cut at the recipient', failed('rcpt', 'reset'), 'other', 'busy'],
  ['a recipient that does not exist', failed('rcpt', 'reply', 550), 'well', 'well'],
  ['our own lease', failed('mail', 'lease'), 'other', 'other'],
  ['a message that is taken', TAKEN, 'well', 'well'],
] as const)('%s is put down to the server, or to the mail', (_, outcome, server, flow) => {
  expect([verdictOfServer(outcome), verdictOfFlow(outcome)]).toEqual([server, flow]);
});

test('three quarters of the lanes that the others leave are the most for one', () => {
  const shares = new Shares(LANES);
  const takeAll = (name: string): number => {
    while (shares.hasRoom(name)) shares.take(name);
    return shares.of(name);
  };
  expect(['one', 'two', 'three', 'four'].map(takeAll)).toEqual([15, 3, 1, 1]);
  expect(new Shares(1).hasRoom('one')).toBe(true);
});

test.each([5, 20, 40])('%i messages to a mute domain hold two lanes, and so many to as many domains leave lanes to others', (count) => {
  const one = gate();
  expect(begun(one, 'prj_a', () => 'mute.test', count)).toBe(2);
  const many = gate();
  expect(begun(many, 'prj_a', (n) => `mute-${n}.test`, count)).toBe(Math.min(count, 15));
  for (const each of [one, many]) expect(begun(each, 'prj_b', (n) => `good-${n}.test`, 3)).toBe(3);
});

test.each([
  [20, 15, 3],
  [8, 6, 1],
  [4, 2, 1],
  [2, 1, 1],
  [1, 1, 0],
])('of %i lanes a campaign has %i at most, and its project %i more at once', (lanes, campaign, more) => {
  const flows = new Flows(lanes, () => undefined);
  const lent = Array.from({ length: lanes }, () => flows.lend('prj_a')).filter(Boolean);
  expect(lent).toHaveLength(campaign);
  const others = Array.from({ length: lanes - campaign }, (_, n) => mail('prj_a', `good-${n}.test`));
  expect(others.filter((one) => flows.waits(one) === null && flows.take(one))).toHaveLength(more);
});

test('a flow that was taken has twice as many lanes with each, and one that is mute then rests, alone', () => {
  const flows = new Flows(LANES, () => undefined);
  const gmail = mail('prj_a', 'gmail.test');
  for (let n = 0; n < 4; n++) flows.note(gmail, TAKEN);
  const taken = Array.from({ length: LANES }, () => flows.waits(gmail) === null && flows.take(gmail)).filter(Boolean);
  expect(taken).toHaveLength(18);
  flows.note(gmail, MUTE);
  expect(flows.waits(gmail)).toEqual({ laterMs: expect.any(Number) });
  expect(flows.waits(mail('prj_b', 'gmail.test'))).toBeNull();
  expect(flows.waits(mail('prj_b', 'other.test'))).toBeNull();
});

test('a project rests as a whole when its mail to several domains fails and none is taken, and others do not', () => {
  const flows = new Flows(LANES, () => undefined);
  const quota = failed('mail', 'reply', 421);
  flows.note(mail('prj_a', 'one.test'), quota);
  expect(flows.waits(mail('prj_a', 'three.test'))).toBeNull();
  flows.note(mail('prj_a', 'two.test'), quota);
  expect(flows.waits(mail('prj_a', 'three.test'))).toEqual({ wait: 'soon' });
  expect(flows.lend('prj_a')).toBeNull();
  expect(flows.waits(mail('prj_b', 'three.test'))).toBeNull();
  expect(flows.lend('prj_b')).not.toBeNull();
});

test('campaign mail passes over a flow that rests, and tries one that has rested with one message', async () => {
  const flows = new Flows(LANES, () => undefined);
  const mute = mail('prj_a', 'mute.test');
  flows.note(mute, MUTE);
  expect([flows.mayTry(mute), flows.mayTry(mail('prj_a', 'good.test')), flows.mayTry(mail('prj_b', 'mute.test'))]).toEqual([
    false,
    true,
    true,
  ]);
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  expect([flows.mayTry(mute), flows.mayTry(mute)]).toEqual([true, false]);
  flows.note(mute, TAKEN);
  expect([flows.mayTry(mute), flows.mayTry(mute)]).toEqual([true, true]);
});

test('a smarthost that was gone is tried with two messages of different projects to different domains', async () => {
  const tried = new SmarthostGate(LANES, { warn: () => undefined }, { pausesMs: [10], storm: 20, stormMs: 10_000 });
  const gone = { send: () => Promise.resolve(failed('connect', 'refused')), stream: () => Promise.resolve() };
  const connection = tried.watched({ ...gone, close: () => Promise.resolve(), destroy: () => undefined });
  await connection.send({ from: 'b@x.test', ...mail('prj_a', 'one.test') }, '');
  expect(tried.ask(mail('prj_b', 'two.test'))).toEqual({ wait: 'all' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(may(tried.ask(mail('prj_a', 'one.test')))).toBe(true);
  expect([may(tried.ask(mail('prj_a', 'two.test'))), may(tried.ask(mail('prj_b', 'one.test')))]).toEqual([false, false]);
  expect(may(tried.ask(mail('prj_b', 'two.test')))).toBe(true);
  expect(tried.ask(mail('prj_c', 'three.test'))).toEqual({ wait: 'all' });
});

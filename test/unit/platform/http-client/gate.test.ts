import { CallGate } from '../../../../src/platform/http-client/gate';
import type { Callee, Permit } from '../../../../src/platform/http-client/gate';

const TIMES = { pausesMs: [100, 200], storm: 3, stormMs: 60_000 };

function gateOf() {
  const clock = { now: 0 };
  const lines: (readonly [string, object])[] = [];
  const log = (what: object, text: string) => void lines.push([text, what]);
  const gate = new CallGate({ info: log as never, warn: log as never }, TIMES, () => clock.now);
  return { gate, clock, lines };
}

const within = (projectId = 'prj_a', host = 'mute.example'): Callee => ({ kind: 'within', projectId, host });
const delivery = (webhookId: string, projectId = 'prj_a'): Callee => ({ kind: 'delivery', projectId, host: 'mute.example', webhookId });

function take(gate: CallGate, callee: Callee, most: number): Permit[] {
  return Array.from({ length: most }, () => gate.ask(callee)).filter((pass) => pass !== null);
}

const TIMED_OUT = { errorClass: 'time-out' };

test('a project has ten steps of automations under way to a host, twenty-five in all, and takes none from another project', () => {
  const { gate } = gateOf();
  expect(take(gate, within('prj_a', 'one'), 200)).toHaveLength(10);
  expect(take(gate, within('prj_a', 'two'), 200)).toHaveLength(10);
  expect(take(gate, within('prj_a', 'three'), 200)).toHaveLength(5);
  expect(take(gate, within('prj_b', 'one'), 200)).toHaveLength(10);
});

test('a caller learns whether it would be admitted without taking a place', () => {
  const { gate } = gateOf();
  const passes = take(gate, within(), 9);
  expect([gate.admits(within()), gate.admits(within())]).toEqual([true, true]);
  passes.push(...take(gate, within(), 1));
  expect(gate.admits(within())).toBe(false);
  passes[0]?.leave(null);
  expect(gate.admits(within())).toBe(true);
});

test('a project that has few calls still has room when all others have many under way', () => {
  const { gate } = gateOf();
  for (let n = 0; n < 20; n++) take(gate, within(`prj_${n}`, 'one'), 200);
  expect(take(gate, within('prj_late'), 200)).toHaveLength(2);
});

test('the first delivery of an endpoint waits for no other endpoint', () => {
  const { gate } = gateOf();
  for (let n = 0; n < 20; n++) take(gate, delivery(`whk_${n}`), 10);
  expect(gate.ask(delivery('whk_late'))).toBeNull();
  expect(gate.ask(delivery('whk_late'), true)).not.toBeNull();
});

test('a place that was left is given again, once', () => {
  const { gate } = gateOf();
  const [first] = take(gate, within(), 10);
  first?.leave(null);
  first?.leave(null);
  expect(take(gate, within(), 200)).toHaveLength(1);
});

describe('a server that times out again and again', () => {
  test('is left alone, for longer each time, tried by few, and called as before once it answers; the log says so', () => {
    const { gate, clock, lines } = gateOf();
    const passes = take(gate, within(), 10);
    passes.slice(0, 2).forEach((pass) => pass.leave(TIMED_OUT));
    expect(gate.restMs(within())).toBe(0);
    passes.slice(2).forEach((pass) => pass.leave(TIMED_OUT));
    expect(gate.restMs(within())).toBe(100);
    expect(gate.ask(within())).toBeNull();
    expect(gate.ask(within('prj_b'))).not.toBeNull();

    clock.now += 100;
    const probes = take(gate, within(), 200);
    expect(probes).toHaveLength(5);
    probes.forEach((pass) => pass.leave(TIMED_OUT));
    expect(gate.restMs(within())).toBe(200);

    clock.now += 200;
    gate.ask(within())?.leave({ errorClass: 'HTTP 500' });
    expect(take(gate, within(), 200)).toHaveLength(10);
    const server = { projectId: 'prj_a', host: 'mute.example', webhookId: undefined };
    expect(lines).toEqual([
      ['A server is unresponsive; calls to it pause', { ...server, pauseMs: 100, failures: 1 }],
      ['A server is unresponsive; calls to it pause', { ...server, pauseMs: 200, failures: 2 }],
      ['An unresponsive server answers again', server],
    ]);
  });

  test('and answers in between, is called on', () => {
    const { gate } = gateOf();
    for (let n = 0; n < 20; n++) gate.ask(within())?.leave(n % 3 === 2 ? { errorClass: null } : TIMED_OUT);
    expect(gate.restMs(within())).toBe(0);
  });

  test('is one endpoint, not the others on its host; it is tried by one delivery, also by its first', () => {
    const { gate, clock } = gateOf();
    for (let n = 0; n < 3; n++) gate.ask(delivery('whk_mute'))?.leave(TIMED_OUT);
    expect(gate.ask(delivery('whk_mute'), true)).toBeNull();
    expect(gate.ask(delivery('whk_well'))).not.toBeNull();
    clock.now += 100;
    expect(take(gate, delivery('whk_mute'), 10)).toHaveLength(1);
  });
});

describe('who is sent away', () => {
  test('returns after the pause, one after another, within five minutes', () => {
    const { gate, clock } = gateOf();
    const passes = take(gate, within(), 3);
    clock.now += 15_000;
    passes.forEach((pass) => pass.leave(TIMED_OUT));
    const returns = Array.from({ length: 2_000 }, () => gate.returnIn(within()));
    expect(returns[0]).toBe(500);
    expect(new Set(returns.slice(0, 500)).size).toBe(500);
    expect(Math.max(...returns)).toBe(300_000);
  });

  test('returns the sooner, the faster the server is', () => {
    const { gate, clock } = gateOf();
    const after = (tookMs: number): number => {
      const pass = gate.ask(within());
      clock.now += tookMs;
      pass?.leave({ errorClass: null });
      const [one, other] = [gate.returnIn(within()), gate.returnIn(within())];
      clock.now += 1_000_000;
      return other - one;
    };
    expect([after(10), after(1_000), after(14_000)]).toEqual([5, 100, 500]);
  });
});

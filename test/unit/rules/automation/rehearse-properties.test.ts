import fc from 'fast-check';
import { rehearse } from '../../../../src/rules/automation/rehearse';
import { automationGraphs, scripts } from '../../../support/data/automation-graphs';
import { START, ada, ports } from '../../../support/platform/rehearsal-ports';

const given = { executionId: 'exe_1', startsAt: START, contact: ada };

test('any graph is played to the same end twice, in order of time, and cut short the same way', async () => {
  await fc.assert(
    fc.asyncProperty(automationGraphs(), scripts, fc.integer({ min: 0, max: 40 }), async (graph, events, days) => {
      const whole = await rehearse(graph, ports, { ...given, events });
      expect(await rehearse(graph, ports, { ...given, events })).toEqual(whole);
      const instants = [START, ...whole.path.map(({ at }) => at), whole.endedAt];
      expect(instants).toEqual([...instants].sort((a, b) => a.getTime() - b.getTime()));

      const until = new Date(START.getTime() + days * 86_400_000);
      const cut = await rehearse(graph, ports, { ...given, events, until });
      const expected = whole.endedAt <= until ? whole : { status: 'waiting', endedAt: until };
      expect(cut).toMatchObject(expected);
      expect(cut.emails).toEqual(whole.emails.filter(({ at }) => at <= until));
    }),
    { numRuns: 150, seed: 5 },
  );
});

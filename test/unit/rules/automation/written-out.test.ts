import { checkGraph } from '../../../../src/rules/automation/check';
import type { GraphNode } from '../../../../src/rules/automation/graph';

/** The members of a node's configuration that have a fault. */
const faultsOf = (type: GraphNode['type'], config: object): readonly string[] => {
  const nodes = [
    { id: 't', type: 'trigger', config: {} },
    { id: 'n', type, config },
  ] as GraphNode[];
  return checkGraph({ nodes, edges: [{ from: 't', to: 'n' }] }).map(({ path }) => path.replace('graph.nodes.1.config.', ''));
};

test.each<[string, readonly string[]]>([
  ['email.nope', ['event']],
  ['contact.', ['event']],
  ['email.opened', []],
  ['order.placed', []],
])('a wait for the event %s', (event, faults) => {
  expect(faultsOf('wait_for_event', { event })).toEqual(faults);
});

test.each<[object, readonly string[]]>([
  [{ locale: 'no tag', timezone: 'nowhere' }, ['locale', 'timezone']],
  [{ locale: 'de-AT', timezone: 'Europe/Vienna' }, []],
  [{ locale: '{{trigger.language}}', timezone: '{{data.zone}}' }, []],
  [{ locale: null, timezone: '' }, []],
])('an update of a contact to %j', (config, faults) => {
  expect(faultsOf('update_contact', config)).toEqual(faults);
});

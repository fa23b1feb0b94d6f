import { rooms } from './rooms';

function list(): string {
  const endpoints = rooms({ health: () => Promise.resolve({ mongodb: 'up', temporal: 'up' }), document: () => ({}) });
  const lines = endpoints.map(
    (e) => `${e.handle ? 'built  ' : 'missing'}  ${e.method.toUpperCase().padEnd(6)} ${e.path}  (${e.operationId})`,
  );
  const built = endpoints.filter((e) => e.handle !== undefined).length;
  return [...lines, `${built} of ${endpoints.length} operations are built`, ''].join('\n');
}

process.stdout.write(list());

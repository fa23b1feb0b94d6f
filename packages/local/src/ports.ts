import { randomInt } from 'node:crypto';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readIfThere, replaceFile } from './files';

function listenOn(port: number, host: string): Promise<net.Server | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

const close = (server: net.Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** Resolves to whether a server could listen there now. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = await listenOn(port, host);
  if (server) await close(server);
  return server !== null;
}

/** Waits until a port is free. Resolves with whether it became so in time. */
export async function awaitFreePort(port: number, host: string, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; ; await sleep(100)) {
    if (await isPortFree(port, host)) return true;
    if (Date.now() > deadline) return false;
  }
}

/** Below the ports that systems give to outgoing connections: one of those may be taken by any connection before its server listens. */
const CHOSEN = { from: 15_000, to: 32_000 } as const;

async function listenAnywhere(): Promise<{ readonly port: number; readonly server: net.Server }> {
  for (;;) {
    const port = randomInt(CHOSEN.from, CHOSEN.to);
    const server = await listenOn(port, '127.0.0.1');
    if (server) return { port, server };
  }
}

/** Finds different ports of 127.0.0.1 that are free now. */
export async function freePorts(howMany: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: howMany }, listenAnywhere));
  await Promise.all(held.map(({ server }) => close(server)));
  return held.map(({ port }) => port);
}

const PortsText = z.record(z.string(), z.number().int());

function readPorts(file: string): Record<string, number> {
  try {
    return PortsText.parse(JSON.parse(readIfThere(file) ?? '{}'));
  } catch {
    return {};
  }
}

/** Resolves to a port for each name, the one noted in `file` as long as it is free; what is new is noted. */
export async function keptPorts<Name extends string>(file: string, names: readonly Name[]): Promise<Record<Name, number>> {
  const noted = readPorts(file);
  const fresh = await freePorts(names.length);
  const entries = await Promise.all(
    names.map(async (name, i) => {
      const old = noted[name];
      return [name, old !== undefined && (await isPortFree(old)) ? old : (fresh[i] ?? 0)] as const;
    }),
  );
  replaceFile(file, JSON.stringify({ ...noted, ...Object.fromEntries(entries) }));
  return Object.fromEntries(entries) as Record<Name, number>;
}

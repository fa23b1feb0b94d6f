#!/usr/bin/env node
import process from 'node:process';
import { run } from './run.ts';
import { ownTerminal } from './terminal.ts';

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
// A reader that ends early, such as `head`, is no failure.
process.stdout.on('error', () => process.exit(0));

process.exitCode = await run(process.argv.slice(2), ownTerminal(process.env, stopped.signal));

import { commonArguments } from './arguments.ts';
import { profileToUse } from './profiles.ts';
import type { Profile } from './profiles.ts';
import type { Terminal } from './terminal.ts';

/** Longer than the server takes for any answer. */
const ANSWER_MS = 60_000;
const INTERNAL_ERROR = -32_603;
const PARSE_ERROR = -32_700;

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly protocolVersion?: unknown };
}

/** Breaks what comes in into lines. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

function read(line: string): Message | null {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null ? message : null;
  } catch {
    return null;
  }
}

const failure = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

/** Returns what the server said, as the answer to this message: its refusals name none. */
function answerOf(text: string, { id }: Message, status: number): string {
  const answer = read(text);
  if (!answer) return failure(id, INTERNAL_ERROR, `The server answered ${status}`);
  return JSON.stringify(answer.id === null ? { ...answer, id } : answer);
}

/** Posts messages to a server, all with the version that the first of its answers names. */
class Bridge {
  private version: string | null = null;
  private readonly url: string;
  private readonly key: string;
  private readonly signal: AbortSignal;

  constructor(url: string, key: string, signal: AbortSignal) {
    this.url = url;
    this.key = key;
    this.signal = signal;
  }

  /** Resolves to the line that answers a line; null for one that has no answer. */
  async answer(line: string): Promise<string | null> {
    const message = read(line);
    if (!message) return failure(null, PARSE_ERROR, 'Not JSON');
    const asks = message.id !== undefined && message.method !== undefined;
    try {
      const { status, text } = await this.post(line);
      if (!asks) return null;
      const answer = answerOf(text, message, status);
      if (message.method === 'initialize') this.version = versionIn(answer);
      return answer;
    } catch (error) {
      return asks ? failure(message.id, INTERNAL_ERROR, `No answer from the server: ${(error as Error).message}`) : null;
    }
  }

  private async post(body: string): Promise<{ readonly status: number; readonly text: string }> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${this.key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(this.version !== null && { 'MCP-Protocol-Version': this.version }),
      },
      body,
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    return { status: response.status, text: await response.text() };
  }
}

function versionIn(answer: string): string | null {
  const { result } = JSON.parse(answer) as { readonly result?: { readonly protocolVersion?: unknown } };
  return typeof result?.protocolVersion === 'string' ? result.protocolVersion : null;
}

function endpointOf({ url }: Profile, groups: string | undefined): string {
  const query = groups === undefined ? '' : `?groups=${encodeURIComponent(groups)}`;
  return `${url.replace(/\/+$/, '')}/mcp${query}`;
}

/**
 * Runs `mcp`: passes messages of the Model Context Protocol from standard input to the server, one on each line, and its answers back,
 * until the input ends.
 */
export async function mcp(args: readonly string[], terminal: Terminal): Promise<void> {
  const { own, profile: named } = commonArguments(args, ['groups']);
  const profile = await profileToUse(terminal.env, named);
  const bridge = new Bridge(endpointOf(profile, own['groups']), profile.key, terminal.signal);
  const pending = new Set<Promise<void>>();
  const pass = async (line: string): Promise<void> => {
    const answer = await bridge.answer(line);
    if (answer !== null) terminal.out(`${answer}\n`);
  };
  try {
    for await (const line of linesOf(terminal.pieces())) {
      if (line.trim() === '') continue;
      const passed = pass(line).finally(() => pending.delete(passed));
      pending.add(passed);
      // Its answer names the version that all messages after it carry.
      if (line.includes('"initialize"')) await passed;
    }
  } catch (error) {
    if (!terminal.signal.aborted) throw error;
  }
  await Promise.all(pending);
}

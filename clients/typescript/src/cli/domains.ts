import { commonArguments } from './arguments.ts';
import { clientFor } from './client.ts';
import { EXIT, UsageError } from './failure.ts';
import { asJson, table } from './print.ts';
import type { Terminal } from './terminal.ts';

/** Runs `domains check <domain>`: asks DNS again and prints each record. Resolves to an exit code: 1 until the domain is verified. */
export async function check(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals, json, profile } = commonArguments(args);
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) throw new UsageError('domains check needs <domain>');
  const { signal } = terminal;
  const client = await clientFor(profile, terminal);
  let domainId: string | null = null;
  for await (const domain of client.listDomains({}, { signal }))
    if (domain.domain === name.toLowerCase() || domain.domainId === name) ({ domainId } = domain);
  if (domainId === null) throw new UsageError(`Domain ${name} does not exist: run lettermill domains create --domain ${name}`);
  const domain = await client.verifyDomain(domainId, { signal });
  terminal.out(json ? asJson(domain) : table(domain.dnsRecords, terminal.width));
  if (!json) terminal.out(`${domain.domain} is ${domain.status}\n`);
  return domain.status === 'verified' ? EXIT.done : EXIT.failed;
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';

export type Smarthost = 'postfix' | 'exim' | 'opensmtpd';

export interface RunningSmarthost {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Ports of a mail system: its own, and the targets of mail for `refusing.test` and for `bounce.lettermill.test`. */
export interface Ports {
  readonly own: number;
  readonly refusing: number;
  readonly bounces: number;
  /** The server that mail for `submitted.test` is handed in to, with a key. */
  readonly submission?: { readonly port: number; readonly key: string };
}

/** The server of a mail system that hands nothing in. */
const NOWHERE = { port: 1, key: 'none' };

interface Setup {
  /** Files by their paths under the root. */
  readonly files: (ports: Ports) => Readonly<Record<string, string>>;
  readonly folders: readonly (readonly [folder: string, owner: number, mode: number, group?: number])[];
  readonly command: readonly string[];
}

const POSTFIX = 7001;
const EXIM = 7003;
const OPENSMTPD_QUEUE = 7005;

/** Postfix's services whose sockets are in the public folder. */
const PUBLIC: ReadonlySet<string> = new Set(['cleanup', 'qmgr', 'flush', 'postlog']);

const postfixService = (name: string, type = 'unix', program = name, maximum = '-'): string =>
  `${name} ${type} ${PUBLIC.has(name) || type === 'inet' ? 'n' : 'y'} - n - ${maximum} ${program}\n`;

const SETUPS: Readonly<Record<Smarthost, Setup>> = {
  postfix: {
    files: ({ own, refusing, bounces, submission: { port, key } = NOWHERE }) => ({
      'etc/postfix/main.cf': `compatibility_level = 3.6
queue_directory = /var/spool/postfix
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
data_directory = /var/lib/postfix
mail_owner = postfix
setgid_group = postdrop
default_privs = nobody
myhostname = mx.example.test
mydestination =
alias_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtp_dns_support_level = disabled
smtp_host_lookup = native
transport_maps = inline:{ {refusing.test = smtp:[127.0.0.1]:${refusing}}, {bounce.lettermill.test = smtp:[127.0.0.1]:${bounces}}, {submitted.test = smtp:[127.0.0.1]:${port}} }
smtp_tls_policy_maps = inline:{ {[127.0.0.1]:${port} = encrypt} }
smtp_sasl_auth_enable = yes
smtp_sasl_password_maps = inline:{ {[127.0.0.1]:${port} = anybody:${key}} }
smtp_sasl_security_options = noanonymous
maillog_file = /var/log/mail.log
`,
      'etc/postfix/master.cf': [
        postfixService(`127.0.0.1:${own}`, 'inet', 'smtpd'),
        postfixService('cleanup', 'unix', 'cleanup', '0'),
        postfixService('qmgr', 'unix', 'qmgr', '1'),
        postfixService('rewrite', 'unix', 'trivial-rewrite'),
        ...['bounce', 'defer', 'trace'].map((name) => postfixService(name, 'unix', 'bounce', '0')),
        ...['smtp', 'error', 'retry', 'discard', 'proxymap', 'anvil', 'verify', 'flush'].map((name) =>
          postfixService(name, 'unix', name === 'retry' ? 'error' : name),
        ),
        postfixService('tlsmgr', 'unix', 'tlsmgr', '1'),
        postfixService('postlog', 'unix-dgram', 'postlogd', '1'),
      ].join(''),
    }),
    folders: [
      ['var/spool/postfix', 0, 0o755],
      ...['active', 'bounce', 'corrupt', 'defer', 'deferred', 'flush', 'hold', 'incoming', 'private', 'saved', 'trace'].map(
        (name) => [`var/spool/postfix/${name}`, POSTFIX, 0o700] as const,
      ),
      ['var/spool/postfix/maildrop', POSTFIX, 0o730],
      ['var/spool/postfix/public', POSTFIX, 0o710],
      ['var/spool/postfix/pid', 0, 0o755],
      ['var/lib/postfix', POSTFIX, 0o700],
    ],
    command: ['/usr/lib/postfix/sbin/master', '-d'],
  },
  exim: {
    files: ({ own, refusing, bounces, submission: { port, key } = NOWHERE }) => ({
      'etc/exim4/exim4.conf': `primary_hostname = mx.example.test
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${own}
spool_directory = /var/spool/exim4
log_file_path = /var/log/exim-%slog
pid_file_path = /run/exim.pid
host_lookup =
tls_advertise_hosts =
acl_smtp_rcpt = accept
acl_smtp_data = accept
keep_environment =
begin routers
refusing:
  driver = manualroute
  domains = refusing.test
  transport = refusing
  route_list = * 127.0.0.1
  self = send
bounces:
  driver = manualroute
  domains = bounce.lettermill.test
  transport = bounces
  route_list = * 127.0.0.1
  self = send
submitted:
  driver = manualroute
  domains = submitted.test
  transport = submitted
  route_list = * 127.0.0.1
  self = send
begin transports
refusing:
  driver = smtp
  port = ${refusing}
  allow_localhost
bounces:
  driver = smtp
  port = ${bounces}
  allow_localhost
submitted:
  driver = smtp
  port = ${port}
  allow_localhost
  hosts_require_tls = *
  hosts_require_auth = *
  tls_verify_certificates =
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  client_send = ^anybody^${key}
begin retry
* * F,1h,1m
`,
    }),
    folders: [
      ['var/spool/exim4', EXIM, 0o755],
      ['var/log', EXIM, 0o755],
    ],
    command: ['/usr/sbin/exim4', '-C', '/etc/exim4/exim4.conf', '-bdf', '-q1m'],
  },
  opensmtpd: {
    files: ({ own, refusing, bounces, submission: { port, key } = NOWHERE }) => ({
      'etc/smtpd.conf': `table keys { lettermill = "anybody:${key}" }
listen on 127.0.0.1 port ${own} hostname mx.example.test
action "refusing" relay host smtp://127.0.0.1:${refusing}
action "bounces" relay host smtp://127.0.0.1:${bounces}
action "submitted" relay host smtp+tls://lettermill@127.0.0.1:${port} auth <keys> tls no-verify
match from any for domain "submitted.test" action "submitted"
match from any for domain "refusing.test" action "refusing"
match from any for domain "bounce.lettermill.test" action "bounces"
`,
    }),
    folders: [
      ['var/spool/smtpd', 0, 0o711],
      ['var/run', 0, 0o755],
      ['var/spool/smtpd/offline', 0, 0o770, OPENSMTPD_QUEUE],
      ['var/spool/smtpd/purge', OPENSMTPD_QUEUE, 0o700, 0],
      ['var/spool/smtpd/queue', OPENSMTPD_QUEUE, 0o700, 0],
      ['var/spool/smtpd/corrupt', OPENSMTPD_QUEUE, 0o700, 0],
      ['var/spool/smtpd/temporary', OPENSMTPD_QUEUE, 0o700, 0],
      ['var/spool/smtpd/incoming', OPENSMTPD_QUEUE, 0o700, 0],
    ],
    command: ['/usr/sbin/smtpd', '-d', '-f', '/etc/smtpd.conf'],
  },
};

export const SMARTHOSTS = Object.keys(SETUPS) as readonly Smarthost[];

/** Whether a folder has the root of a mail system, as `prepare.sh` makes it, and this process may enter it. */
export const isThere = (folder: string, name: Smarthost): boolean =>
  process.getuid?.() === 0 && existsSync(path.join(folder, name, 'usr/sbin'));

/** Starts a real mail system in its root. Resolves when it takes connections. */
export async function startSmarthost(folder: string, name: Smarthost, ports: Ports): Promise<RunningSmarthost> {
  const root = path.join(folder, name);
  const { files, folders, command } = SETUPS[name];
  for (const left of ['var/spool', 'var/run']) rmSync(path.join(root, left), { recursive: true, force: true });
  for (const [inside, owner, mode, group = owner] of folders) {
    mkdirSync(path.join(root, inside), { recursive: true });
    chownSync(path.join(root, inside), owner, group);
    chmodSync(path.join(root, inside), mode);
  }
  for (const [inside, text] of Object.entries(files(ports))) {
    mkdirSync(path.dirname(path.join(root, inside)), { recursive: true });
    writeFileSync(path.join(root, inside), text, { mode: 0o644 });
  }
  const running = spawn('chroot', [root, ...command], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], LD_LIBRARY_PATH: '/usr/lib/postfix' },
  });
  const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
  await listening(ports.own, running);
  const stop = async (): Promise<void> => {
    if (running.pid !== undefined) process.kill(-running.pid, 'SIGTERM');
    await ended;
  };
  return { port: ports.own, stop };
}

async function listening(port: number, running: ChildProcess): Promise<void> {
  while (running.exitCode === null) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The mail system has ended');
}

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { stored } from '../../support/data/stored';
import { aProject } from '../../support/platform/app';
import { SUBMISSION, aSubmission } from '../../support/platform/submission';
import { unpackedDebian } from '../../support/run/debian';
import { aFolder } from '../../support/run/folder';

/*
 * Programs of others hand mail in: by STARTTLS and by TLS from the first byte, with PLAIN and with LOGIN. They come from the registries of packages: Java's and
 * Go's need their tools, swaks and msmtp Debian's or Ubuntu's apt-get.
 */

const app = aProject({ config: { ...SUBMISSION, DEV_VERIFIED_DOMAINS: 'hello.test' } });
const submission = aSubmission(app);
const folder = aFolder();

const run = promisify(execFile);

type Way = 'STARTTLS' | 'TLS';
type Method = 'PLAIN' | 'LOGIN';

const WAYS: readonly (readonly [Way, Method])[] = [
  ['STARTTLS', 'PLAIN'],
  ['STARTTLS', 'LOGIN'],
  ['TLS', 'PLAIN'],
  ['TLS', 'LOGIN'],
];

/** An address of its own for each program and way. */
const addressOf = (program: string, way: Way, method: Method): string => `${program}-${way}-${method}@example.com`.toLowerCase();

const portFor = (way: Way): string => String(way === 'TLS' ? submission.tlsPort : submission.port);

/** Resolves to the only message that was stored for an address, as the API shows it. */
async function messageTo(to: string): Promise<Record<string, unknown>> {
  const rows = (await stored.emails.all()).filter((row) => row.to === to);
  expect(rows).toHaveLength(1);
  return (await app.api().get(`/v1/emails/${rows[0]?._id}`).expect(200)).body.data as Record<string, unknown>;
}

const WRITTEN = { subject: 'Größe', fromEmail: 'shop@hello.test', fromName: 'Müller', text: expect.stringContaining('Schöne Grüße') };

const PYTHON = `
import smtplib, ssl, sys
from email.message import EmailMessage

port, key, way, method, to = sys.argv[1:]
mail = EmailMessage()
mail["From"], mail["To"], mail["Subject"] = "Müller <shop@hello.test>", to, "Größe"
mail.set_content("Schöne Grüße")
context = ssl._create_unverified_context()
program = smtplib.SMTP_SSL("127.0.0.1", int(port), context=context) if way == "TLS" else smtplib.SMTP("127.0.0.1", int(port))
with program:
    if way == "STARTTLS":
        program.starttls(context=context)
    program.ehlo()
    program.user, program.password = "anybody", key
    print(program.auth(method, getattr(program, "auth_" + method.lower()))[0])
    print(program.send_message(mail))
    try:
        program.sendmail("shop@hello.test", to, "From: shop@strange.example\\r\\n\\r\\nHello")
    except smtplib.SMTPDataError as error:
        print(error.smtp_code, error.smtp_error.decode()[:6])
`;

test.each(WAYS)("Python's smtplib, %s with %s", async (way, method) => {
  const to = addressOf('python', way, method);
  const { stdout } = await run('python3', ['-c', PYTHON, portFor(way), app.keys.secret, way, method, to]);
  expect(stdout.trim().split('\n')).toEqual(['235', '{}', '550 5.7.1']);
  expect(await messageTo(to)).toMatchObject(WRITTEN);
});

test.each(WAYS)('nodemailer, %s with %s', async (way, method) => {
  const to = addressOf('nodemailer', way, method);
  const program = submission.program(app.keys.secret, { port: Number(portFor(way)), secure: way === 'TLS', authMethod: method });
  const mail = { from: 'Müller <shop@hello.test>', to, subject: 'Größe', text: 'Schöne Grüße' };
  expect((await program.sendMail(mail)).response).toMatch(/^250 2\.0\.0 em_/);
  expect(await messageTo(to)).toMatchObject(WRITTEN);
  await expect(program.sendMail({ ...mail, from: 'shop@strange.example' })).rejects.toMatchObject({ responseCode: 550 });
});

test('nodemailer with a pool hands in many messages over few connections', async () => {
  const program = submission.program(app.keys.secret, { pool: true, maxConnections: 3 });
  const names = Array.from({ length: 30 }, (_, n) => `pool-${n}@example.com`);
  const mail = { from: 'shop@hello.test', subject: 'Pool', text: 'Pool' };
  await Promise.all(names.map((to) => program.sendMail({ ...mail, to })));
  const rows = await stored.emails.all();
  expect(rows.flatMap(({ to }) => (to.startsWith('pool-') ? [to] : [])).sort()).toEqual([...names].sort());
});

const ANGUS = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>lettermill</groupId><artifactId>programs</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.eclipse.angus</groupId><artifactId>angus-mail</artifactId><version>2.0.3</version></dependency>
  </dependencies>
</project>
`;

const JAVA = `
import jakarta.mail.*;
import jakarta.mail.internet.*;
import java.util.Properties;

public class Program {
  public static void main(String[] given) throws Exception {
    for (String each : given[2].split(" ")) {
      String[] parts = each.split(":");
      boolean isTls = parts[0].equals("TLS");
      Properties settings = new Properties();
      settings.put("mail.smtp.host", "127.0.0.1");
      settings.put("mail.smtp.port", isTls ? given[1] : given[0]);
      settings.put("mail.smtp.auth", "true");
      settings.put("mail.smtp.auth.mechanisms", parts[1]);
      settings.put("mail.smtp.ssl.trust", "*");
      settings.put("mail.smtp.ssl.checkserveridentity", "false");
      settings.put(isTls ? "mail.smtp.ssl.enable" : "mail.smtp.starttls.required", "true");
      if (!isTls) settings.put("mail.smtp.starttls.enable", "true");
      Session session = Session.getInstance(settings);
      MimeMessage mail = new MimeMessage(session);
      mail.setFrom(new InternetAddress("shop@hello.test", "M\\u00fcller", "UTF-8"));
      mail.setRecipients(Message.RecipientType.TO, parts[2]);
      mail.setSubject("Gr\\u00f6\\u00dfe", "UTF-8");
      mail.setText("Sch\\u00f6ne Gr\\u00fc\\u00dfe", "UTF-8");
      Transport.send(mail, "anybody", System.getenv("LETTERMILL_KEY"));
      System.out.println("sent " + parts[2]);
    }
  }
}
`;

test('Angus Mail, the Jakarta Mail of Java', async () => {
  const place = path.join(folder, 'java');
  mkdirSync(place);
  writeFileSync(path.join(place, 'pom.xml'), ANGUS);
  writeFileSync(path.join(place, 'Program.java'), JAVA);
  await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib', '-DincludeScope=runtime'], { cwd: place });
  const jobs = WAYS.map(([way, method]) => `${way}:${method}:${addressOf('java', way, method)}`);
  const given = ['-cp', 'lib/*', 'Program.java', portFor('STARTTLS'), portFor('TLS'), jobs.join(' ')];
  const { stdout } = await run('java', given, { cwd: place, env: { ...process.env, LETTERMILL_KEY: app.keys.secret } });
  expect(stdout.match(/^sent /gm)).toHaveLength(WAYS.length);
  for (const [way, method] of WAYS) expect(await messageTo(addressOf('java', way, method))).toMatchObject(WRITTEN);
});

const GO = `package main

import (
	"crypto/tls"
	"fmt"
	"net/smtp"
	"os"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	unverified := &tls.Config{InsecureSkipVerify: true}
	auth := smtp.PlainAuth("", "anybody", os.Getenv("LETTERMILL_KEY"), "127.0.0.1")
	mail := "From: =?UTF-8?Q?M=C3=BCller?= <shop@hello.test>\\r\\nTo: %s\\r\\nSubject: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?=\\r\\n" +
		"MIME-Version: 1.0\\r\\nContent-Type: text/plain; charset=utf-8\\r\\nContent-Transfer-Encoding: 8bit\\r\\n\\r\\nSch\\u00f6ne Gr\\u00fc\\u00dfe\\n.hidden\\r\\n"
	for n, way := range []string{"STARTTLS", "TLS"} {
		address := "127.0.0.1:" + os.Args[1+n]
		var program *smtp.Client
		var err error
		if way == "TLS" {
			socket, failed := tls.Dial("tcp", address, unverified)
			check(failed)
			program, err = smtp.NewClient(socket, "127.0.0.1")
		} else {
			program, err = smtp.Dial(address)
		}
		check(err)
		if way == "STARTTLS" {
			check(program.StartTLS(unverified))
		}
		check(program.Auth(auth))
		to := os.Args[3+n]
		check(program.Mail("shop@hello.test"))
		check(program.Rcpt(to))
		data, err := program.Data()
		check(err)
		fmt.Fprintf(data, mail, to)
		check(data.Close())
		check(program.Quit())
		fmt.Println("sent", to)
	}
}
`;

test("Go's net/smtp", async () => {
  const place = path.join(folder, 'go');
  mkdirSync(place);
  writeFileSync(path.join(place, 'program.go'), GO);
  const to = ['go-starttls@example.com', 'go-tls@example.com'];
  const env = { ...process.env, LETTERMILL_KEY: app.keys.secret };
  const { stdout } = await run('go', ['run', 'program.go', portFor('STARTTLS'), portFor('TLS'), ...to], { cwd: place, env });
  expect(stdout.match(/^sent /gm)).toHaveLength(2);
  for (const each of to) expect(await messageTo(each)).toMatchObject(WRITTEN);
});

/** A line that begins with a dot is a line. */
const WITH_DOT = { ...WRITTEN, text: expect.stringMatching(/Schöne Grüße\r?\n\.hidden/) };

/** As a mail program writes it to its helper: lines end in LF. */
const PIPED = (to: string): string =>
  [
    'From: =?UTF-8?Q?M=C3=BCller?= <shop@hello.test>',
    `To: ${to}`,
    'Subject: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?=',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    'Schöne Grüße',
    '.hidden',
    '',
  ].join('\n');

describe('programs of Debian', () => {
  let root: string;
  beforeAll(async () => {
    const packages = ['swaks', 'libnet-ssleay-perl', 'msmtp', 'libgsasl18', 'libidn12', 'libntlm0', 'libgssglue1', 'libsecret-1-0'];
    root = await unpackedDebian(packages, path.join(folder, 'debian'));
  });

  /** Runs a program of an unpacked package with what is written to it. */
  async function piped(program: string, args: readonly string[], input: string): Promise<string> {
    const [, version] = /^v(\d+\.\d+)/.exec((await run('perl', ['-e', 'print $^V'])).stdout) ?? [];
    const libraries = path.join(root, 'usr/lib/x86_64-linux-gnu');
    const env = { ...process.env, LD_LIBRARY_PATH: libraries, PERL5LIB: path.join(libraries, 'perl5', version ?? ''), HOME: folder };
    const running = run(path.join(root, 'usr/bin', program), [...args], { env });
    running.child.stdin?.end(input);
    return (await running).stdout;
  }

  test.each(WAYS)('swaks, %s with %s', async (way, method) => {
    const to = addressOf('swaks', way, method);
    const server = ['--server', '127.0.0.1', '--port', portFor(way), way === 'TLS' ? '--tls-on-connect' : '--tls', '--pipeline'];
    const who = ['--auth', method, '--auth-user', 'anybody', '--auth-password', app.keys.secret, '--from', 'shop@hello.test', '--to', to];
    const said = await piped('swaks', [...server, ...who, '--data', '-'], PIPED(to));
    expect(said).toMatch(/<~ {2}250 2\.0\.0 em_/);
    expect(await messageTo(to)).toMatchObject(WITH_DOT);
  });

  test.each(WAYS)('msmtp, %s with %s', async (way, method) => {
    const to = addressOf('msmtp', way, method);
    const tls = ['--tls=on', `--tls-starttls=${way === 'TLS' ? 'off' : 'on'}`, '--tls-certcheck=off'];
    const who = [`--auth=${method.toLowerCase()}`, '--user=anybody', `--passwordeval=echo ${app.keys.secret}`, '--from=shop@hello.test'];
    await piped('msmtp', ['--file=/dev/null', '--host=127.0.0.1', `--port=${portFor(way)}`, ...tls, ...who, to], PIPED(to));
    expect(await messageTo(to)).toMatchObject(WITH_DOT);
  });
});

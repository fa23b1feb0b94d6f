import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { aProject } from '../../support/platform/app';

/** Needs Python 3 with pip and a registry of packages, as the test of our own client. */
const PACKAGE = 'resend==2.52.0';
const run = promisify(execFile);

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lettermill-resend-'));
  await run('python3', ['-m', 'pip', 'install', '--quiet', '--no-compile', '--target', folder, PACKAGE]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
import json, resend
message = {"to": ["ada@example.com", "bob@example.com"], "subject": "Hi", "html": "<p>Hi</p>", "scheduled_at": "in 1 hour"}
sent = resend.Emails.send(message, {"idempotency_key": "one"})
again = resend.Emails.send(message, {"idempotency_key": "one"})
read = resend.Emails.get(sent["id"])
resend.Emails.cancel(sent["id"])
batch = resend.Batch.send([{"to": "a@example.com", "subject": "Hi", "text": "Hi"}, {"to": "b", "subject": "Hi", "text": "Hi"}], {"batch_validation": "permissive"})
contact = resend.Contacts.create({"email": "ada@example.com", "first_name": "Ada"})
try:
    resend.Emails.get("em_none")
    failure = None
except resend.exceptions.ResendError as error:
    failure = [error.code, error.error_type]
print(json.dumps({
    "same": sent["id"] == again["id"],
    "to": read["to"], "event": read["last_event"],
    "batch": [len(batch["data"]), [error["index"] for error in batch["errors"]]],
    "contact": resend.Contacts.get(id=contact["id"])["first_name"],
    "failure": failure,
}))
`;

test('the Python client of Resend sends, reads and fails by its variables alone', async () => {
  const env = {
    ...process.env,
    PYTHONPATH: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    RESEND_API_URL: `${app.url}/compat/resend`,
    RESEND_API_KEY: app.keys.secret,
  };
  const { stdout } = await run('python3', ['-c', PROGRAM], { env });
  expect(JSON.parse(stdout)).toEqual({
    same: true,
    to: ['ada@example.com', 'bob@example.com'],
    event: 'scheduled',
    batch: [1, [1]],
    contact: 'Ada',
    failure: [404, 'not_found'],
  });
});

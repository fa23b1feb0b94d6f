import { generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign';
import { claimsIn, judgeByKey } from '../../../../src/message/dkim';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const short = generateKeyPairSync('rsa', { modulusLength: 768 });
const ed25519 = generateKeyPairSync('ed25519');

const recordOf = (key: KeyObject, more = ''): string =>
  `v=DKIM1; ${more}p=${key.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const RSA_RECORD = recordOf(rsa.publicKey);
const ED25519_RECORD = `v=DKIM1; k=ed25519; p=${ed25519.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')}`;

const MESSAGE =
  'From: Ada <ada@sender.com>\r\nTo: bob@x.com\r\nSubject:  Hi \r\n there\r\nSubject: twice\r\n\r\nHello  \t you \r\n\r\n \r\nBye\r\n\r\n\r\n';

const NOW = new Date();

interface Signing {
  readonly message?: string;
  readonly key?: KeyObject;
  readonly canonicalization?: string;
  readonly signingDomain?: string;
  readonly maxBodyLength?: number;
  readonly algorithm?: string;
}

/** Signs with the library that others sign with. */
async function signed({ message = MESSAGE, key = rsa.privateKey, ...options }: Signing): Promise<string> {
  const { canonicalization = 'relaxed/relaxed', signingDomain = 'sender.com', maxBodyLength, algorithm } = options;
  const signer = {
    signingDomain,
    selector: 'k1',
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    maxBodyLength,
    algorithm,
  };
  const { signatures } = await dkimSign(message, { canonicalization, signTime: NOW, signatureData: [signer] } as never);
  return signatures + message;
}

const claims = (message: string, authorDomain = 'sender.com', most = 3) =>
  claimsIn(Buffer.from(message, 'latin1'), { most, authorDomain, now: NOW });

/** What becomes of the first signature of a message. */
function verdict(message: string, record = RSA_RECORD): string | undefined {
  const [claim] = claims(message);
  return claim?.kind === 'open' ? judgeByKey(claim, record) : claim?.result;
}

test.each(['relaxed/relaxed', 'relaxed/simple', 'simple/relaxed', 'simple/simple'])(
  'a message signed as %s passes',
  async (canonicalization) => {
    for (const message of [MESSAGE, MESSAGE.replace(/\r\n\r\n[^]*/, '\r\n\r\n'), MESSAGE.trimEnd(), MESSAGE.replaceAll('\r\n', '\n')]) {
      expect(verdict(await signed({ message, canonicalization }))).toBe('pass');
    }
  },
);

test('a long message is hashed as a short one is', async () => {
  const message = `From: ada@sender.com\r\n\r\n${'a  b \t c\r\n\r\n'.repeat(300_000)}${'\r\n'.repeat(700_000)}`;
  for (const canonicalization of ['relaxed/relaxed', 'relaxed/simple'])
    expect(verdict(await signed({ message, canonicalization }))).toBe('pass');
});

test('a signature of Ed25519 passes', async () => {
  expect(verdict(await signed({ key: ed25519.privateKey }), ED25519_RECORD)).toBe('pass');
});

test.each([
  ['whose body was changed', (text: string) => text.replace('Bye', 'Boo'), 'neutral'],
  ['whose subject was changed', (text: string) => text.replace('twice', 'once'), 'fail'],
  ['to which a second author was added', (text: string) => text.replace('\r\n\r\n', '\r\nFrom: eve@x.com\r\n\r\n'), 'fail'],
  ['whose signature has a tag twice', (text: string) => text.replace('s=k1;', 's=k1; s=k1;'), 'neutral'],
  ['that speaks for a domain above its own', (text: string) => text.replace('d=sender.com;', 'd=sender.com; i=@com;'), 'neutral'],
  ['whose signature does not name the author', (text: string) => text.replace(/(h=[^;]*)\bfrom\b/i, '$1date'), 'neutral'],
  ['signed by SHA-1', (text: string) => text.replace('rsa-sha256', 'rsa-sha1'), 'policy'],
  ['whose signature is over', (text: string) => text.replace('s=k1;', 's=k1; x=1000;'), 'neutral'],
])('a message %s does not pass', async (_how, altered, result) => {
  expect(verdict(altered(await signed({})))).toBe(result);
});

test('a signature that leaves the end of the body open is not heeded, one of all of it is', async () => {
  expect(verdict(await signed({ maxBodyLength: 5 }))).toBe('policy');
  expect(verdict(await signed({ maxBodyLength: 5 }), recordOf(short.publicKey))).toBe('policy');
  const whole = 'From: ada@sender.com\r\n\r\nHello\r\n';
  expect(verdict(await signed({ message: whole, maxBodyLength: 7 }))).toBe('pass');
});

test.each([
  ['that the domain only tries out', recordOf(rsa.publicKey, 't=y; '), 'none'],
  ['that it tries out, with other flags', recordOf(rsa.publicKey, 't=s:y; '), 'none'],
  ['that has been revoked', 'v=DKIM1; p=', 'neutral'],
  ['of another version', RSA_RECORD.replace('DKIM1', 'DKIM2'), 'neutral'],
  ['of another kind', recordOf(rsa.publicKey, 'k=ed25519; '), 'neutral'],
  ['for other hashes', recordOf(rsa.publicKey, 'h=sha1; '), 'neutral'],
  ['for other services', recordOf(rsa.publicKey, 's=tlsrpt; '), 'neutral'],
  ['for mail', recordOf(rsa.publicKey, 's=tlsrpt:email; h=sha1:sha256; t=s; '), 'pass'],
  ['without a version', RSA_RECORD.replace('v=DKIM1; ', ''), 'pass'],
  ['in the older form', `p=${rsa.publicKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')}`, 'pass'],
  ['that is too short', recordOf(short.publicKey), 'policy'],
  ['that is none', 'v=DKIM1; p=SGVsbG8', 'neutral'],
  ['of another signer', recordOf(generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey), 'fail'],
])('a key %s', async (_how, record, result) => {
  expect(verdict(await signed({}), record)).toBe(result);
});

test('a key of the domain alone is not good for one below it', async () => {
  const claim = claims(await signed({}))[0];
  if (claim?.kind !== 'open') throw new Error('The signature is not good');
  expect(judgeByKey({ ...claim, identity: 'b.sender.com' }, recordOf(rsa.publicKey, 't=s; '))).toBe('neutral');
});

test('of many signatures those of the author’s domain are looked at', async () => {
  let message = await signed({});
  for (const signingDomain of ['a.com', 'b.com', 'c.com']) message = await signed({ message, signingDomain });
  expect(claims(message).map(({ domain }) => domain)).toEqual(['sender.com', 'c.com', 'b.com']);
  expect(claims(message, 'mail.sender.com', 1).map(({ domain }) => domain)).toEqual(['sender.com']);
});

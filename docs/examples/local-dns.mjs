// A name server for trying sending domains on this machine. It answers with the records that the project's domains are to have, as GET /v1/domains shows them.
// node docs/examples/local-dns.mjs [port]
// LETTERMILL_URL and DATA_DIR say where Lettermill is, if it is not where npm start puts it.
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';

const PORT = Number(process.argv[2] ?? 5354);
const URL = process.env.LETTERMILL_URL ?? 'http://localhost:3000';
const { secret } = JSON.parse(readFileSync(`${process.env.DATA_DIR ?? '.data'}/keys.json`, 'utf8'));

const TYPES = { CNAME: 5, MX: 15, TXT: 16 };
const NO_SUCH_NAME = 0x8403;
const FOUND = 0x8400;

async function published() {
  const answer = await fetch(`${URL}/v1/domains`, { headers: { Authorization: `Bearer ${secret}` } });
  const { data } = await answer.json();
  // Without a tracking host, links name the API itself: a browser would not find track.<domain>, since it asks another name server.
  return data.data.flatMap(({ dnsRecords }) => dnsRecords.filter(({ purpose }) => purpose !== 'tracking'));
}

const numbers = (...values) => Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]));
const text = (value) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
const hostName = (host) => Buffer.concat([...host.split('.').map(text), Buffer.from([0])]);

/** What a record says, in the form of the protocol: texts in pieces of at most 255 bytes. */
function contentOf({ type, value }) {
  if (type === 'CNAME') return hostName(value);
  if (type === 'TXT') return Buffer.concat(value.match(/.{1,255}/g).map(text));
  const [preference, host] = value.split(' ');
  return Buffer.concat([numbers(Number(preference)), hostName(host)]);
}

/** The name that is asked for, and where the question ends. */
function questionOf(message) {
  const labels = [];
  let at = 12;
  for (; message[at] !== 0; at += message[at] + 1) labels.push(message.toString('latin1', at + 1, at + 1 + message[at]));
  return { host: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** The answer to one question. 0xc00c points back to its name, and the answer may be kept for 0 seconds. */
function answerTo(message, records) {
  const { host, type, end } = questionOf(message);
  const named = records.filter((record) => record.host === host);
  const wanted = named.filter((record) => TYPES[record.type] === type).map(contentOf);
  const header = numbers(message.readUInt16BE(0), named.length === 0 ? NO_SUCH_NAME : FOUND, 1, wanted.length, 0, 0);
  const answers = wanted.map((content) => Buffer.concat([numbers(0xc00c, type, 1, 0, 0, content.length), content]));
  return Buffer.concat([header, message.subarray(12, end), ...answers]);
}

const socket = createSocket('udp4');
socket.on('message', async (message, { port, address }) => socket.send(answerTo(message, await published()), port, address));
socket.bind(PORT, '127.0.0.1', () => console.log(`Answers for the domains of ${URL} on 127.0.0.1:${PORT}`));

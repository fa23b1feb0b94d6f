import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Core } from '../../src/platform/core';
import { invalidState } from '../../src/platform/core';
import { forgetFactor, passFactor, sessionIdOf } from '../../src/records/console-sessions';
import type { SessionHolder } from '../../src/records/console-sessions';
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  disableTotp,
  passkeySiteOf,
  personById,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  takeCode,
} from '../../src/records/members';
import { waitingHolder } from '../http/console-session';
import { unauthorized } from '../http/errors';
import { done, givenReader, noteOwn, selfIn } from './kit';
import type { Route, Self } from './kit';
import { Registration } from './passkey-schemas';

const bodyOf = givenReader(16_384);

/** A person whose session is proved as far as the person can: it waits for no code, at most for a first factor. */
interface Proved extends Self {
  readonly holder: SessionHolder;
}

async function provedOf(core: Core, req: Request, res: Response): Promise<Proved> {
  const holder = await waitingHolder(core, req);
  if (!holder || holder.waits === 'code') throw unauthorized('You are not signed in');
  return { ...selfIn(res, holder), holder };
}

const Code = z.strictObject({ code: z.string().trim().min(1).max(40) });
const codeIn = async (req: Request, res: Response): Promise<string> => (await bodyOf(Code, 'Give a code', req, res)).code;

const name = z.string().trim().min(1).max(100);
const Made = z.strictObject({ name, response: Registration });
const Renamed = z.strictObject({ name });

/** Shows the second factors of a person. No secret is among what it shows. */
async function show(core: Core, req: Request, res: Response): Promise<void> {
  const { personId } = await provedOf(core, req, res);
  const { totpSince = null, recoveryCodes = [], passkeys = [] } = await personById(personId);
  const shown = passkeys.map(({ id, name: called, createdAt, lastUsedAt }) => ({ passkeyId: id, name: called, createdAt, lastUsedAt }));
  res.json({ success: true, data: { totpSince, recoveryCodesLeft: recoveryCodes.length, passkeys: shown } });
}

async function startTotp(core: Core, req: Request, res: Response): Promise<void> {
  const { personId } = await provedOf(core, req, res);
  res.json({ success: true, data: await beginTotp(core.secrets, personId) });
}

async function enableTotp(core: Core, req: Request, res: Response): Promise<void> {
  const self = await provedOf(core, req, res);
  const recoveryCodes = await confirmTotp(core.secrets, self.personId, await codeIn(req, res));
  await passFactor(self.holder);
  await noteOwn(core, self, 'totp.enable', self.personId);
  res.json({ success: true, data: { recoveryCodes } });
}

async function stopTotp(core: Core, req: Request, res: Response): Promise<void> {
  const self = await provedOf(core, req, res);
  await disableTotp(core.secrets, self.personId, await codeIn(req, res), forgetFactor);
  await noteOwn(core, self, 'totp.disable', self.personId);
  done(res);
}

async function renewCodes(core: Core, req: Request, res: Response): Promise<void> {
  const self = await provedOf(core, req, res);
  const recoveryCodes = await renewRecoveryCodes(self.personId);
  await noteOwn(core, self, 'recovery-codes.create', self.personId);
  res.json({ success: true, data: { recoveryCodes } });
}

async function startPasskey(core: Core, req: Request, res: Response): Promise<void> {
  const { personId } = await provedOf(core, req, res);
  res.json({ success: true, data: await beginPasskey(passkeySiteOf(core.config.PUBLIC_URL), personId) });
}

async function createPasskey(core: Core, req: Request, res: Response): Promise<void> {
  const self = await provedOf(core, req, res);
  const made = await bodyOf(Made, 'Give a name of 1 to 100 characters, and the answer of the browser', req, res);
  const data = await addPasskey(passkeySiteOf(core.config.PUBLIC_URL), self.personId, made);
  await passFactor(self.holder);
  await noteOwn(core, self, 'passkey.create', data.passkeyId);
  res.json({ success: true, data });
}

async function changePasskey(core: Core, req: Request, res: Response): Promise<void> {
  const self = await provedOf(core, req, res);
  const id = String(req.params['id']);
  const given = await bodyOf(Renamed, 'Give a name of 1 to 100 characters', req, res);
  await renamePasskey(self.personId, id, given.name);
  await noteOwn(core, self, 'passkey.update', id);
  done(res);
}

async function dropPasskey(core: Core, req: Request, res: Response): Promise<void> {
  const self = await provedOf(core, req, res);
  const id = String(req.params['id']);
  await removePasskey(self.personId, id, forgetFactor);
  await noteOwn(core, self, 'passkey.remove', id);
  done(res);
}

async function showCode(core: Core, req: Request, res: Response): Promise<void> {
  const holder = await waitingHolder(core, req);
  if (!holder) throw unauthorized('You are not signed in');
  const self = selfIn(res, holder);
  if (holder.waits !== 'code') throw invalidState('This session waits for no code');
  await takeCode(core.secrets, self.personId, await codeIn(req, res));
  await passFactor(holder);
  await noteOwn(core, self, 'console.verify', sessionIdOf(holder));
  done(res);
}

/** Requests of a person about their second factors, and with them. */
export const FACTORS: readonly Route[] = [
  ['get', '/factors', show],
  ['post', '/factors/totp', startTotp],
  ['post', '/factors/totp/confirm', enableTotp],
  ['post', '/factors/totp/disable', stopTotp],
  ['post', '/factors/recovery-codes', renewCodes],
  ['post', '/factors/passkeys/options', startPasskey],
  ['post', '/factors/passkeys', createPasskey],
  ['patch', '/factors/passkeys/:id', changePasskey],
  ['delete', '/factors/passkeys/:id', dropPasskey],
  ['post', '/session/code', showCode],
];

import type { ApprovalState } from '../../src/contracts/approval';
import { escapeMarkup } from '../../src/message/template';
import { approvalAt, decideByLink } from '../../src/marketing/approvals';
import type { LinkedApproval } from '../../src/marketing/approvals';
import type { Core } from '../../src/platform/core';
import { invalid } from '../../src/platform/core';
import { unavailable } from '../http/errors';
import { smallFormOf } from './form-body';
import { titled } from './frame';
import { known, sendPage } from './links';
import type { Route, Serve } from './links';

const VERDICTS: ReadonlyMap<unknown, 'approved' | 'rejected'> = new Map([
  ['approve', 'approved'],
  ['reject', 'rejected'],
]);

const ENDED = {
  approved: 'It is approved, and is carried out now.',
  rejected: 'It was rejected. Nothing was done.',
  expired: 'No one decided in time. Nothing was done.',
  executed: 'It was approved and carried out.',
  failed: 'It was approved, but could not be carried out.',
  void: 'It was approved, but its subject has changed since the request. Nothing was done.',
} as const;

const paragraph = (text: string): string => `<p>${escapeMarkup(text)}</p>`;

const FORM = `<form method="post"><input type="hidden" name="decision" value="approve"><button type="submit">Approve</button></form>
<form method="post"><input type="hidden" name="decision" value="reject"><button type="submit" class="quiet">Reject</button></form>`;

const isOver = ({ state, expiresAt }: LinkedApproval['approval'], now: Date): boolean => state === 'pending' && expiresAt <= now;

function endOf({ result }: LinkedApproval['approval'], state: Exclude<ApprovalState, 'pending'>): readonly string[] {
  return [ENDED[state], ...(result === null || result.code === null ? [] : [result.message])];
}

/** Names the first ones of those that it is about. */
const toWhom = (first: readonly string[], recipients: number | null): string =>
  `To: ${first.join(', ')}${recipients !== null && recipients > first.length ? ' and others' : ''}`;

/** Says what is requested: of a message, with its subject and its beginning. */
function whatOf({ summary, shown: named }: LinkedApproval['approval']): readonly string[] {
  const subject = summary.subject ?? named?.subject ?? null;
  return [
    summary.text,
    ...(subject === null ? [] : [`Subject: ${subject}`]),
    ...(named === null ? [] : [toWhom(named.first, summary.recipients)]),
    ...(named?.excerpt ? [named.excerpt] : []),
  ];
}

/** Says what will happen, with the buttons as long as it can be decided. */
function page({ approval, projectName }: LinkedApproval): string {
  const { reason, requestedBy } = approval;
  const state = isOver(approval, new Date()) ? 'expired' : approval.state;
  const lines = [
    ...whatOf(approval),
    `Requested by ${requestedBy} for the project ${projectName}.`,
    ...(reason === null ? [] : [`Reason given: ${reason}`]),
  ];
  if (state === 'pending') return shown('Approve this?', lines, `\n${FORM}`);
  return shown('Approval', [...lines, ...endOf(approval, state)], '');
}

const shown = (title: string, lines: readonly string[], after: string): string =>
  titled({ language: 'en', title, content: lines.map(paragraph).join('\n') + after, brand: undefined });

/** Returns the page on which a person approves or rejects by a link. Opening it changes nothing: programs that follow links must not decide. */
export function approvalRoutes(core: Core, ready: () => boolean): readonly Route[] {
  const requireReady = (): void => {
    if (!ready()) throw unavailable('The database is not reachable yet; retry shortly');
  };
  const open: Serve = async (token, _req, res) => {
    requireReady();
    sendPage(res, page(known(await approvalAt(core, token))));
  };
  const decide: Serve = async (token, req, res) => {
    const verdict = VERDICTS.get((await smallFormOf(req, res)).get('decision'));
    requireReady();
    if (verdict === undefined) throw invalid('decision', 'invalid_enum_value', 'Either approve or reject');
    sendPage(res, page(known(await decideByLink(core, token, verdict))));
  };
  return [
    ['GET', '/a/{token}', open],
    ['POST', '/a/{token}', decide],
  ];
}

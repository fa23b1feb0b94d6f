import type { ClientSession } from 'mongoose';
import { snoozeContact } from '../../audience/contacts';
import { changeTopics, settleMarketing, settleTopics } from '../../audience/topics';
import type { LeavingPerson, TopicsChange, WantedTopic } from '../../audience/topics';
import { invalid } from '../../platform/core';
import type { Core } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { untilWritten } from '../../records/emails';
import { pauseEnd } from '../../rules/pause';
import type { PauseChoice } from '../../rules/pause';
import { recipientOf, Drawn, versionOf } from './read';
import type { Preferences, Recipient } from './read';

/** The choices that a form of the page asks for. */
export interface PreferencesForm {
  readonly version: string;
  /** The topics whose boxes are ticked. */
  readonly ticked: ReadonlySet<string>;
  /** A length, an instant, or `none` to resume; null leaves the pause as it is. */
  readonly pause: PauseChoice | Date | 'none' | null;
}

/** The form that takes a change back. */
export type UndoForm = Omit<PreferencesForm, 'pause'> & { readonly pause: Date | 'none' | null };

export interface SavedPreferences {
  readonly preferences: Preferences;
  /** `outdated`: something that the form changes was changed elsewhere since its page was drawn, and nothing is saved. */
  readonly outcome: 'saved' | 'unchanged' | 'outdated';
  /** Null where there is nothing to take back. */
  readonly undo: UndoForm | null;
}

/**
 * Saves the choices of a form that differ from those that its page was drawn from; all others stay as they are now. Once it has resolved, no message that the
 * person no longer wants is claimed. Never changes whether a person gets marketing mail at all. Resolves to null if the message does not exist. Throws 422 for a
 * version or a topic that no page of this person has.
 *
 * | killed                     | found                               | happens                                                    |
 * |----------------------------|-------------------------------------|------------------------------------------------------------|
 * | before the commit          | the preferences as they were        | nothing; the person sees that it failed                    |
 * | after it, before the answer | choices, events and the intent      | all holds; the workflow of a pause is started by the sweep |
 */
export async function savePreferences(
  core: Pick<Core, 'config' | 'processes' | 'log'>,
  emailId: string,
  form: PreferencesForm,
  at: Date,
): Promise<SavedPreferences | null> {
  await untilWritten(emailId);
  const saved = await inTransaction((session) => save(session, core, emailId, form, at));
  if (saved === null) return null;
  if (saved.pausing) await settleMarketing(core, saved.pausing.projectId, [saved.pausing]);
  else if (saved.change) await settleTopics(core, saved.change);
  const after = (await recipientOf(emailId, at))?.preferences ?? saved.before;
  return { preferences: after, outcome: saved.outcome, undo: saved.outcome === 'saved' ? undoOf(saved.before, after, saved) : null };
}

interface Saved {
  readonly before: Preferences;
  readonly outcome: SavedPreferences['outcome'];
  readonly turned: readonly WantedTopic[];
  readonly pauses: boolean;
  readonly change: TopicsChange | null;
  /** The contact, where a pause begins. */
  readonly pausing: (LeavingPerson & { readonly projectId: string }) | null;
}

async function save(
  session: ClientSession,
  core: Pick<Core, 'processes' | 'log'>,
  emailId: string,
  form: PreferencesForm,
  at: Date,
): Promise<Saved | null> {
  const recipient = await recipientOf(emailId, at, session);
  if (recipient === null) return null;
  const { preferences: before } = recipient;
  const drawn = Drawn.read(form.version);
  if (drawn === null) throw invalid('version', 'invalid_string', 'Not the version of a page');
  const turned = turnedBy(form, drawn, before);
  const until = pauseBy(form, before, at);
  const isOutdated =
    turned.some(({ topicId }) => !drawn.stillStands(topicId, before)) || (until !== undefined && !drawn.pauseStillStands(before));
  const none: Saved = {
    before,
    outcome: isOutdated ? 'outdated' : 'unchanged',
    turned,
    pauses: until !== undefined,
    change: null,
    pausing: null,
  };
  if (isOutdated || (turned.length === 0 && until === undefined)) return none;
  return { ...none, outcome: 'saved', ...(await write(session, core, recipient, turned, until, at)) };
}

async function write(
  session: ClientSession,
  core: Pick<Core, 'processes' | 'log'>,
  { email, project, contactId }: Recipient,
  turned: readonly WantedTopic[],
  until: Date | null | undefined,
  at: Date,
): Promise<Pick<Saved, 'change' | 'pausing'>> {
  const { _id: emailId, projectId, testMode, to } = email;
  const ctx = { projectId, testMode, project };
  const change = turned.length > 0 ? await changeTopics(session, ctx, { address: to }, turned, 'preferences', { at, emailId }) : null;
  if (until !== undefined) await snoozeContact(session, core, { contactId, projectId }, until, { at, testMode, emailId });
  return { change, pausing: until ? { projectId, contactId, address: to } : null };
}

/** Returns the topics that a form changes. Throws 422 for a box that no page of this person has; ignores one whose topic was deleted. */
function turnedBy({ ticked }: PreferencesForm, drawn: Drawn, { topics }: Preferences): readonly WantedTopic[] {
  const shown = new Map(topics.map(({ topic, subscribed }) => [topic._id, subscribed]));
  const turned = [...new Set([...ticked, ...drawn.topicIds])]
    .filter((topicId) => ticked.has(topicId) !== drawn.wasTicked(topicId))
    .map((topicId) => ({ topicId, subscribed: ticked.has(topicId) }));
  if (turned.some(({ topicId, subscribed }) => subscribed && !shown.has(topicId)))
    throw invalid('topic', 'not_found', 'Not a topic of this page');
  return turned.filter(({ topicId, subscribed }) => shown.has(topicId) && shown.get(topicId) !== subscribed);
}

/** Returns until when a form pauses mail; null if it resumes mail, undefined if it changes nothing. */
function pauseBy({ pause }: PreferencesForm, { mayPause, pausedUntil }: Preferences, at: Date): Date | null | undefined {
  if (pause === null || !mayPause) return undefined;
  if (pause === 'none') return pausedUntil === null ? undefined : null;
  const until = pause instanceof Date ? pause : pauseEnd(at, pause);
  const isWithin = until > at && until <= pauseEnd(at, '6m');
  if (!isWithin) throw invalid('pause', 'invalid_date', 'Must be in the future, at most 6 months ahead');
  return until.getTime() === pausedUntil?.getTime() ? undefined : until;
}

/** Returns the form that takes back what was saved, and nothing else. */
function undoOf(before: Preferences, after: Preferences, { turned, pauses }: Saved): UndoForm {
  const ids = new Set(turned.map(({ topicId }) => topicId));
  return {
    version: versionOf({ topics: after.topics.filter(({ topic }) => ids.has(topic._id)), pausedUntil: after.pausedUntil }),
    ticked: new Set(before.topics.filter(({ topic, subscribed }) => subscribed && ids.has(topic._id)).map(({ topic }) => topic._id)),
    pause: pauses ? (before.pausedUntil ?? 'none') : null,
  };
}

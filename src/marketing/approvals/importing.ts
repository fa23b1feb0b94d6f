import { storeJob, surveyImport } from '../../audience/lists';
import type { ContactImport } from '../../audience/lists';
import { getSegment } from '../../audience/segments';
import { invalid } from '../../platform/core';
import { Changed, UNVERSIONED, counted, hashOf } from './kind';
import type { Kind } from './kind';

/** Rows of a file that one approval covers. A person imports longer ones. */
const MOST_ROWS = 10_000;
const FIRST = 5;

/** Returns how an approval of an import is carried out, of a file that is stored already. */
export const importing = ({ job }: { readonly job: ContactImport }): Kind => ({
  async describe(ctx) {
    const { segmentId, enrols } = job;
    const survey = await surveyImport(job, MOST_ROWS);
    if (!survey) throw new Changed('Its file is no longer kept');
    if (survey.isLonger)
      throw invalid('file', 'too_big', `An import of more than ${MOST_ROWS} rows must be started by a person, in the console`);
    const { emails, unusable, hash } = survey;
    const segment = segmentId === null ? null : await getSegment(ctx, segmentId);
    const texts = [
      `Imports ${counted(emails.length, 'contact')} from a file${segment ? ` into the segment “${segment.name}”` : ''}.`,
      enrols ? 'Active automations enroll them as if they came one by one.' : 'No automation enrolls them.',
      ...(unusable > 0 ? [`${counted(unusable, 'row')} cannot be used.`] : []),
    ];
    return {
      summary: { text: texts.join(' '), subject: null, recipients: emails.length },
      basis: { version: UNVERSIONED, references: hashOf(hash, segmentId, enrols) },
      shown: { subject: null, first: emails.slice(0, FIRST), excerpt: null },
      names: emails,
    };
  },
  async perform(ctx, _recipients, keep) {
    await storeJob(ctx, { ...job, createdAt: new Date() }, (session) => keep(session, { version: UNVERSIONED }));
  },
  at: null,
  audited: ['contacts.import', job._id],
});

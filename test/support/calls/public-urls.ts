import { preferencesUrl, unsubscribeUrl, viewInBrowserUrl } from '../../../src/records/emails/urls';

/** The links of a message that anyone who holds them may use. */
export const publicUrls = (
  core: Parameters<typeof unsubscribeUrl>[0],
  emailId: string,
): { readonly unsubscribeUrl: string; readonly preferencesUrl: string; readonly viewInBrowserUrl: string } => ({
  unsubscribeUrl: unsubscribeUrl(core, { _id: emailId }),
  preferencesUrl: preferencesUrl(core, { _id: emailId }),
  viewInBrowserUrl: viewInBrowserUrl(core, { _id: emailId }),
});

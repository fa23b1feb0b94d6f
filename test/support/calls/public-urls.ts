import { unsubscribeUrl, viewInBrowserUrl } from '../../../src/records/emails/urls';

/** Both links of a message that anyone who holds them may use. */
export const publicUrls = (
  core: Parameters<typeof unsubscribeUrl>[0],
  emailId: string,
): { readonly unsubscribeUrl: string; readonly viewInBrowserUrl: string } => ({
  unsubscribeUrl: unsubscribeUrl(core, { _id: emailId }),
  viewInBrowserUrl: viewInBrowserUrl(core, { _id: emailId }),
});

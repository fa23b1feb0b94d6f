import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { skippedWords } from '../../parts/reasons.ts';

async function standingOf(email: string) {
  const [{ suppression }, contacts] = await Promise.all([
    api.checkSuppression({ email }),
    api.listContacts({ search: email, limit: 10 }).page(),
  ]);
  return { suppression, contact: contacts.rows.find((row) => row.email === email.toLowerCase()) };
}

/** Shows why mail to an address is skipped. Such messages leave no entry in the log, so the reason is shown instead. */
export function WhyNone({ email }: { readonly email: string }): ReactNode {
  const { data } = useQuery({ queryKey: ['suppressions', 'standing', email], queryFn: () => standingOf(email) });
  if (!data) return null;
  const { suppression, contact } = data;
  if (suppression && suppression.reason !== 'unsubscribe') {
    return (
      <p className="notice" role="status">
        Every message to {email} is skipped and not listed here. Reason: {skippedWords(suppression.reason)},{' '}
        <When at={suppression.createdAt} />. <Link to={`/suppressions?search=${encodeURIComponent(email)}`}>View suppression</Link>
      </p>
    );
  }
  if (!suppression && contact?.subscribed !== false) return null;
  return (
    <p className="notice" role="status">
      Marketing mail to {email} is skipped and not listed here, because the contact unsubscribed.{' '}
      {contact && <Link to={`/contacts/${contact.contactId}`}>View contact</Link>}
    </p>
  );
}

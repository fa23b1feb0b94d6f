import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CopyButton } from '../../parts/copy.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { Card, Facts } from '../../parts/page.tsx';
import { useMay, useSession } from '../../session/session.ts';
import { PROGRAMS, USER } from './programs.ts';

/** Shows the settings of a program that hands mail in, to copy. */
export function Connection(): ReactNode {
  const { submission } = useSession();
  const mayChange = useMay('manage');
  const [chosen, choose] = useState('nodemailer');
  const { host, port, tlsPort } = submission;
  const server = port === null ? { host, port: tlsPort ?? 465, isTls: true } : { host, port, isTls: false };
  const settings = PROGRAMS.find(({ id }) => id === chosen)?.settings(server) ?? '';
  return (
    <Card title="SMTP settings">
      <div className="connection">
        <Facts
          facts={[
            ['Host', <code key="host">{host}</code>],
            ['Port with STARTTLS', port === null ? null : <code key="port">{port}</code>],
            ['Port with TLS', tlsPort === null ? null : <code key="tls">{tlsPort}</code>],
            ['User', <code key="user">{USER}</code>],
            [
              'Password',
              mayChange ? (
                <Link key="key" to="/keys">
                  An API key that may send
                </Link>
              ) : (
                'An API key that may send'
              ),
            ],
          ]}
        />
        <ChoiceField label="Program" value={chosen} change={choose} options={PROGRAMS.map(({ id, name }) => [id, name] as const)} />
        <pre tabIndex={0}>{settings}</pre>
        <CopyButton label="Copy settings" text={settings} />
        <p className="hint">Send from an address at a verified domain. A test key delivers nothing.</p>
      </div>
    </Card>
  );
}

/** Address of the server that a program hands mail in to. */
interface Server {
  readonly host: string;
  readonly port: number;
  /** Speaks TLS from the first byte; otherwise STARTTLS. */
  readonly isTls: boolean;
}

interface Program {
  readonly id: string;
  readonly name: string;
  readonly settings: (server: Server) => string;
}

export const USER = 'lettermill';
const KEY = 'YOUR_API_KEY';

/** The settings of common programs. */
export const PROGRAMS: readonly Program[] = [
  {
    id: 'nodemailer',
    name: 'Nodemailer',
    settings: ({ host, port, isTls }) => `const transport = nodemailer.createTransport({
  host: '${host}',
  port: ${port},
  ${isTls ? 'secure' : 'requireTLS'}: true,
  auth: { user: '${USER}', pass: process.env.LETTERMILL_KEY },
});`,
  },
  {
    id: 'django',
    name: 'Django',
    settings: ({ host, port, isTls }) => `EMAIL_HOST = "${host}"
EMAIL_PORT = ${port}
EMAIL_USE_${isTls ? 'SSL' : 'TLS'} = True
EMAIL_HOST_USER = "${USER}"
EMAIL_HOST_PASSWORD = os.environ["LETTERMILL_KEY"]`,
  },
  {
    id: 'rails',
    name: 'Rails',
    settings: ({ host, port, isTls }) => `config.action_mailer.delivery_method = :smtp
config.action_mailer.smtp_settings = {
  address: "${host}",
  port: ${port},
  user_name: "${USER}",
  password: ENV["LETTERMILL_KEY"],
  authentication: :plain,
  ${isTls ? 'tls' : 'enable_starttls'}: true
}`,
  },
  {
    id: 'laravel',
    name: 'Laravel',
    settings: ({ host, port, isTls }) => `MAIL_MAILER=smtp
${isTls ? 'MAIL_SCHEME=smtps\n' : ''}MAIL_HOST=${host}
MAIL_PORT=${port}
MAIL_USERNAME=${USER}
MAIL_PASSWORD=${KEY}`,
  },
  {
    id: 'symfony',
    name: 'Symfony',
    settings: ({ host, port, isTls }) => `MAILER_DSN=${isTls ? 'smtps' : 'smtp'}://${USER}:${KEY}@${host}:${port}`,
  },
  {
    id: 'wordpress',
    name: 'WordPress (WP Mail SMTP)',
    settings: ({ host, port, isTls }) => `Mailer: Other SMTP
SMTP Host: ${host}
Encryption: ${isTls ? 'SSL' : 'TLS'}
SMTP Port: ${port}
Authentication: on
SMTP Username: ${USER}
SMTP Password: ${KEY}`,
  },
  {
    id: 'postfix',
    name: 'Postfix',
    settings: ({ host, port, isTls }) => `# /etc/postfix/main.cf
relayhost = [${host}]:${port}
smtp_tls_security_level = encrypt
${isTls ? 'smtp_tls_wrappermode = yes\n' : ''}smtp_sasl_auth_enable = yes
smtp_sasl_password_maps = hash:/etc/postfix/sasl
smtp_sasl_security_options = noanonymous

# /etc/postfix/sasl, then: postmap /etc/postfix/sasl
[${host}]:${port} ${USER}:${KEY}`,
  },
];

/** Returned mail in the forms of different mail systems; written for these tests. */

interface Failure {
  readonly to: string;
  readonly status: string;
  readonly said: string;
  readonly action?: string;
}

const ORIGINAL = (to: string): string => `Return-Path: <>
Received: by mx.example.test with ESMTP; Sun, 22 Nov 2026 10:00:00 +0000
From: Team <team@hello.test>
To: ${to}
Subject: Hello Ada
MIME-Version: 1.0
Content-Type: text/plain

Hello, this is the body. It talks of 550 5.1.1 too.
`;

const report = (head: string, notice: string, status: string, to: string, type = 'message/rfc822'): string => `${head}
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="ABC/mx.example.test"

This is a MIME-encapsulated message.

--ABC/mx.example.test
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

${notice}

--ABC/mx.example.test
Content-Description: Delivery report
Content-Type: message/delivery-status

${status}

--ABC/mx.example.test
Content-Description: Undelivered Message
Content-Type: ${type}

${ORIGINAL(to)}
--ABC/mx.example.test--
`;

export function postfixReport(...failures: readonly Failure[]): string {
  const [{ to, said }] = failures as [Failure];
  const recipients = failures.map(
    (failure) => `Final-Recipient: rfc822; ${failure.to}
Original-Recipient: rfc822;${failure.to}
Action: ${failure.action ?? 'failed'}
Status: ${failure.status}
Remote-MTA: dns; mx.example.com
Diagnostic-Code: smtp; ${failure.said}`,
  );
  return report(
    `Date: Sun, 22 Nov 2026 10:00:00 +0000
From: MAILER-DAEMON@mx.example.test (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: b@bounce.lettermill.test
Auto-Submitted: auto-replied
Message-Id: <20261122.A1@mx.example.test>`,
    `This is the mail system at host mx.example.test.

<${to}>: host mx.example.com[203.0.113.5] said: ${said} (in reply to RCPT TO command)`,
    `Reporting-MTA: dns; mx.example.test
X-Postfix-Queue-ID: 4F1A2B3C4D
Arrival-Date: Sun, 22 Nov 2026 09:59:00 +0000

${recipients.join('\n\n')}`,
    to,
  );
}

/** Exim says 5.0.0 for any reply. */
export const eximReport = (to: string, said: string, during = `RCPT TO:<${to}>`): string =>
  report(
    `Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mx.example.test>
X-Failed-Recipients: ${to}
Subject: Mail delivery failed: returning message to sender`,
    `A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${to}
    host mx.example.com [203.0.113.5]
    SMTP error from remote mail server after ${during}:
    ${said}`,
    `Reporting-MTA: dns; mx.example.test

Action: failed
Final-Recipient: rfc822;${to}
Status: 5.0.0
Remote-MTA: dns; mx.example.com
Diagnostic-Code: smtp; ${said}`,
    to,
  );

export const exchangeReport = (to: string): string =>
  report(
    `From: <postmaster@example.onmicrosoft.test>
Subject: Undeliverable: Hello Ada
X-MS-Exchange-Message-Is-Ndr:
X-Auto-Response-Suppress: All`,
    `Delivery has failed to these recipients or groups: ${to}
The email address you entered couldn't be found.`,
    `Reporting-MTA: dns;AM0PR01MB1234.prod.example.test
Received-From-MTA: dns;AM0PR01MB1234
Arrival-Date: Sun, 22 Nov 2026 09:59:00 +0000

Final-Recipient: rfc822;${to}
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not
 found by SMTP address lookup`,
    to,
  );

export const gmailReport = (to: string): string =>
  report(
    `From: Mail Delivery Subsystem <mailer-daemon@googlemail.test>
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)`,
    `** Address not found **

Your message wasn't delivered to ${to} because the address couldn't be found, or is unable to receive mail.`,
    `Reporting-MTA: dns; googlemail.test
Arrival-Date: Sun, 22 Nov 2026 02:00:00 -0800 (PST)
X-Original-Message-ID: <x@hello.test>

Final-Recipient: rfc822; ${to}
Action: failed
Status: 5.1.1
Remote-MTA: dns; gmail-smtp-in.l.example.test. (203.0.113.27, the server for the domain.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try
 550-5.1.1 double-checking the recipient's email address for typos or
 550 5.1.1 unnecessary spaces.
Last-Attempt-Date: Sun, 22 Nov 2026 02:00:01 -0800 (PST)`,
    to,
  );

export const qmailBounce = (to: string, said = 'Sorry, no mailbox here by that name. (#5.1.1)'): string => `Date: 22 Nov 2026 10:00:00 -0000
From: MAILER-DAEMON@mx.example.test
Subject: failure notice

Hi. This is the qmail-send program at mx.example.test.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<${to}>:
${said}

--- Below this line is a copy of the message.

${ORIGINAL(to)}`;

/** Old Exim, without a report. */
export const plainEximBounce = (to: string, said: string): string => `From: Mail Delivery System <Mailer-Daemon@mx.example.test>
X-Failed-Recipients: ${to}
Auto-Submitted: auto-replied
Subject: Mail delivery failed: returning message to sender

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${to}
    SMTP error from remote mail server after RCPT TO:<${to}>:
    host mx.example.com [203.0.113.5]: ${said}

------ This is a copy of the message, including all the headers. ------

${ORIGINAL(to)}`;

/** A gateway that passes a bounce on as an attachment of a message of its own. */
export const wrapped = (bounce: string): string => `From: Gateway <gateway@mx.example.test>
Subject: FW: returned mail
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="gw"

--gw
Content-Type: text/plain

The attached message was received.

--gw
Content-Type: message/rfc822

${bounce}
--gw--
`;

/** Returns the complaint of a provider without a format for complaints: only the message. */
export const olderComplaint = (original: string, text = ''): string => `From: staff@provider.test
Subject: complaint about message from 203.0.113.1
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="older"

${text && `--older\nContent-Type: text/plain\n\n${text}\n`}
--older
Content-Type: message/rfc822
Content-Disposition: inline

${original}
--older--
`;

export const outOfOffice = (to: string): string => `From: Ada <${to}>
Subject: Automatic reply: Hello Ada
Auto-Submitted: auto-replied
X-Auto-Response-Suppress: All

I am out of office until Monday and cannot read mail. In urgent cases call extension 550 5111.
Messages to ${to} could not be delivered to my phone: 550 5.1.1
`;

/** A provider's feedback loop: the recipient is taken out. */
export const feedbackReport = (original: string, type = 'abuse', more = ''): string => `From: <fbl@provider.test>
Subject: FW: Hello Ada
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report;
     boundary="part1_13d"

--part1_13d
Content-Type: text/plain; charset="US-ASCII"

This is an email abuse report for an email message received from IP 203.0.113.1.

--part1_13d
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1${more}

--part1_13d
Content-Type: message/rfc822
Content-Disposition: inline

${original}
--part1_13d--
`;

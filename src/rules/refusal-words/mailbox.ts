import type { WordRule } from './rule';

/** The words of mail systems for the mailbox of an address. */
const NOUN =
  "(?:users?|recipients?|rcpt|addressees?|mail ?-?(?:box(?:es)?|drop)|inbox|(?:e-?mail |mail )?(?:addresses|address|accounts?|alias(?:es)?)|(?:e-?mail|user ?|recipient'?s?|mailbox|account) ?(?:name|id)|local[ -]?part|person|login|subscriber|customer)";
const KINDS =
  "(?:(?:or|virtual|local|email|e-mail|mail|destination|recipient|recipient's|envelope|smtp|target|final|remote|this|user|forward) ){0,3}";

const any = (...patterns: readonly string[]): RegExp => new RegExp(patterns.map((pattern) => `(?:${pattern})`).join('|'));

/** Words that an address, or its domain, is not there or not in use. */
export const MAILBOX: readonly WordRule[] = [
  {
    class: 'hard',
    reason: 'unknown, by the name first',
    words: any(
      `\\b${NOUN}\\b[^.;!?]{0,80}?\\b(?:unknown|not known|(?:do|does|did)(?: not|n't) exists?|(?:was |were |is |are )?not exist(?:s|ing)?|non-?existent|not (?:be )?(?:found|located)|(?:could|can)(?: not|not|n't) be (?:found|located)|not (?:a )?(?:recogni[sz]ed|registered|local|present)|no longer (?:valid|active|exists?|available|in (?:use|service)|accepts?|accepting|works?|employed|with|here)|(?:is|are|does|do)(?: not|n't) (?:present|here|there|listed|defined)|has (?:been )?(?:moved|replaced by|changed))\\b`,
      `@ ?[\\])"'>:,.(]{0,4} ?(?:is |are |user |was |does |\\.{2,3} ?)?(?:unknown|not known|not exist|doesn't exist|not found|not here)\\b`,
    ),
    said: [
      '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in relay recipient table',
      '550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking',
      '550 5.1.1 <ada@example.com>... User unknown',
      "550 The recipient's address could not be found",
      '550 Mailbox not found',
      '550 ada@example.com no longer available, address no longer in use',
      '550 The e-mail account does not exist at the organization this message was sent to',
      "550 The user's email name is not found",
      '554 The recipient name is not recognized',
      '550 <ada@example.com> not found',
      '551 The address <ada@example.com> has been replaced by bob@example.net',
    ],
  },
  {
    class: 'hard',
    reason: 'unknown, by the name last',
    words: any(
      `\\b(?:unknown|no such|non-?existent|unroutable|unrouteable|unrecogni[sz]ed|undefined|not a (?:known|valid|local|registered)|not an? active|inactive|disabled|deactivated|invalid|illegal|bad|wrong|missing)[ _-]${KINDS}${NOUN}\\b`,
      `\\bno (?:valid |active )?${KINDS}${NOUN}(?: \\w+){0,2}? (?:by|here|with|named|called|available|exists?|found|at|for)\\b`,
      "\\bno (?:one|person)(?: here)? (?:by|at|with)\\b|\\bdoes(?: not|n't) have an? (?:\\S+ )?(?:mail ?box|account|e-?mail)\\b|\\bnot listed in (?:the )?(?:domino |public )?(?:name|directory|address)",
      '\\buser_?(?:unknown|notfound|not_found)\\b|\\b(?:ex)?recip(?:ient)?not ?found\\b|\\baddress_not_found\\b|\\bmailbox_?notfound\\b|\\bbad(?:rcptto|recipientto)\\b|\\bvalidrcptto\\b|\\bnot (?:in|present in) (?:my |the |our )?(?:validrcptto|directory|user database)',
    ),
    said: [
      '550 5.1.1 No such user here',
      '550 Unknown user',
      '550 unknown local part',
      '550 Unrouteable address',
      '550 5.1.1 vdeliver: Invalid or unknown virtual user',
      '550 Sorry, no mailbox here by that name. (#5.1.1)',
      '550 No account by that name here',
      "554 delivery error: dd This user doesn't have a yahoo.com account (ada@example.com) [0]",
      '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found',
      '550 ada@example.com not listed in Domino Directory',
      '553 sorry, your envelope recipient is in my badrcptto list (#5.7.1)',
      '550 Invalid recipient ada@example.com',
      '554 There is no one at this address',
      '550 Bad destination mailbox address',
    ],
  },
  {
    class: 'hard',
    reason: 'out of use',
    words: any(
      `\\b${NOUN}(?: @)?(?: [(<\\["']?@?[)>\\]"']?)?(?:[:,]| that you tried to reach| you (?:are trying|tried) to (?:reach|contact)| for this user| name)?(?: (?:is|are|was|were|has|have|been|currently|now|no longer|either|permanently))*[ :,/_-]+(?:not (?:active|available|valid|in use|enabled|allowed)|in-?active|in-?valid|unavailable|unavaiable|disabled|deactivated|suspended|discontinued|terminated|closed|cancell?ed|deleted|removed|frozen|locked|expired|missing|abandoned|retired|isn't (?:active|valid|available))\\b`,
      `\\b(?:disabled|inactive|suspended|closed|deleted|expired|frozen|unavailable|deactivated) (?:${KINDS})${NOUN}\\b`,
      `\\bextended inactivity\\b|\\b(?:user|account|mailbox) has been (?:disabled|suspended|closed|deleted|removed)\\b|\\bis (?:an )?expired account\\b|\\bunavailable or access denied\\b`,
    ),
    said: [
      '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)',
      '550 5.2.1 The email account that you tried to reach is disabled',
      '550 5.2.1 The email account that you tried to reach is inactive',
      '554 This account has been disabled or discontinued',
      '550 Recipient address rejected: inactive user',
      '554 5.2.1 Inactive user',
      '550 Invalid/inactive user',
      '550 account expired',
      '553 Requested action not taken: mailbox name not allowed',
      '550 <ada@example.com>: user invalid',
      '550 Due to extended inactivity new mail is not currently being accepted for this mailbox',
    ],
  },
  {
    class: 'hard',
    reason: 'directory of the recipient',
    status: '5.4.1',
    words: /\brecipient address rejected\b|\baccess denied\b/,
    said: ['550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [mx.example]'],
  },
  {
    class: 'hard',
    reason: 'domain',
    words: any(
      "\\b(?:host|domain)s?(?: %)?(?: or domain)?(?: name)?(?: %)? ?[:,]? ?(?:is |was |are )?(?:not found|not known|unknown|(?:does|do)(?: not|n't) exists?|non-?existent|invalid|not valid|(?:can|could)(?:not|n't| not) be (?:found|resolved)|lookup failed: nxdomain)\\b",
      "\\b(?:unknown|no such|invalid|illegal|non-?existent|bad|nonexistent) (?:mail |destination |recipient |host/)?(?:host|domain)s?\\b|\\bnxdomain\\b|\\bnull ?mx\\b|\\bno (?:valid )?(?:mx|mail exchanger)s?\\b|\\b(?:host|domain)(?: %)? does(?: not|n't) accept (?:e-?)?mail|\\bname or service not known|\\b(?:recipient )?domain must exist|\\bno matches to nameserver query|\\bunrouteable mail domain|\\bdead domain",
    ),
    said: [
      'Host or domain name not found. Name service error for name=example.test',
      '550 Host unknown (Name server: example.test: host not found)',
      '550 5.4.4 no such domain',
      '556 5.1.10 Recipient address has null MX',
      '550 Unrouteable mail domain "example.test"',
      'all relevant MX records point to non-existent hosts',
      '550 5.4.310 DNS domain example.test does not exist [Message=InfoDomainNonexistent]',
    ],
  },
];

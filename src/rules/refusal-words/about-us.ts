import type { WordRule } from './rule';

/** Words about the sender, its host, its standing or its message. */
export const ABOUT_US: readonly WordRule[] = [
  {
    class: 'block',
    reason: 'block list',
    words:
      /\bblack ?-?list|\bblock ?-?list|\bdeny ?-?list|\b(?:rbl|dnsbl|uribl|surbl|spamhaus|spamcop|sorbs|barracuda)s?\b|(?<!\bnot )\blisted (?:at|in|on|by)\b|\bschwarze[nr]? liste|\bliste noire|\blista n(?:egra|era)|\bzwarte lijst|ブラックリスト|拒否リスト/,
    said: [
      '550 Rejected because 192.0.2.7 is in a black list at zen.spamhaus.org',
      '554 5.7.1 192.0.2.7 found on one or more DNSBLs',
      '550 5.7.1 Rejected: 192.0.2.7 listed at zen.example',
      '554 Der Server steht auf einer schwarzen Liste',
      '550 Votre serveur est sur une liste noire',
      '550 Su servidor está en una lista negra',
      '550 Il server è presente in una lista nera',
    ],
  },
  {
    class: 'block',
    reason: 'spam, virus or other content',
    words:
      /\bspam(?:my|ming|mers?|assassin)?\b|\banti-?spam|\bspam-|\bjunk ?-?mail\b|\bunsolicited|\bbulk (?:e-?)?mail|\bmass ?mail|\bvirus|\bmalware|\binfected|\bphish|\b(?:message|mail|email) content\b|\bcontent (?:filter|reject|denied|restriction)|\b(?:banned|executable|illegal|unacceptable|prohibited) (?:content|attachment|file)|\battachments?\b|\bpotential(?:ly)? (?:security|dangerous|harmful)|\bunerwunschte|\b(?:courrier|message) indesirable|\bpourriel|\bcorreo no deseado|\bposta indesiderata|\bindesejad[ao]|\bongewenste|迷惑メール|スパム|ウイルス|ウィルス/,
    said: [
      '554 5.7.1 This message has been identified as spam',
      '550 spam message rejected. Please visit http://help.example/ or report details to abuse@mail.example',
      '550 High probability of spam',
      '552-5.7.0 Our system detected an illegal attachment on your message',
      '554 rejected due to virus',
      '550 5.7.1 Our system has detected that this message is likely unsolicited mail',
      '550 Mail content denied',
    ],
  },
  {
    class: 'block',
    reason: 'policy',
    words:
      /\bpolic(?:y|ies)\b|\badministrative(?:ly)? (?:prohibit|denied|block)|\bgeographical|\brichtlinien?\b|\bpolitiques?\b|\bpoliticas?\b|\bbeleid\b|\bcriteri di\b|ポリシー/,
    said: [
      '550 Message rejected for policy reasons',
      '550 5.7.1 Message rejected due to local policy',
      '550 Administrative prohibition',
      '550 Abgelehnt wegen lokaler Richtlinien',
      '550 Message refusé par la politique du domaine',
    ],
  },
  {
    class: 'block',
    reason: 'authentication of the sender',
    words:
      /\b(?:spf|dkim|dmarc|batv|arc)\b|\bsender id\b|\b(?:un)?authenticat|\bauthori[sz]ation\b|\bauth(?:entication)? required|\bauthentifi(?:zierung|cation|e)\b|\bautenticacion|\bautenticazione|\bautenticacao|\bauthenticatie|\bstarttls\b|\btls (?:required|negotiation)|\bmust issue|認証/,
    said: [
      '550 SPF check failed: 192.0.2.7 is not allowed to send mail from example.com',
      '550 DMARC policy rejects this message',
      '550 5.7.26 Unauthenticated email from example.com is not accepted',
      '530 Authentication required',
      '550 Authentification requise',
      '550 Se requiere autenticación',
    ],
  },
  {
    class: 'block',
    reason: 'standing of the sender',
    words:
      /\breputations?\b|\buser complaints\b|\bbanned\b|\bblocked\b|\bfiltered\b|\bdenied \[|\bnot (?:in|on) (?:our |my |the )?white ?list|\bsuspicious/,
    said: [
      "554-mx.example.com Your access to this mail system has been rejected due to the sending MTA's poor reputation",
      '550 5.7.606 Access denied, banned sending IP [192.0.2.7]',
      '550 Email blocked by example',
      '554 Denied [AS] (Mode: normal)',
    ],
  },
  {
    class: 'block',
    reason: 'rate of the sender',
    words:
      /\b(?:rate|frequency|volume|hourly|daily|sending|connection|concurrency) ?-?(?:limit|quota|exceed|control)|\btoo (?:many|much|frequent)\b[^.;]{0,30}\b(?:connections?|sessions?|errors|mails? from|messages? from|emails? from|requests|invalid|unknown|bad|from (?:you|this|the|an?) |from %|from @|from \[?\d)|\bthrottl|\bexceed(?:s|ed|ing)? the (?:max\w*|number of) (?:e-?mails|messages) (?:per|you)|\btrop de connexions|\bzu viele verbindungen|\bdemasiadas conexiones|\btroppe connessioni|\bmuitas conexoes|\bte veel verbindingen/,
    said: [
      '550 too many connections from your network this hour',
      '550 Rate limit exceeded',
      '550 Too many invalid recipients',
      '550 Domain example.com has exceeded the max emails per hour',
      '550 Trop de connexions, veuillez verifier votre configuration',
      '550 Zu viele Verbindungen',
    ],
  },
  {
    class: 'block',
    reason: 'relay',
    words:
      /\brelay(?:ing|ed|s)?\b(?!=|[\s_](?:recipients?|domains?)\b)|\ballowed rcpthosts?\b|\brcpthosts\b|\bweiterleitung nicht (?:erlaubt|gestattet)|\brelais\b|\bnao (?:e permitido|permite) relay|中継/,
    said: [
      '550 relay not permitted',
      '554 5.7.1 <ada@example.com>: Relay access denied',
      '550 5.7.1 Unable to relay for ada@example.com',
      "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
      '550 Relais interdit',
    ],
  },
  {
    class: 'block',
    reason: 'sender address',
    words:
      /(?<!\b(?:back|return(?:ed|ing)?(?: (?:message|mail))?|notif(?:y|ied)|inform(?:ed)?|report(?:ed)?) to (?:the )?)\b(?:un)?(?:sender|originator)(?:'?s)?\b|\bmail from\b|\bfrom(?: address|:| header| field| domain)|\bsen(?:t|d|ding) from\b|\bnot allowed to send\b|\bnot permitted to send\b|\bnot authorized to send\b|\breturn[ -]path|\breverse[ -]path|\benvelope[ -](?:from|sender)|\bempty envelope|\bbounced? (?:messages? )?not accepted|\babsender|\b(?:expediteur|emetteur)s?\b|\bremitentes?\b|\bmittent[ei]\b|\bremetentes?\b|\bafzenders?\b|送信者|送信元|差出人|発信者/,
    said: [
      '550 5.1.0 <b+x@bounce.example> sender rejected',
      '550 5.1.0 <b@x.example> is not allowed to send',
      '550 5.1.8 Sender address rejected: Domain not found',
      '550 Sender verify failed',
      '550 Absender unbekannt',
      '550 Adresse de l’expéditeur inconnue',
      '550 Remitente desconocido',
      '550 Mittente sconosciuto',
      '550 Remetente inválido',
      '550 Afzender onbekend',
      '550 送信者が拒否されました',
    ],
  },
  {
    class: 'block',
    reason: 'sending host',
    words:
      /\b(?:helo|ehlo)\b|\bip(?:v4|v6|s)?\b(?!-)|\bclient (?:host|address)\b|\byour (?:mail ?)?(?:host|server|network|isp|mta|domain)\b|\bconnecting host|\bconnections? (?:not accepted|refused|rejected|denied) from|\breverse (?:dns|lookup|name)|\b(?:rdns|ptr)\b|\bdynamic (?:host|address|range)|\bopen proxy|\bgo away\b|\bnot allowed to connect|\bmail server at\b/,
    said: [
      '550 Your IP 192.0.2.7 is listed at bl.example',
      '501 Syntactically invalid HELO argument(s)',
      '450 4.7.1 Client host rejected: cannot find your hostname, [192.0.2.7]',
      '550 DY-001 Mail rejected by Outlook.com for policy reasons. We generally do not accept email from dynamic IP’s',
      '554 IP=192.0.2.7 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.example to clarify.) (BL)',
    ],
  },
  {
    class: 'block',
    reason: 'links of the message',
    words: /\b(?:rejected|denied|refused|blocked)\b[^.;]{0,12}\bsee:? %|\burls?\b|\bdomains? in (?:the |your )?(?:message|body)/,
    said: [
      '553 rejected: see https://bl.example/?ip=192.0.2.1',
      '550 Message contains a listed URL',
      '554 5.7.1 Blocked - see http://lookup.example/',
    ],
  },
  {
    class: 'block',
    reason: 'permission of the sender',
    words:
      /(?<!\bor )\baccess denied\b|\bnot authori[sz]ed\b|\bunauthori[sz]ed\b|\bauth_?required\b|\brestricted to\b|\bmembers?-only\b|\bnon-?members?\b|\bclosed mailing list|\bonly accept(?:ing|s) (?:e-?)?mail from|\bcannot send|\bprohibited\b|\bforbidden\b|\bnicht berechtigt|\bnon autoris|\bno autorizad|\bnon autorizzat|\bnao autorizad/,
    said: [
      '554 5.7.1 Access denied',
      '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required',
      '550 5.7.1 You are not authorized to send to this list',
      '550 Posting by non-members is not possible',
    ],
  },
  {
    class: 'block',
    reason: 'form of the message',
    words: /\bheaders?\b|\bnot rfc\b|\brfc ?\d{3,4}\b|\b(?:not|non)[- ]compliant|\bmessage[- ]id\b|\bdate field\b|\bmalformed message/,
    said: ['550 5.7.1 Messages missing a valid address in From: header are not accepted', '550 Message is not RFC 5322 compliant'],
  },
];

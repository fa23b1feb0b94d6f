import type { WordRule } from './rule';

/** Words that promise a better time, though they may name a mailbox that is disabled or unavailable meanwhile. */
export const FOR_NOW: readonly WordRule[] = [
  {
    class: 'soft',
    reason: 'for now',
    words:
      /\btemporar(?:y|ily|ly)\b|\btry again (?:later|in\b|after|at a later)|\b(?:try|retry) (?:\w+ )?later|\bgrey-?list|\bvorubergehend|\bspater (?:noch ?mal|erneut|wieder)|\bspater noch einmal|\btemporairement|\bplus tard|\btemporalmente|\bmas tarde|\btemporaneamente|\bpiu tardi|\btemporariamente|\btijdelijk\b|\blater opnieuw|一時的/,
    said: [
      '550 Mailbox temporarily unavailable',
      '554 delivery error: This user is temporarily locked',
      '550 Greylisted',
      '550 Mailbox unavailable, please try again later',
      '550 Benutzer vorübergehend gesperrt',
      '550 Cuenta deshabilitada temporalmente',
    ],
  },
  {
    class: 'soft',
    reason: 'disabled for lack of room',
    words:
      /\b(?:unavailable|disabled|inactive|locked|suspended|blocked|closed|invalid)\b.{0,60}\b(?:quota|storage|disk space|mailbox (?:is )?full|exceed(?:s|ed|ing) (?:its|the|their|receiving|allowed))\b|\b(?:quota|storage|disk space|mailbox (?:is )?full|inbox (?:is )?full)\b.{0,60}\b(?:unavailable|disabled|inactive|locked|suspended|blocked|closed)\b/,
    said: [
      '550 Mailbox unavailable, user is over quota',
      '554 Account disabled for exceeding receiving limits',
      '550 Over quota, mailbox disabled',
    ],
  },
];

/** Words about room and about how much an address may get. */
export const ROOM: readonly WordRule[] = [
  {
    class: 'soft',
    reason: 'mailbox full',
    words:
      /\bquota\b|\bover ?quota|\bquotum\b|\b(?:mail ?-?(?:box|folder|dir|file)|inbox|folder|account|storage|disk|space|user|recipient|box)(?:'s)?(?: @)?(?: is| are| has become| seems)?(?: currently| too| almost)? full\b|\bfull (?:mailbox|inbox)|\b(?:insufficient|not enough|no more|no|out of) (?:system |disk |storage |mail |mailbox |free )*(?:storage|space|room)\b|\bspace\b.{0,20}\bused up|\bstorage (?:allocation|limit|full|exceeded)|\bexceed\w*\b.{0,40}\b(?:storage|space|disk|limits?|allocation|capacity|size)\b|\b(?:limit|capacity|size)\b.{0,20}\bexceeded/,
    said: [
      '552 5.2.2 Mailbox full',
      '550 User over quota. (#5.1.1)',
      '552 Requested mail action aborted: exceeded storage allocation',
      '550 Requested mail action aborted: mailbox has exceeded its disk space limit',
      "554 delivery error: the user's space has been used up",
      '552 Quota exceeded',
      '550 Insufficient disk space',
    ],
  },
  {
    class: 'soft',
    reason: 'mailbox full, in other languages',
    words:
      /\bpostfach\b.{0,20}\bvoll|\b(?:uber(?:full|fullt)|uberfullt)\b|\bspeicherplatz|\bkontingent\b|\bboite\b.{0,30}\bpleine|\bespace (?:disque )?insuffisant|\bquota depasse|\bbuzon\b.{0,20}\blleno|\bespacio\b|\bcuota\b|\bcasella\b.{0,20}\bpiena|\bspazio\b|\bcaixa\b.{0,30}\bcheia|\bespaco\b|\bcota\b.{0,20}\bexcedida|\b(?:postbus|postvak|mailbox|postvak in)\b.{0,20}\bvol\b|\bopslaglimiet|(?:容量|メールボックス)[^。]{0,20}(?:いっぱい|一杯|超|満|不足)|容量オーバー/,
    said: [
      '550 Postfach ist voll',
      '550 Boite du destinataire pleine',
      '550 Buzón lleno',
      '550 La casella del destinatario è piena',
      '550 Caixa postal do destinatário cheia',
      '550 Postbus is vol',
      '550 メールボックスの容量がいっぱいです',
    ],
  },
  {
    class: 'soft',
    reason: 'too large, too many, too fast',
    words:
      /\btoo (?:many|much|large|big|long|fast|quickly|often)\b|\bat a rate\b|\breceiv\w* (?:mail |messages )?(?:too|limit)|\b(?:size|larger than|bigger than)\b.{0,30}\b(?:limit|maximum|allowed|permitted|fixed|accept)|\b(?:maximum|max) (?:message |allowed |permitted )?size|\blimit\b.{0,40}\bmessages? (?:it|they) (?:can|may) receive|\bzu (?:gross|viele)\b|\btrop (?:volumineux|gros|grand|long|de)\b|\bdemasiad[oa]s?\b|\btropp[oaie]\b|\bmuito grande\b|\bte (?:groot|veel)\b|大きすぎ|サイズ[^。]{0,10}超|多すぎ/,
    said: [
      '550-5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered',
      '552 Message size exceeds fixed maximum message size',
      '550 Too many recipients',
      '552 5.3.4 Message too large',
      '550 Nachricht zu groß',
      '550 Message trop volumineux',
    ],
  },
  {
    class: 'soft',
    reason: 'not reached in time',
    words:
      /\btimed? ?-?out\b|\bin the queue too long|\b(?:delivery time|message|retry time) (?:has )?expired|\bexpired after\b|\bretry time(?:out)? (?:not reached|exceeded)|\bdeferred\b|\bconnection (?:refused|reset|lost|dropped)|\b(?:server|host) (?:is )?(?:busy|not respond|did not respond|unreachable)/,
    said: [
      '554 Message expired after sitting in queue for 4 days',
      '550 Connection timed out',
      '554 delivery error: server did not respond',
    ],
  },
];

/*
 * The words of notices that mail systems write for people, in English, German, French, Spanish, Italian, Portuguese, Dutch and Japanese. All are looked for in
 * what `plainWords` returns: lower case, without accents.
 */

const any = (...patterns: readonly string[]): RegExp => new RegExp(patterns.map((pattern) => `(?:${pattern})`).join('|'));

/** The message was not delivered. */
export const SAYS_FAILED = any(
  "\\b(?:not|n't|cannot|unable to|fail(?:ed|s|ure) to|impossible to|problems?) (?:be |been |yet )?(?:successfully )?(?:deliver|reach|sent\\b|send\\b|forward|process)",
  '\\bundeliver|\\bnon-?deliver|\\bdeliver\\w*\\b.{0,60}\\b(?:fail|error|unsuccessful|reject|impossible)|\\bpermanent(?:ly)? (?:fatal )?(?:error|fail)|\\b(?:failed|failure|failing) (?:notice|mail|message|recipient|address)|\\breturn(?:ed|ing) (?:mail|message|to sender)|\\bmail (?:system )?(?:error|failure)|\\bdid not reach\\b|\\b(?:was|were|been) (?:rejected|bounced|refused)\\b|\\bbounced (?:message|mail)|\\bgiven up\\b|\\bgiving up\\b',
  '\\bunzustellbar|\\bnicht (?:zu(?:ge)?stell|aus(?:ge)?liefer|ubermittel|gesendet|erreich)|\\bzustell\\w*\\b.{0,60}\\b(?:fehlgeschlagen|gescheitert|nicht moglich|fehler)|\\bzustell(?:ungs)?fehler|\\bnicht\\b.{0,60}\\b(?:zugestellt|ausgeliefert|ubermittelt|versendet)',
  "\\bpas (?:pu )?(?:ete |etre )?(?:remis|distribu|delivr|livr|transmis|envoy|achemin)|\\bpu etre (?:remis|distribu|delivr|livr|transmis|envoy|achemin)|\\bechec de (?:la |l')?(?:remise|distribution|livraison|envoi|transmission)|\\bimpossible (?:de |d')(?:remettre|distribuer|livrer|delivrer|transmettre|envoyer|acheminer)|\\bnon[- ](?:remis|distribu|delivr|remise)",
  '\\bno (?:se )?(?:ha |pudo |puede |pudieron |fue |es )*(?:podido |posible )?(?:ser )?(?:entrega|enviar|enviad)|\\bno entregad|\\bentrega\\b.{0,40}\\b(?:fallid|fallo|error)|\\b(?:error|fallo) (?:de|en la) entrega|\\b(?:correo|mensaje) (?:ha sido )?(?:devuelto|rechazado)|\\bimposible entregar',
  '\\bnon (?:e stat[oa] |e |puo |stat[oa] )*(?:possibile )?(?:essere )?(?:recapit|consegn|inoltr)|\\bmancat[oa] (?:recapito|consegna)|\\bimpossibile (?:consegn|recapit|invi|inoltr)|\\b(?:consegna|recapito)\\b.{0,40}\\b(?:fallit|non riuscit)',
  '\\bnao (?:foi |pode |e |ser |possivel |ha |sido )*(?:entreg|enviad)|\\bfalha (?:na |de |no )(?:entrega|envio)|\\bentrega\\b.{0,40}\\bfalh|\\bmensagem (?:devolvida|rejeitada)|\\bimpossivel entregar',
  '\\bniet\\b.{0,60}\\b(?:bezorg|afgeleverd|afleveren|verzonden)|\\bonbestelbaar|\\bonmogelijk\\b.{0,30}\\b(?:bezorg|aflever)|\\b(?:bezorging|aflevering)\\b.{0,40}\\bmislukt',
  '(?:配信|配送|配達|送信|送達|お届け|届)[^。]{0,16}(?:ませ|なかった|できな|不能|不可|失敗|エラー)|不達|戻され|返送|返却|エラーメール',
);

/** The mail system goes on trying. */
export const SAYS_DELAYED = any(
  "\\bwarning message only|\\bwill (?:keep|continue|be retried|retry|try again)|\\bstill being retried|\\bnot yet (?:been )?deliver|\\b(?:do not|don't) need to resend|\\bdelayed (?:mail|message|delivery)|\\b(?:mail|message|deliver\\w*)\\b.{0,40}\\bdelay|\\(delay\\)|\\bdelivery attempts will continue",
  '\\bverzoger|\\bverzoeger|\\bnoch nicht (?:zugestellt|ausgeliefert)|\\bweiter(?:hin)? versuch|\\bversuche werden fortgesetzt',
  '\\bretard|\\bpas encore (?:ete|pu)|\\bnouvelles? tentatives?|\\ba nouveau tent',
  '\\bretras|\\bdemorad|\\baun no\\b|\\breintent|\\bseguira intentando|\\bseguiremos intentando',
  '\\britard|\\bnon (?:e )?ancora\\b|\\bulteriori tentativi|\\britentat',
  '\\batras(?:o|ad)|\\bainda nao\\b|\\bcontinuar[aá]? tentando|\\bnovas tentativas',
  '\\bvertraag|\\bvertraging|\\bnog niet\\b|\\bblijven proberen|\\bopnieuw geprobeerd',
  '遅延|遅れて|再送を|再試行(?:し|を続)|送信を続け',
);

/** The mail system has tried for as long as it does. */
export const SAYS_EXPIRED = any(
  "\\bnot going to try again|\\bin the queue too long|\\bretry time(?:out)? (?:not reached|exceeded)|\\b(?:message|delivery time|delivery) (?:has )?expired|\\b(?:could not|couldn't|cannot|unable to) (?:be )?deliver\\w* (?:the message |it )?(?:for|within|after) (?:\\w+ ){0,4}(?:hours?|days?)|\\bno (?:further|more) (?:delivery )?attempts|\\bwill not (?:be )?(?:retr|tr(?:y|ied) again)|\\bgiving up\\b|\\bdelivery retry timeout",
);

/** A person, or a person's answering machine, wrote it. */
export const IS_AUTO_REPLY = any(
  '\\bout of (?:the )?office|\\bauto(?:matic)?[- ]?(?:reply|response|answer)|\\bautorespon|\\bvacation|\\bon (?:leave|holiday)|\\babsence\\b|\\baway from',
  '\\babwesen|\\bautomatische (?:antwort|beantwortung)|\\bnicht im (?:buro|hause?)|\\burlaub',
  '\\breponse automatique|\\babsen(?:t|ce)\\b|\\bconges\\b',
  '\\bfuera de (?:la )?oficina|\\brespuesta automatica|\\bausen(?:te|cia)|\\bvacaciones',
  '\\bfuori (?:ufficio|sede)|\\brisposta automatica|\\bassen(?:te|za)\\b|\\bferie\\b',
  '\\bfora do escritorio|\\bresposta automatica|\\bferias\\b',
  '\\bafwezig|\\bautomatisch(?:e)? (?:antwoord|reactie|bericht)|\\bvakantie',
  '不在|自動(?:返信|応答|回答)|休暇',
);

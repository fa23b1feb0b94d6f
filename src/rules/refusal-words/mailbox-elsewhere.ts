import type { WordRule } from './rule';

/** The words of `MAILBOX` in German, French, Spanish, Italian, Portuguese, Dutch and Japanese. */
export const MAILBOX_ELSEWHERE: readonly WordRule[] = [
  {
    class: 'hard',
    reason: 'unknown, in German',
    words:
      /\b(?:empf\S{1,2}nger(?:adresse)?|benutzer|nutzer|adresse|adressat|postfach|mailbox|konto|account|e-?mail-?adresse)\b[^.;]{0,60}\b(?:unbekannt|nicht (?:bekannt|gefunden|vorhanden|verfugbar|gultig|aktiv|mehr)|existiert nicht|ung\S{1,2}ltig|inaktiv|deaktiviert|gesperrt|gel\S{1,2}scht|geschlossen|abgelaufen)|\b(?:unbekannter?|ung\S{1,2}ltiger?|deaktivierter?) (?:empf\S{1,2}nger|benutzer|adresse|postfach|konto|mailbox)|\bkein(?:en)? (?:solche[rsn]? )?(?:benutzer|empf\S{1,2}nger|postfach|konto|mailbox)\b/,
    said: [
      '550 Empfänger unbekannt',
      '550 Adresse existiert nicht',
      '550 Postfach nicht gefunden',
      '550 Unbekannter Benutzer',
      '550 Empfaengeradresse ungueltig',
    ],
  },
  {
    class: 'hard',
    reason: 'unknown, in French',
    words:
      /\b(?:utilisateurs?|destinataires?|adresse|boite|compte|abonne)\b[^.;]{0,60}\b(?:inconnue?s?|n'existe (?:pas|plus)|inexistante?|invalide|introuvable|incorrecte?|erronee?|desactivee?|fermee?|suspendue?|supprimee?|inactive?|archivee|non trouvee?|n'est (?:pas|plus) (?:valide|active?|attribuee?))|\baucun (?:utilisateur|destinataire|compte)\b/,
    said: [
      '550 Utilisateur inconnu !',
      '550 Destinataire inconnu',
      '550 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416',
      '550 Boîte aux lettres inexistante',
      "550 L'adresse n'existe pas",
      '550 Boite du destinataire archivee',
    ],
  },
  {
    class: 'hard',
    reason: 'unknown, in Spanish',
    words:
      /\b(?:usuario|destinatario|direccion|buzon|cuenta|casilla)\b[^.;]{0,60}\b(?:desconocid[oa]|no existe|inexistente|no valid[oa]|invalid[oa]|no encontrad[oa]|no se encuentra|no se encontro|deshabilitad[oa]|desactivad[oa]|cancelad[oa]|cerrad[oa]|suspendid[oa]|inactiv[oa]|no esta activ[oa])|\bno existe (?:el|la|ese|esa|dicha?|este|esta|ningun|un)\w* (?:usuario|destinatario|direccion|buzon|cuenta|persona|casilla)/,
    said: [
      '550 Usuario desconocido',
      '550 No existe ese usuario',
      '550 No existe dicha persona',
      '550 La dirección de correo no existe',
      '550 Cuenta deshabilitada',
    ],
  },
  {
    class: 'hard',
    reason: 'unknown, in Italian',
    words:
      /\b(?:utente|destinatario|destin\.?|indirizzo|casella|mailbox|account)\b[^.;]{0,60}\b(?:sconosciut[oa]|inesistente|non (?:esiste|trovat[oa]|valid[oa]|attiv[oa]|disponibile|presente)|errat[oa]|disatt+ivat[oa]|disabilitat[oa]|sospes[oa]|chius[oa]|cancellat[oa])|\bnessun (?:utente|destinatario)/,
    said: [
      '550 Utente sconosciuto',
      '550 Destinatario errato',
      '550 Indirizzo inesistente',
      '550 nessun utente simile in questo indirizzo',
      '550 casella disattivata',
    ],
  },
  {
    class: 'hard',
    reason: 'unknown, in Portuguese',
    words:
      /\b(?:usuario|utilizador|destinatario|endereco|caixa postal|caixa de correio|conta)\b[^.;]{0,60}\b(?:desconhecid[oa]|nao (?:existe|encontrad[oa]|foi encontrad[oa]|e valid[oa]|localizad[oa])|inexistente|invalid[oa]|desativad[oa]|bloquead[oa]|suspens[oa]|cancelad[oa]|inativ[oa])/,
    said: [
      '550 Usuário desconhecido',
      '550 Usuário inexistente',
      '550 Destinatário não encontrado',
      '550 Endereço inválido',
      '550 Conta desativada',
    ],
  },
  {
    class: 'hard',
    reason: 'unknown, in Dutch',
    words:
      /\b(?:gebruiker|ontvanger|geadresseerde|adres|e-?mailadres|postbus|postvak|mailbox|account)\b[^.;]{0,60}\b(?:onbekend|bestaat niet|niet (?:gevonden|bekend|actief|geldig|beschikbaar)|ongeldig|inactief|opgeheven|uitgeschakeld|geblokkeerd|gedeactiveerd)|\b(?:onbekende|ongeldige?) (?:gebruiker|ontvanger|geadresseerde|adres|e-?mailadres)/,
    said: [
      '550 Onbekende gebruiker',
      '550 Ontvanger onbekend',
      '550 Het e-mailadres bestaat niet',
      '550 Postbus niet gevonden',
      '550 Ongeldig adres',
    ],
  },
  {
    class: 'hard',
    reason: 'unknown, in Japanese',
    words:
      /(?:宛先|あて先|受信者|ユーザー?|アドレス|アカウント|メールボックス|利用者)[^。]{0,30}(?:不明|存在しない|存在しませ|存在いたしませ|見つかりませ|見つからな|正しくありませ|無効|登録されていませ|ありませ|停止|削除)|(?:不明な|無効な|存在しない)(?:宛先|あて先|受信者|ユーザー?|メールアドレス|アドレス)/,
    said: ['550 宛先のメールアドレスが存在しません', '550 ユーザーが見つかりません', '550 宛先不明', '550 無効なメールアドレス'],
  },
];

import { machineReason } from '../../../../src/sending/tracking/machine';

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';

const by = (userAgent: string | undefined, more: Record<string, string> = {}) => ({
  method: 'GET',
  headers: { 'user-agent': userAgent, ...more },
});

describe.each(['open', 'click'] as const)('an %s', (kind) => {
  test('by a browser is a person’s', () => {
    expect(machineReason(kind, by(BROWSER))).toBeNull();
  });

  test('by HEAD is a machine’s', () => {
    expect(machineReason(kind, { ...by(BROWSER), method: 'HEAD' })).toBe('head');
  });

  test.each([
    ['purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['x-moz', 'prefetch'],
  ])('ahead of time is a machine’s: %s', (name, value) => {
    expect(machineReason(kind, by(BROWSER, { [name]: value }))).toBe(name);
  });

  test.each([
    [undefined, 'no-user-agent'],
    ['', 'no-user-agent'],
    ['  ', 'no-user-agent'],
    ['Mozilla/5.0', 'bare-user-agent'],
  ])('by an unnamed agent is a machine’s: %j', (userAgent, reason) => {
    expect(machineReason(kind, by(userAgent))).toBe(reason);
  });

  test.each([
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
    'Mozilla/5.0 (compatible; YandexMailImageProxy)',
    'Mozilla/5.0 (X11; Linux x86_64; rv:102.0) Gecko/20100101 Thunderbird/102.15.0',
    'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.12026; Pro)',
    'Microsoft Outlook 15.0',
    'Outlook-Android/2.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Mail/3654.120.0.1.13 CFNetwork/1240.0.4 Darwin/20.6.0',
    'Apple Mail (2.3654.60.0.2.21)',
    'K-9 Mail/6.0',
    'Evolution/3.36',
    'eM Client/9.0',
    'Claws Mail',
    'YahooMobileMail/1.0 (Android Mail; 1.3.10)',
    'SamsungEmail',
    'ProtonMail/1.0',
  ])('by an image proxy or a mail app is a person’s: %s', (userAgent) => {
    expect(machineReason(kind, by(userAgent))).toBeNull();
  });
});

describe.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0) Chrome/116.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Linux x86_64; Mail.RU_Bot/2.0; +http://go.mail.ru/help/robots)',
  'Barracuda Sentinel (EE)',
  'curl/8.0',
  'python-requests/2.31',
])('a robot: %s', (userAgent) => {
  test('clicks as a machine, while an open is never judged by the agent’s name alone', () => {
    expect(machineReason('click', by(userAgent))).toBe('bot');
    expect(machineReason('open', by(userAgent))).toBeNull();
  });
});

import { hitBy, imageProxyOf, machineReason } from '../../../../src/sending/tracking/machine';
import type { HitKind } from '../../../../src/sending/tracking/machine';

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
    'Mobile Mail',
    'Newton Mail/10',
    'Canary Mail/3.0',
    'The Bat! 9.1',
    'Zimbra 8.8',
    'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Trident/7.0; Microsoft Outlook 16.0.5056; ms-office; MSOffice 16)',
    'Mozilla/5.0 (Linux; Android 13; SM-G991B) com.google.android.gm',
    'Mozilla/5.0 (Linux; Android 5.1; CUBOT NOTE S Build/LMY47I) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/55.0.2883.91 Mobile Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 250.0.0.21.109 (iPhone13,2)',
    'Mozilla/5.0 (Linux; Android 12; SM-A528B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/105.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/384.0.0.32.71;]',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [LinkedInApp]/9.24.5732',
    'Mozilla/5.0 (Linux; U; Android 11; en-US; RMX2020) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0 UCBrowser/13.4.0.1306 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; Android 12; SM-G998B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/18.0 Chrome/99.0 Mobile Safari/537.36',
  ])('by a mail app, or by a browser within an app, is a person’s: %s', (userAgent) => {
    expect(machineReason(kind, by(userAgent))).toBeNull();
  });
});

test.each([
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  'Mozilla/5.0 (compatible; YandexMailImageProxy)',
])('an image proxy opens for a person, and clicks for nobody: %s', (userAgent) => {
  expect(machineReason('open', by(userAgent))).toBeNull();
  expect(machineReason('click', by(userAgent))).toBe('bot');
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
  'SomeBot/1.0 (bot@gmail.com)',
  'Mozilla/5.0 (compatible; Ezooms/1.0; ezooms.bot@gmail.com)',
  'PhxBot/0.1 (phxbot@protonmail.com)',
  'Spider (contact: team@fastmail.com)',
  'Research crawler for Yahoo Mail users',
  'Outlook-Link-Preview/1.0',
  'Gmail link scanner',
  'Thunderbird/1.0 (+https://crawler.example)',
  'Mozilla/5.0 (Windows; U; Windows NT 5.0; en-US; rv:1.7.10) Gecko/20050716 Thunderbird/1.0.6 - WebCrawler http://bot.example/bot.html',
  'BinaryCanary/1.0 (+https://www.binarycanary.com)',
  'FastmailUA/1.0',
  'Mozilla/5.0 (compatible; ProofPoint)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/117.0.0.0 Safari/537.36 GTmetrix',
  'Mozilla/5.0/Firefox/42.0 - somebody(at)gmail.com',
  'Dart/2.18 (dart:io)',
  'NetNewsWire (RSS Reader; https://netnewswire.com/)',
  'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.0; +https://openai.com/gptbot)',
])('a robot: %s', (userAgent) => {
  test('clicks as a machine, while an open is never judged by the agent’s name alone', () => {
    expect(machineReason('click', by(userAgent))).toBe('bot');
    expect(machineReason('open', by(userAgent))).toBeNull();
  });
});

describe('who opened', () => {
  const judged = (kind: HitKind, userAgent: string, client: string | null = null) => {
    const hit = { kind, userAgent, machine: machineReason(kind, { ...by(userAgent), client }) };
    return [hitBy(hit), imageProxyOf(hit)];
  };

  test.each([
    ['Mozilla/5.0', 'apple'],
    ['Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)', 'google'],
    ['YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html', 'yahoo'],
    ['Mozilla/5.0 (compatible; YandexMailImageProxy)', 'other'],
  ])('is a proxy, and which: %s', (userAgent, proxy) => {
    expect(judged('open', userAgent)).toEqual(['proxy', proxy]);
    expect(judged('click', userAgent)).toEqual(['machine', null]);
  });

  test('is a person in a browser, and a machine without a name', () => {
    expect([judged('open', BROWSER), judged('click', BROWSER), judged('open', '')]).toEqual([
      ['person', null],
      ['person', null],
      ['machine', null],
    ]);
  });

  test.each(['40.93.20.1', '40.107.1.2', '52.103.0.9', '104.47.1.1', '66.249.66.1', '2a01:111:f403::1'])(
    'is a machine in a network of scanners, even one that looks like a browser: %s',
    (client) => {
      expect([judged('open', BROWSER, client), judged('click', BROWSER, client)]).toEqual([
        ['machine', null],
        ['machine', null],
      ]);
    },
  );

  test.each(['203.0.113.9', '2001:db8::1', '127.0.0.1', '', 'unknown'])('is a person elsewhere: %j', (client) => {
    expect(judged('click', BROWSER, client)).toEqual(['person', null]);
  });

  test('is the image proxy of Google also in its own network', () => {
    expect(judged('open', 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)', '66.249.84.1')).toEqual(['proxy', 'google']);
  });
});

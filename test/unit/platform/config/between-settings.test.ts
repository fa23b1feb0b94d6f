import { loadConfig, loadServerConfig } from '../../../../src/platform/config/config';
import { paymentSettings } from '../../../../src/records/payments/provider';

const ALL = {
  PAYMENTS_API_URL: 'https://test.example/',
  PAYMENTS_API_KEY: 'key',
  PAYMENTS_WEBHOOK_SECRET: `whsec_${Buffer.from('secret').toString('base64')}`,
  PAYMENTS_PRODUCT_STARTER: 'pdt_1',
  PAYMENTS_PRODUCT_GROWTH: 'pdt_2',
};
type Name = keyof typeof ALL;

const without = (...names: readonly Name[]) => Object.fromEntries(Object.entries(ALL).filter(([name]) => !names.includes(name as Name)));

describe('the settings of payments', () => {
  test('all of them switch payments on, none of them off, in any environment', () => {
    expect(paymentSettings(loadConfig(ALL))).toEqual({
      url: 'https://test.example',
      key: 'key',
      webhookSecret: ALL.PAYMENTS_WEBHOOK_SECRET,
      products: { starter: 'pdt_1', growth: 'pdt_2' },
    });
    expect(paymentSettings(loadConfig({}))).toBeNull();
    expect(paymentSettings(loadConfig({ PAYMENTS_ENV: 'live_mode' }))).toBeNull();
  });

  test.each(Object.keys(ALL) as Name[])('without %s the start stops with a sentence that names it', (name) => {
    expect(() => loadConfig(without(name))).toThrow(`Bad configuration:\n✖ Payments are set up in part: ${name} is missing`);
  });

  test('several that are missing, empty ones among them, are all named', () => {
    const given = { ...without('PAYMENTS_WEBHOOK_SECRET'), PAYMENTS_API_KEY: '' };
    expect(() => loadConfig(given)).toThrow('in part: PAYMENTS_API_KEY, PAYMENTS_WEBHOOK_SECRET are missing');
  });

  test('one product cannot be two plans', () => {
    expect(() => loadConfig({ ...ALL, PAYMENTS_PRODUCT_GROWTH: 'pdt_1' })).toThrow('must be two products');
  });

  test.each(['whsec_', 'not base64!', 'whsec_abc'])('a secret that cannot sign is refused, and not shown: %s', (secret) => {
    const load = () => loadConfig({ ...ALL, PAYMENTS_WEBHOOK_SECRET: secret });
    expect(load).toThrow(/must be base64[^]*PAYMENTS_WEBHOOK_SECRET/);
    expect(load).not.toThrow(secret);
  });
});

describe('the settings of the OpenID provider', () => {
  const provider = { OIDC_ISSUER: 'https://id.example/app/', OIDC_CLIENT_ID: 'lettermill', OIDC_CLIENT_SECRET: 'secret' };

  test('are taken as they are given, with the roles of the claims', () => {
    const roles = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'cn=mail;ou=x=admin, staff=analyst' };
    expect(loadConfig({ ...provider, ...roles })).toMatchObject({
      ...provider,
      OIDC_LABEL: 'single sign-on',
      OIDC_ROLES: [
        ['cn=mail;ou=x', 'admin'],
        ['staff', 'analyst'],
      ],
    });
    expect(loadConfig({}).OIDC_ISSUER).toBeUndefined();
    expect(loadConfig({ ...provider, OIDC_ISSUER: 'http://127.0.0.1:4000' }).OIDC_ISSUER).toBe('http://127.0.0.1:4000');
  });

  test.each([
    ['OIDC_ISSUER needs OIDC_CLIENT_ID', { OIDC_CLIENT_ID: '' }],
    ['OIDC_ISSUER needs OIDC_CLIENT_SECRET', { OIDC_CLIENT_SECRET: '' }],
    ['OIDC_CLIENT_ID needs OIDC_ISSUER', { OIDC_ISSUER: '' }],
    ['OIDC_ROLES needs OIDC_ROLE_CLAIM', { OIDC_ROLES: 'a=admin' }],
    ['OIDC_ROLE_CLAIM needs OIDC_ROLES', { OIDC_ROLE_CLAIM: 'groups' }],
    ['OIDC_ISSUER must be https://, except on this machine', { OIDC_ISSUER: 'http://id.example' }],
    ['OIDC_SCOPES must contain openid', { OIDC_SCOPES: 'email' }],
    [
      'must be value=role,... with the roles owner, admin, marketer, analyst, approver; not a=boss',
      { OIDC_ROLE_CLAIM: 'g', OIDC_ROLES: 'a=boss' },
    ],
    ['must be one of owner, admin, marketer, analyst, approver', { OIDC_DEFAULT_ROLE: 'boss' }],
    ['must be the id of a project', { OIDC_PROJECT: 'Default' }],
  ])('%s', (fault, given) => {
    expect(() => loadConfig({ ...provider, ...given })).toThrow(fault);
  });
});

test('all faults between settings are named at once', () => {
  const given = {
    NODE_ENV: 'production',
    DEV_VERIFIED_DOMAINS: 'a.test',
    PAYMENTS_API_KEY: 'key',
    TEMPORAL_TLS: 'true',
    INBOUND_TLS_KEY: 'k',
  };
  const faults = ['DEV_VERIFIED_DOMAINS is refused', 'Payments are set up in part', 'TEMPORAL_TLS needs', 'INBOUND_TLS_KEY needs'];
  for (const fault of faults) expect(() => loadConfig(given)).toThrow(fault);
});

test.each(['SUBMISSION_PORT', 'SUBMISSION_TLS_PORT'])('%s needs a certificate, its own or that of inbound mail', (name) => {
  expect(() => loadServerConfig({ [name]: '587' })).toThrow(`${name} needs SUBMISSION_TLS_CERT and SUBMISSION_TLS_KEY`);
  expect(() => loadConfig({ [name]: '587', SUBMISSION_TLS_CERT: 'c' })).toThrow('SUBMISSION_TLS_CERT needs SUBMISSION_TLS_KEY');
  for (const certificate of [
    { SUBMISSION_TLS_CERT: 'c', SUBMISSION_TLS_KEY: 'k' },
    { INBOUND_TLS_CERT: 'c', INBOUND_TLS_KEY: 'k' },
    { INBOUND_TLS_SELF_SIGNED: 'true' },
  ]) {
    expect(loadConfig({ [name]: '587', ...certificate })).toMatchObject({ [name]: 587 });
  }
});

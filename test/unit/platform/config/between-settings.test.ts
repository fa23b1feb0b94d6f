import { loadConfig, loadServerConfig } from '../../../../src/platform/config/config';
import { paymentSettings } from '../../../../src/records/payments/settings';

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

import { footerBrandOf, inkOn } from '../../../src/rules/brand';
import { maskedAddress } from '../../../src/rules/masked-address';
import { textIn } from '../../../src/rules/languages';

test.each([
  ['#ffffff', '#000'],
  ['#ffdd00', '#000'],
  ['#000000', '#fff'],
  ['#1b4fbd', '#fff'],
  ['#1a7f5a', '#fff'],
])('on %s the text of a button is %s', (color, ink) => {
  expect(inkOn(color)).toBe(ink);
});

test('the footer names what the brand has of name and address, and nothing where it has neither', () => {
  expect(footerBrandOf({ name: 'Acme' })).toEqual({ name: 'Acme', address: null });
  expect(footerBrandOf({ color: '#000000' })).toBeNull();
  expect(footerBrandOf()).toBeNull();
});

test.each([
  ['ada@example.com', 'a•••@example.com'],
  ['a@example.com', 'a•••@example.com'],
  ['"a@b"@example.com', '"•••@example.com'],
])('%s is named in part as %s', (address, masked) => {
  expect(maskedAddress(address)).toBe(masked);
});

test.each([
  [['de-AT', 'en'], 'Österreich'],
  [['de-CH'], 'Deutsch'],
  [['fr', 'de'], 'Deutsch'],
  [['ja'], null],
])('in %j a text is %s', (tags, text) => {
  expect(textIn({ de: 'Deutsch', 'de-AT': 'Österreich' }, tags)).toBe(text);
});

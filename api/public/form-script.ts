import { createHash } from 'node:crypto';
import { PROOF_BITS } from '../../src/rules/form-limits';

/**
 * Solves the proof of work of a form in the browser, without a library: looks for a number that makes the SHA-256 (FIPS 180-4) of the challenge begin with
 * zeros, in pieces, so that the page stays alive.
 */
export const FORM_SCRIPT = `
(function () {
  var form = document.querySelector('form'), button = form.querySelector('button'), K = [], H = [], done = false;
  function fraction(x) { return ((x - Math.floor(x)) * 4294967296) | 0; }
  for (var n = 2; K.length < 64; n++) {
    var prime = true;
    for (var d = 2; d * d <= n; d++) if (n % d === 0) { prime = false; break; }
    if (prime) { if (H.length < 8) H.push(fraction(Math.sqrt(n))); K.push(fraction(Math.cbrt(n))); }
  }
  function first(text) {
    var l = text.length, words = [], w = [], h = H.slice(), i, j;
    for (i = 0; i < ((l + 8 >> 6) + 1) * 16; i++) words[i] = 0;
    for (i = 0; i < l; i++) words[i >> 2] |= text.charCodeAt(i) << (24 - (i % 4) * 8);
    words[l >> 2] |= 0x80 << (24 - (l % 4) * 8);
    words[words.length - 1] = l * 8;
    function rot(x, by) { return (x >>> by) | (x << (32 - by)); }
    for (j = 0; j < words.length; j += 16) {
      var a = h.slice();
      for (i = 0; i < 64; i++) {
        if (i < 16) w[i] = words[j + i];
        else {
          var x = w[i - 15], y = w[i - 2];
          w[i] = (w[i - 16] + (rot(x, 7) ^ rot(x, 18) ^ (x >>> 3)) + w[i - 7] + (rot(y, 17) ^ rot(y, 19) ^ (y >>> 10))) | 0;
        }
        var t1 = (a[7] + (rot(a[4], 6) ^ rot(a[4], 11) ^ rot(a[4], 25)) + ((a[4] & a[5]) ^ (~a[4] & a[6])) + K[i] + w[i]) | 0;
        var t2 = ((rot(a[0], 2) ^ rot(a[0], 13) ^ rot(a[0], 22)) + ((a[0] & a[1]) ^ (a[0] & a[2]) ^ (a[1] & a[2]))) | 0;
        a = [(t1 + t2) | 0, a[0], a[1], a[2], (a[3] + t1) | 0, a[4], a[5], a[6]];
      }
      for (i = 0; i < 8; i++) h[i] = (h[i] + a[i]) | 0;
    }
    return h[0];
  }
  form.addEventListener('submit', function (event) {
    if (done) return;
    event.preventDefault();
    button.disabled = true;
    button.textContent = button.getAttribute('data-working');
    var challenge = form.elements.challenge.value, number = 0;
    (function some() {
      for (var until = number + 2000; number < until; number++) {
        if (first(challenge + ':' + number) >>> ${32 - PROOF_BITS} === 0) {
          form.elements.proof.value = String(number);
          done = true;
          return form.submit();
        }
      }
      setTimeout(some, 0);
    })();
  });
})();
`;

/** The hash of the only script that the page of a form may run. */
export const FORM_SCRIPT_HASH = createHash('sha256').update(FORM_SCRIPT).digest('base64');

/** Runs in the page, or in the page around it, where anything of it is taken for markup or a link. */
const RUN = 'top.ran=1;parent.ran=1;window.ran=1';

/** A text that shows itself where it is shown as text. */
export const PLANTED = /Planted <img/;
export const TEXT = `Planted <img src=x onerror="${RUN}"><script>${RUN}</script> javascript:${RUN}`;
/** As a name, of which two hundred characters are taken. */
export const NAME = TEXT.slice(0, 190);
export const LINK = `javascript:${RUN}`;

/** As the name of a file, which has no slashes. */
export const FILE = `Planted <img src=x onerror="${RUN}">.txt`;

export const HTML = `<html><head><style>#marked{color:rgb(12,34,56)}</style></head><body onload="${RUN}">
<h1 id="marked">Hello Ada</h1><p>Your order is on its way.</p>
<img src=x onerror="${RUN}"><script>${RUN}</script><a href="javascript:${RUN}">a link</a>
<a href="https://example.com/?q=&lt;img src=x onerror=&quot;${RUN}&quot;&gt;">the shop</a>
<form action="javascript:${RUN}"><button>b</button></form><iframe srcdoc="<script>${RUN}</script>"></iframe></body></html>`;

/** A message of a small shop. */
export const letter = (text: string): string =>
  `<html><body style="margin:0;font:16px/1.5 sans-serif;background:#f4f1ea"><div style="max-width:520px;margin:24px auto;padding:32px;background:#fff">
<h1 style="color:#1d5f56">Paper &amp; Quill</h1><p>${text}</p><p><a href="https://example.com/" style="color:#1d5f56">See your order</a></p></div></body></html>`;

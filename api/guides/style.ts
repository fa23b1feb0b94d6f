/** Styles of the guides and of the page at `/`. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --back: #fff; --quiet: #59636e; --line: #d1d9e0; --code: #f4f5f7; --link: #1b4fbd; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8eb; --back: #121417; --quiet: #9198a1; --line: #3d444d; --code: #1c1f24; --link: #7aa2ff; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--text); background: var(--back); }
a { color: var(--link); }
header { padding: 14px 24px; border-bottom: 1px solid var(--line); display: flex; gap: 24px; flex-wrap: wrap; }
header strong a { color: inherit; text-decoration: none; }
.columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 76rem; margin: 0 auto; }
nav { padding: 24px; font-size: 0.94rem; }
nav h2 { font-size: 0.8rem; text-transform: uppercase; letter-spacing: 0.06em; color: var(--quiet); margin: 20px 0 6px; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { padding: 2px 0; }
nav a { text-decoration: none; }
nav a[aria-current] { font-weight: 700; color: inherit; }
main { padding: 8px 24px 80px; min-width: 0; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 2.2em; padding-bottom: 0.25em; border-bottom: 1px solid var(--line); }
pre { background: var(--code); padding: 14px 16px; border-radius: 8px; overflow-x: auto; font-size: 0.86rem; line-height: 1.5; }
pre[data-language]::before { content: attr(data-language); display: block; color: var(--quiet); font-size: 0.75rem; margin-bottom: 6px; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
:not(pre) > code { background: var(--code); padding: 1px 5px; border-radius: 4px; font-size: 0.88em; }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: 0.92rem; }
th, td { border: 1px solid var(--line); padding: 6px 10px; text-align: left; vertical-align: top; }
.number { text-align: right; }
.landing { max-width: 44rem; margin: 8vh auto; }
.landing li { margin: 10px 0; }
@media (max-width: 50rem) { .columns { grid-template-columns: minmax(0, 1fr); } nav { border-bottom: 1px solid var(--line); } }
`;

/** Style of an exported page, with the dashboard's colors; it loads nothing. */
export const htmlStyle = `
:root { color-scheme: light dark; --line: light-dark(#e5e5e5, #2e2e32); --quiet: light-dark(#666, #a1a1a6);
  --surface: light-dark(#f7f7f7, #1b1b1e); --failed: light-dark(#b42318, #f97066); }
* { box-sizing: border-box; }
body { margin: 0; padding: 24px 16px 64px; background: light-dark(#fff, #111113); color: light-dark(#171717, #ededef);
  font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 920px; margin: 0 auto; }
h1 { font-size: 22px; line-height: 1.3; margin: 0 0 16px; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 32px 0 12px; }
h3 { display: inline; font-size: 15px; margin: 0; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 8px 16px; margin: 0; }
dl div { min-width: 0; }
dt { color: var(--quiet); font-size: 13px; }
dd { margin: 0; overflow-wrap: anywhere; }
article { border-top: 1px solid var(--line); padding: 12px 0; content-visibility: auto; contain-intrinsic-size: auto 160px; }
article.failed { border-left: 3px solid var(--failed); padding-left: 12px; }
article.failed h3 { color: var(--failed); }
article:target { background: var(--surface); }
header { margin-bottom: 8px; overflow-wrap: anywhere; }
header a, time, .label, small, header span { color: var(--quiet); font-size: 13px; font-variant-numeric: tabular-nums; }
header a { text-decoration: none; }
header a:hover, header a:focus-visible { text-decoration: underline; }
code, pre { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.label { margin: 8px 0 4px; overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; border-radius: 6px; }
.prose { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 8px; }
pre { margin: 0 0 8px; padding: 8px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--surface);
  white-space: pre-wrap; overflow-wrap: anywhere; }
details { margin: 0 0 8px; }
summary { cursor: pointer; padding: 4px 0; }
ins, del { text-decoration: none; }
ins { color: light-dark(#15703a, #4cc38a); }
del { color: light-dark(#b42318, #f97066); }
@media print { article { content-visibility: visible; } }
`;

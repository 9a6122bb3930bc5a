export const style = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#fafaf9, #0d0e11); --surface: light-dark(#fff, #15171a); --sunken: light-dark(#f3f2f0, #08090c);
  --picked: light-dark(#efeeeb, #24272c); --line: light-dark(#e6e6e3, #26282c); --edge: light-dark(#d0d0cc, #3a3d42);
  --text-1: light-dark(#171b20, #e6e8ea); --text-2: light-dark(#4f5359, #a7abb1); --text-3: light-dark(#676b72, #8b9097);
  --accent: light-dark(#017272, #5ecbcb);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--bg); color: var(--text-1); font: 16px/1.6 system-ui, sans-serif; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .18em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -100vw; top: .5rem; padding: .5rem 1rem; background: var(--surface); z-index: 2; }
.skip:focus { left: 1rem; }
.top { position: sticky; top: 0; z-index: 1; background: var(--surface); border-bottom: 1px solid var(--line);
  display: flex; align-items: center; gap: 0 1.25rem; min-height: 3.5rem; padding: 0 1.5rem; font-size: .9375rem; }
.top a { color: var(--text-2); text-decoration: none; padding: .25rem 0; }
.top a:hover, .top a[aria-current] { color: var(--text-1); }
.top .brand { display: flex; align-items: center; gap: .6rem; font-weight: 600; color: var(--text-1); margin-right: auto; }
.top svg { display: block; fill: var(--accent); }
.frame { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 88rem; margin: 0 auto; }
.pages { padding: .75rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--surface); font-size: .9375rem; }
.pages > details > summary { font-weight: 600; padding: .25rem 0; }
.pages summary, .toc summary { cursor: pointer; }
.pages h2, .pages details details > summary { font-size: .75rem; line-height: 1.4; font-weight: 600; color: var(--text-3); margin: 1.25rem 0 .25rem; }
.pages ul, .toc ul { list-style: none; margin: 0; padding: 0; }
.pages li a { display: block; padding: .25rem .625rem; margin: 0 -.625rem; border-radius: 6px; color: var(--text-2); text-decoration: none; line-height: 1.4; }
.pages li a:hover { color: var(--text-1); background: var(--picked); }
.pages li a[aria-current] { color: var(--text-1); background: var(--picked); font-weight: 600; }
main { padding: 1.5rem 1.5rem 4rem; min-width: 0; }
article > :not(pre, .table), main > h1 { max-width: 43rem; }
h1, h2, h3, h4 { line-height: 1.25; font-weight: 600; text-wrap: balance; }
h1 { font-size: 1.875rem; letter-spacing: -.015em; margin: 0 0 1rem; }
main h2 { font-size: 1.3125rem; letter-spacing: -.01em; margin: 2.75rem 0 .75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
main h3 { font-size: 1.0625rem; margin: 2rem 0 .5rem; }
main p, main li { overflow-wrap: break-word; }
main p, main ul, main ol { margin: 0 0 1rem; }
main li { margin-bottom: .375rem; }
main ul, main ol { padding-left: 1.4rem; }
main li::marker { color: var(--text-3); }
.anchor { color: var(--text-3); text-decoration: none; opacity: 0; font-weight: 400; }
:is(h2, h3, h4):hover > .anchor, .anchor:focus-visible { opacity: 1; }
code { font: .875em/1.5 var(--mono); background: var(--sunken); border-radius: 3px; padding: .1em .3em; overflow-wrap: anywhere; }
pre { font: .8125rem/1.6 var(--mono); margin: 0 0 1.25rem; padding: .875rem 1rem; overflow: auto; background: var(--sunken); border: 1px solid var(--line); border-radius: 6px; }
pre code { font: inherit; background: none; padding: 0; overflow-wrap: normal; }
pre .out { color: var(--text-2); white-space: pre-wrap; overflow-wrap: anywhere; }
.table { overflow: auto; margin: 0 0 1.25rem; }
table { border-collapse: collapse; min-width: 100%; font-size: .9375rem; line-height: 1.5; }
th { text-align: left; font-weight: 600; font-size: .8125rem; color: var(--text-3); }
th, td { padding: .5rem 1rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; min-width: 7rem; }
td code { overflow-wrap: normal; }
.right { text-align: right; }
.center { text-align: center; }
img { max-width: 100%; height: auto; background: #fff; border: 1px solid var(--line); border-radius: 6px; }
blockquote { margin: 0 0 1rem; padding: 0 0 0 1rem; border-left: 3px solid var(--edge); color: var(--text-2); }
.lead { color: var(--text-2); font-size: 1.0625rem; max-width: 40rem; }
.toc { font-size: .875rem; margin: 0 0 1.5rem; }
.toc summary { color: var(--text-2); }
.toc li { margin: 0; }
.toc a { display: block; padding: .1875rem 0; color: var(--text-2); text-decoration: none; line-height: 1.4; }
.toc a:hover { color: var(--text-1); text-decoration: underline; }
.toc .sub a { padding-left: .875rem; }
.cards { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 0 2.5rem; }
.cards li { margin: 0; padding: .625rem 0; }
.cards a { font-weight: 600; text-decoration: none; }
.cards a:hover { text-decoration: underline; }
main.wide h2 { font-size: 1.125rem; margin: 1.5rem 0 .25rem; }
.cards p { margin: .125rem 0 0; color: var(--text-2); font-size: .9375rem; line-height: 1.5; }
.foot { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .875rem; color: var(--text-3); }
@media (max-width: 30rem) {
  .top, .pages, main { padding-left: 1rem; padding-right: 1rem; }
  .top { gap: 0 1rem; }
  h1 { font-size: 1.625rem; }
  .anchor { display: none; }
}
@media (min-width: 60rem) {
  .frame { grid-template-columns: 15.5rem minmax(0, 1fr); }
  .pages { position: sticky; top: 3.5rem; height: calc(100vh - 3.5rem); overflow: auto; border: 0; background: none; padding: 0 1.5rem 2rem; font-size: .875rem; scrollbar-width: thin; }
  main { padding: 2.25rem 3rem 5rem; }
  /* Browsers without this selector show a button that opens the list. */
  @supports selector(details::details-content) {
    .pages > details > summary { display: none; }
    .pages > details::details-content { content-visibility: visible; block-size: auto; }
  }
}
@media (min-width: 80rem) {
  .with-toc { display: grid; grid-template-columns: minmax(0, 1fr) 12.5rem; gap: 0 3rem; }
  .with-toc > * { grid-column: 1; min-width: 0; }
  .with-toc > .toc { grid-column: 2; grid-row: 1 / span 3; align-self: start; position: sticky; top: 5.75rem; max-height: calc(100vh - 7rem); overflow: auto; }
  @supports selector(details::details-content) {
    .toc summary { list-style: none; cursor: default; font-size: .75rem; font-weight: 600; color: var(--text-3); pointer-events: none; }
    .toc summary::-webkit-details-marker { display: none; }
    .toc details::details-content { content-visibility: visible; block-size: auto; }
  }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print { .top, .pages, .toc, .anchor { display: none; } }
`

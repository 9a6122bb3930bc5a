import { hash } from 'node:crypto'
import { escapeHtml } from '../platform/http/escape-html.ts'
import type { Documentation, GuidePage, PageGroup } from './documentation.ts'
import { type Heading, renderMarkdown } from './markdown.ts'
import { style } from './style.ts'

/** Lets browsers load only the page's style and this server's pictures, and run no script. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The HTML document of a guide. */
export function pageOf(library: Documentation, page: GuidePage): string {
  const { title, body, headings } = renderMarkdown(page.text, (link) => library.resolve(page.file, link))
  const source = `<p class="foot"><a href="${page.path}.md">This page as Markdown</a></p>`
  // A list helps only if there are more than two sections.
  const toc = headings.length > 2 ? listSections(headings) : ''
  const main = `<h1>${title}</h1>\n${toc}\n<article>${body}${source}</article>`
  return layout(library, page, page.title, page.summary, toc === '' ? '' : 'with-toc', main)
}

/** The HTML document that lists all guides. */
export function indexOf(library: Documentation, page: GuidePage): string {
  const lead = 'Guides take you through one task. The reference has every detail, and explanations say why.'
  const cards = library.groups
    .filter(({ pages }) => pages.length > 0)
    .map(({ title, pages }) => {
      const items = pages.map(
        ({ path, title, summary }) =>
          `<li><a href="${path}">${escapeHtml(title)}</a><p>${escapeHtml(summary)}</p></li>`,
      )
      return `<h2>${escapeHtml(title)}</h2>\n<ul class="cards">${items.join('\n')}</ul>`
    })
  const main = `<h1>Guides</h1>\n<p class="lead">${lead}</p>\n${cards.join('\n')}`
  return layout(library, page, 'Guides', lead, 'wide', main)
}

/** Returns the page for an address without a page. */
export function missingPage(library: Documentation, nearest: GuidePage | undefined): string {
  const hint = nearest && `<p>Did you mean <a href="${nearest.path}">${escapeHtml(nearest.title)}</a>?</p>`
  const main = `<h1>No such page</h1>\n${hint ?? ''}\n<p><a href="/guides">All pages</a></p>`
  return layout(library, null, 'No such page', 'There is no such page.', '', main)
}

function listSections(headings: Heading[]): string {
  const items = headings
    .filter(({ depth }) => depth <= 3)
    .map(({ depth, id, html }) => `<li${depth > 2 ? ' class="sub"' : ''}><a href="#${id}">${html}</a></li>`)
  return `<nav class="toc" aria-label="On this page"><details><summary>On this page</summary><ul>${items.join('')}</ul></details></nav>`
}

/** Returns the list of all pages. The guides are always visible; another folder is open if it has the current page. */
function navigation(groups: PageGroup[], current: GuidePage | null): string {
  const items = (pages: GuidePage[]) =>
    pages
      .map((page) => {
        const mark = page === current ? ' aria-current="page"' : ''
        return `<li><a href="${page.path}"${mark}>${escapeHtml(page.title)}</a></li>`
      })
      .join('')
  const lists = groups
    .filter(({ pages }) => pages.length > 0)
    .map(({ title, pages }) => {
      if (pages.every(({ file }) => file.startsWith('docs/guides/')))
        return `<h2>${escapeHtml(title)}</h2><ul>${items(pages)}</ul>`
      const open = current && pages.includes(current) ? ' open' : ''
      return `<details${open}><summary>${escapeHtml(title)}</summary><ul>${items(pages)}</ul></details>`
    })
  // Make the list focusable: the keyboard scrolls only a focused element.
  return `<nav class="pages" aria-label="All pages" tabindex="0"><details><summary>All pages</summary>${lists.join('\n')}</details></nav>`
}

const icon = (fill: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="16" height="16"${fill}><path d="M2 1h3v14H2zm4.5 0h3v14h-3zM11 1h3v14h-3z"/></svg>`
const favicon = `data:image/svg+xml,${encodeURIComponent(icon(' fill="#677"'))}`

function layout(
  { groups }: Documentation,
  current: GuidePage | null,
  title: string,
  description: string,
  kind: string,
  main: string,
): string {
  const isIndex = current?.path === '/guides' ? ' aria-current="page"' : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Crosswalk</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="${favicon}">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="/guides">${icon(' aria-hidden="true"')}Crosswalk</a>
<a href="/guides"${isIndex}>Guides</a>
<a href="/docs">API reference</a>
</header>
<div class="frame">
${navigation(groups, current)}
<main id="main" tabindex="-1" class="${kind}">
${main}
</main>
</div>
</body>
</html>
`
}

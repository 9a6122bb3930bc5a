import { Marked, type RendererObject, type Tokens } from 'marked'
import { escapeHtml } from '../platform/http/escape-html.ts'

export type Heading = { depth: number; id: string; html: string }

/** A page as HTML: its title, the HTML below it, and its sections. */
export type Rendered = { title: string; body: string; headings: Heading[] }

/**
 * Renders Markdown. HTML tags become text.
 * @param resolve returns the address of a link; null makes it plain text
 */
export function renderMarkdown(text: string, resolve: (link: string) => string | null): Rendered {
  let title = ''
  const headings: Heading[] = []
  const ids = new Map<string, number>()

  const renderer: RendererObject = {
    heading({ tokens, depth, text }) {
      const html = this.parser.parseInline(tokens)
      if (depth === 1) {
        title = html
        return ''
      }
      const id = uniqueId(text, ids)
      headings.push({ depth, id, html: html.replaceAll(/<\/?a\b[^>]*>/g, '') })
      return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`
    },
    link({ href, tokens }) {
      const html = this.parser.parseInline(tokens)
      const address = resolve(href)
      return address === null ? html : `<a href="${escapeHtml(address)}">${html}</a>`
    },
    image({ href, text }) {
      const address = resolve(href)
      return address === null
        ? escapeHtml(text)
        : `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}">`
    },
    code({ text, lang = '' }) {
      const html = lang === 'console' ? session(text) : escapeHtml(text)
      const name = lang === '' ? 'Code' : `Code: ${escapeHtml(lang)}`
      // Make it focusable: the keyboard can scroll only what has the focus.
      return `<pre tabindex="0" role="group" aria-label="${name}"><code>${html}</code></pre>\n`
    },
    table({ header, rows }) {
      const row = (tag: string, cells: Tokens.TableCell[]) =>
        `<tr>${cells.map(({ tokens, align }) => cell(tag, align, this.parser.parseInline(tokens))).join('')}</tr>`
      const body = rows.map((cells) => row('td', cells)).join('\n')
      return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n<thead>${row('th', header)}</thead>\n<tbody>\n${body}\n</tbody></table></div>\n`
    },
    html: ({ text }) => escapeHtml(text),
  }
  const body = new Marked({ renderer }).parse(text, { async: false })
  return { title, body, headings }
}

/** An empty header cell becomes a `td`, because a screen reader would announce a `th`. */
function cell(tag: string, align: string | null, html: string): string {
  const name = html === '' ? 'td' : tag
  return `<${name}${align ? ` class="${align}"` : ''}>${html}</${name}>`
}

/** Commands and their output. A line with `$` begins a command; indented lines continue it. */
function session(text: string): string {
  return text
    .split(/^(\$ .*(?:\n .*)*)/m)
    .map((part, at) =>
      at % 2 === 1 || part === '' ? escapeHtml(part) : `<span class="out">${escapeHtml(part)}</span>`,
    )
    .join('')
}

/** Returns the id of a heading as on GitHub, so that links work in both places. */
function uniqueId(text: string, ids: Map<string, number>): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  const used = ids.get(id) ?? 0
  ids.set(id, used + 1)
  return used === 0 ? id : `${id}-${used}`
}

import { hash } from 'node:crypto'
import { nearestName } from '../platform/nearest-name.ts'
import { contentSecurityPolicy, indexOf, missingPage, pageOf } from './layout.ts'
import { type Library, openLibrary, type Page } from './library.ts'
import { llmsText } from './llms.ts'

export type Answer = { headers: Record<string, string>; body: string | Buffer }

export type Guides = {
  /** The answer for an address; null if it has none. Each answer is made once. */
  find(path: string): Answer | null
  /** What to say about an address without an answer: in a sentence, and as a page. */
  miss(path: string): { detail: string; answer: Answer }
}

const html = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
}

/** Reads the documentation. */
export async function openGuides(): Promise<Guides> {
  const library = await openLibrary()
  const made = new Map<string, Answer | null>()
  return {
    find(path) {
      const known = made.get(path)
      if (known) return known
      const answer = makeAnswer(library, path)
      // Addresses without an answer are not stored: there is no limit to their number.
      if (answer) made.set(path, answer)
      return answer
    },
    miss(path) {
      const nearest = nearestPage(library, path)
      const detail = `The guides have no such page. ${nearest ? `The nearest page is ${nearest.path}; ` : ''}/guides lists all pages.`
      return { detail, answer: { headers: html, body: missingPage(library, nearest) } }
    },
  }
}

function makeAnswer(library: Library, path: string): Answer | null {
  const picture = library.pictures.get(path)
  if (picture) return withTag({ 'content-type': 'image/png' }, picture)
  if (path === '/llms.txt') return withTag({ 'content-type': 'text/plain; charset=utf-8' }, llmsText(library))
  for (const page of library.pages) {
    if (path === page.path)
      return withTag(html, path === '/guides' ? indexOf(library, page) : pageOf(library, page))
    if (path === `${page.path}.md`)
      return withTag({ 'content-type': 'text/markdown; charset=utf-8' }, markdownOf(library, page))
  }
  return null
}

const withTag = (headers: Record<string, string>, body: string | Buffer): Answer => ({
  headers: { ...headers, 'cache-control': 'no-cache', etag: `"${hash('sha256', body).slice(0, 32)}"` },
  body,
})

/** The source of a page. Its links lead to the Markdown of other pages. */
function markdownOf({ resolve, pages }: Library, { file, text }: Page): string {
  return text.replaceAll(/\]\(([^)\s]+)\)/g, (whole, link: string) => {
    const address = resolve(file, link)
    if (address === null) return whole
    const page = pages.find(({ path }) => path === address.replace(/#.*/, ''))
    return `](${page ? address.replace(page.path, `${page.path}.md`) : address})`
  })
}

/** The page whose name is nearest to that of `path`. */
function nearestPage({ pages }: Library, path: string): Page | undefined {
  const nameOf = (address: string) => address.slice(address.lastIndexOf('/') + 1)
  const names = new Map(pages.map((page) => [nameOf(page.path), page]))
  const nearest = nearestName(nameOf(path.replace(/\.\w+$/, '')), [...names.keys()])
  return nearest === undefined ? undefined : names.get(nearest)
}

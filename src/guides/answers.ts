import { PublicDocument } from '../platform/http/public-document.ts'
import { nearestName } from '../platform/nearest-name.ts'
import { type Documentation, type GuidePage, openDocumentation } from './documentation.ts'
import { contentSecurityPolicy, indexOf, missingPage, pageOf } from './layout.ts'
import { llmsText } from './llms.ts'

export type Guides = {
  /** Returns null if no page has this address. Answers are cached. */
  find(path: string): PublicDocument | null
  /** The error text for an unknown address, as text and as a page. */
  miss(path: string): { detail: string; answer: PublicDocument }
}

const html = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
}

/** Reads all guides. Each page is rendered at its first request, and then kept. */
export async function openGuides(): Promise<Guides> {
  const library = await openDocumentation()
  const made = new Map<string, PublicDocument>()
  return {
    find(path) {
      const known = made.get(path)
      if (known) return known
      const answer = makeAnswer(library, path)
      // Do not cache misses: their number has no limit.
      if (answer) made.set(path, answer)
      return answer
    },
    miss(path) {
      const nearest = nearestPage(library, path)
      const detail = `The guides have no such page. ${nearest ? `The nearest page is ${nearest.path}; ` : ''}/guides lists all pages.`
      return { detail, answer: new PublicDocument(html, missingPage(library, nearest)) }
    },
  }
}

function makeAnswer(library: Documentation, path: string): PublicDocument | null {
  const picture = library.pictures.get(path)
  if (picture) return new PublicDocument({ 'content-type': 'image/png' }, picture)
  if (path === '/llms.txt')
    return new PublicDocument({ 'content-type': 'text/plain; charset=utf-8' }, llmsText(library))
  for (const page of library.pages) {
    if (path === page.path)
      return new PublicDocument(html, path === '/guides' ? indexOf(library, page) : pageOf(library, page))
    if (path === `${page.path}.md`)
      return new PublicDocument({ 'content-type': 'text/markdown; charset=utf-8' }, markdownOf(library, page))
  }
  return null
}

/** Returns the Markdown of a page, with links to the Markdown of other pages. */
function markdownOf({ resolve, pages }: Documentation, { file, text }: GuidePage): string {
  return text.replaceAll(/\]\(([^)\s]+)\)/g, (whole, link: string) => {
    const address = resolve(file, link)
    if (address === null) return whole
    const page = pages.find(({ path }) => path === address.replace(/#.*/, ''))
    return `](${page ? address.replace(page.path, `${page.path}.md`) : address})`
  })
}

function nearestPage({ pages }: Documentation, path: string): GuidePage | undefined {
  const nameOf = (address: string) => address.slice(address.lastIndexOf('/') + 1)
  const names = new Map(pages.map((page) => [nameOf(page.path), page]))
  const nearest = nearestName(nameOf(path.replace(/\.\w+$/, '')), [...names.keys()])
  return nearest === undefined ? undefined : names.get(nearest)
}

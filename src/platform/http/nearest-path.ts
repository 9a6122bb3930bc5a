import { nearestSpelling } from '../nearest-name.ts'
import type { Endpoint } from './endpoint.ts'

const idPattern = /^([0-9a-f]{8}-[0-9a-f-]{27}|\d+)$/i

/** How many paths a hint names at most. */
const named = 5

export type NearestPath = {
  /**
   * Returns a sentence for an address without an endpoint. It names the path with the nearest spelling. Otherwise,
   * it names the only path that ends with the address or is the end of the address (`/v2/contacts`), or else the paths
   * that begin with the address (`/webhooks`).
   */
  hintFor(url: string): string | undefined
  /** Suggests another path for an address whose misspelled step was read as an id, such as `/contacts/exports`. */
  ofMisread(url: string): string | undefined
}

/** Suggests paths of these endpoints. */
export function nearestPath(endpoints: readonly Endpoint[]): NearestPath {
  const paths = new Map(endpoints.map(({ path }) => [comparable(path), path]))
  const known = [...paths.keys()]
  return {
    hintFor(url) {
      const sent = comparable(withoutQuery(url))
      const near = nearestSpelling(sent, known) ?? onlyOneWithEnd(sent, known)
      if (near !== undefined) return `The nearest path is ${paths.get(near)}`
      const below = known.filter((each) => each.startsWith(`${sent}/`)).map((each) => paths.get(each))
      if (below.length === 0 || sent.length < 2) return undefined
      const more = below.length > named ? ' …' : ''
      return `Paths that begin with it: ${below.slice(0, named).join(', ')}${more}`
    },
    ofMisread(url) {
      const sent = comparable(withoutQuery(url))
      const near = paths.has(sent) ? undefined : nearestSpelling(sent, known)
      if (near === undefined) return undefined
      const steps = sent.split('/')
      const isWord = near.split('/').every((step, index) => step === steps[index] || step !== '{}')
      return isWord ? paths.get(near) : undefined
    },
  }
}

const withoutQuery = (url: string) => url.replace(/[?#].*$/s, '')

/** Returns the path with `{}` in place of each id and parameter, and without a slash at the end. */
function comparable(path: string): string {
  const steps = path.replace(/\/$/, '').split('/')
  return steps.map((step) => (step.startsWith('{') || idPattern.test(step) ? '{}' : step)).join('/')
}

function onlyOneWithEnd(sent: string, known: readonly string[]): string | undefined {
  if (sent.length < 4) return undefined
  const longer = known.filter((each) => each.endsWith(sent))
  if (longer.length > 0) return longer.length === 1 ? longer[0] : undefined
  const shorter = known.filter((each) => sent.endsWith(each))
  return shorter.sort((one, other) => other.length - one.length)[0]
}

import { lookup, Resolver } from 'node:dns/promises'

export type FoundAddress = { address: string; family: number }

/** Finds the addresses of a host name, until `signal` fires. @throws an error with a code such as ENOTFOUND */
export type Resolve = (host: string, signal: AbortSignal) => Promise<FoundAddress[]>

/**
 * Looks up a name as the system does, including its hosts file. Node runs only two such lookups at a time, so use it
 * only for names that the operator chose or trusts.
 */
export const resolveAsSystem: Resolve = (host) => lookup(host, { all: true })

const [timeout, tries] = [2_000, 2]
/** The maximum number of addresses of a kind that are used. Anyone can run a name server, and an answer can have 4,000. */
const addressesMax = 16
/** The codes of a lookup whose name does not exist or has no address. */
export const unknownNameCodes: readonly (string | undefined)[] = ['ENOTFOUND', 'ENODATA']

/**
 * Asks the name servers for a public name. Any number of lookups run at once: otherwise a lookup without an answer for
 * one organization would delay the lookups of other organizations.
 * @param servers addresses of name servers; by default the name servers of the system
 */
export const resolvePublic =
  (servers?: readonly string[]): Resolve =>
  async (host, signal) => {
    const resolver = new Resolver({ timeout, tries })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const found = answers.flatMap((answer, index) =>
        answer.status === 'rejected'
          ? []
          : answer.value.slice(0, addressesMax).map((address) => ({ address, family: index === 0 ? 4 : 6 })),
      )
      if (found.length > 0) return found
      const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
      // If one of the two lookups failed for another reason, the name may still exist.
      throw reasons.find(({ code }) => !unknownNameCodes.includes(code)) ?? reasons[0]
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

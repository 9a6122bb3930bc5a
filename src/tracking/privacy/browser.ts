import { readClientAddress } from './client-address.ts'

/** The facts that a browser's request contains besides its events. */
export type Browser = {
  /** The client address, in memory only; null: not known, or a loopback address. */
  address: string | null
  userAgent: string | null
  /** Global Privacy Control: `Sec-GPC: 1`. */
  gpc: boolean
  /** Do Not Track: `DNT: 1`. */
  dnt: boolean
}

/** A server sent the request, so it says nothing about the browser of a user. */
export const noBrowser: Browser = { address: null, userAgent: null, gpc: false, dnt: false }

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What the headers and the address say about a browser and its privacy signals. */
export function readBrowser(headers: Headers, ip: string): Browser {
  const { 'user-agent': userAgent, 'sec-gpc': gpc, dnt } = headers
  return {
    address: readClientAddress(ip),
    userAgent: typeof userAgent === 'string' ? userAgent : null,
    gpc: gpc === '1',
    dnt: dnt === '1',
  }
}

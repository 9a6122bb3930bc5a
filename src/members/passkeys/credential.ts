import { isIP } from 'node:net'
import { invalid } from '../../platform/domain-error.ts'
import type { RequestingBrowser } from '../../platform/http/requesting-browser.ts'
import { membersOf } from '../../platform/members.ts'

/** The site of a passkey. */
export type Site = { host: string; origin: string }

/**
 * The site at which the browser opened the console.
 * @throws DomainError invalid at an IP address: browsers create no passkeys there
 */
export function siteOf({ origin }: RequestingBrowser): Site {
  const { hostname, port, protocol } = new URL(origin)
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0) return { host: hostname, origin }
  const cure =
    protocol === 'http:'
      ? `open the console at http://localhost${port && `:${port}`}`
      : 'open the console at the host name of this installation'
  throw invalid('passkey_needs_host_name', `Browsers create no passkeys for an IP address; ${cure}`)
}

/** The JSON answer of a person's device, still unchecked. */
export type Credential = Record<string, unknown>

/** The members of a credential that Crosswalk needs, as texts; '' for a missing one. */
export type ReadCredential = {
  id: string
  clientDataJSON: string
  attestationObject: string
  authenticatorData: string
  signature: string
  userHandle: string
  transports: string[]
  /** The challenge that the browser signed. */
  challenge: string
  /** Whether a page of another origin embedded the console. */
  isEmbedded: boolean
}

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** Reads a credential; null if its form is wrong. */
export function readCredential(credential: Credential): ReadCredential | null {
  const response = membersOf(credential.response)
  const textIn = (value: unknown) => (typeof value === 'string' ? value : '')
  const clientDataJSON = textIn(response.clientDataJSON)
  let client: Readonly<Record<string, unknown>>
  try {
    client = membersOf(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()))
  } catch {
    return null
  }
  const transports = Array.isArray(response.transports) ? response.transports : []
  return {
    id: textIn(credential.id),
    clientDataJSON,
    attestationObject: textIn(response.attestationObject),
    authenticatorData: textIn(response.authenticatorData),
    signature: textIn(response.signature),
    userHandle: textIn(response.userHandle),
    transports: knownTransports.filter((transport) => transports.includes(transport)),
    challenge: textIn(client.challenge),
    isEmbedded: client.crossOrigin === true,
  }
}

/** The id of a member in the form that authenticators store: base64url. */
export const handleOf = (memberId: string): string =>
  Buffer.from(memberId.replaceAll('-', ''), 'hex').toString('base64url')

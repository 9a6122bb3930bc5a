import { isLoopback } from './clients.ts'

/** The hosts whose client documents prove that the app is what it says. */
const knownHosts: ReadonlySet<string> = new Set([
  'claude.ai',
  'claude.com',
  'chatgpt.com',
  'openai.com',
  'vscode.dev',
  'cursor.com',
  'cursor.sh',
])

export type ClientKind = 'verified' | 'unknown' | 'on_this_computer'

export type ClientIdentity = {
  kind: ClientKind
  /** The host of the client's document; without a document, the host to which the browser returns. */
  host: string
  redirectHost: string
}

/**
 * What proves the name of an app. `verified`: a known host serves the document of the client, and the code goes to that
 * host or to another known one. A code for a program on the person's computer proves nothing: every program there can
 * receive it under any client id (RFC 8252, section 8.6).
 */
export function identify(clientId: string, redirectUri: string): ClientIdentity {
  const redirect = new URL(redirectUri)
  const redirectHost = redirect.host || redirect.protocol
  const document = URL.parse(clientId)
  const host = document?.host ?? redirectHost
  return { kind: kindOf(document, redirect), host, redirectHost }
}

function kindOf(document: URL | null, redirect: URL): ClientKind {
  if (redirect.protocol !== 'https:' || isLoopback(redirect.hostname)) return 'on_this_computer'
  const isKnown = document !== null && knownHosts.has(document.host)
  return isKnown && (redirect.host === document.host || knownHosts.has(redirect.host))
    ? 'verified'
    : 'unknown'
}

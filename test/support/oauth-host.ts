import type { OAuthClientProvider } from '@modelcontextprotocol/client'

/** The data that an AI host keeps about a server between requests. */
export class OauthHost implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadata: { client_name: string; redirect_uris: string[] }
  /** Where the person's browser is sent; null: nowhere yet. */
  sentTo: URL | null = null
  #client: never | undefined
  #tokens: never | undefined
  #verifier = ''
  #discovery: never | undefined

  constructor(name = 'Test host', redirectUrl = 'http://127.0.0.1:33418/callback') {
    this.redirectUrl = redirectUrl
    this.clientMetadata = { client_name: name, redirect_uris: [redirectUrl] }
  }

  clientInformation = () => this.#client
  saveClientInformation = (client: unknown) => {
    this.#client = client as never
  }
  tokens = () => this.#tokens
  saveTokens = (tokens: unknown) => {
    this.#tokens = tokens as never
  }
  redirectToAuthorization = (url: URL) => {
    this.sentTo = url
  }
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  discoveryState = () => this.#discovery
  saveDiscoveryState = (state: unknown) => {
    this.#discovery = state as never
  }
}

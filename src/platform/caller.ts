/** The API key of a request, and the org on which it acts. */
export type Caller = {
  apiKeyId: string
  keyName: string
  /** The org that the key belongs to. */
  keyOrgId: string
  /**
   * The org whose rate limit, room for bodies, long requests and connections the request uses: the key's own, the one that
   * made the sandbox, or the agency that made the key.
   */
  payerOrgId: string
  /** The org that the request acts on: the key's own, or a client of the agency. */
  orgId: string
  mode: 'live' | 'test'
  /** True for an agency-scoped key. */
  isAgencyKey: boolean
  /** `<resource>:<action>` each; null: all. */
  permissions: readonly string[] | null
}

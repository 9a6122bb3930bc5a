/** The API key of a request, and the org on which it acts. */
export type Caller = {
  apiKeyId: string
  keyName: string
  /** The org that the key belongs to. */
  keyOrgId: string
  /**
   * The org whose limits the request uses: rate limit, room for bodies, long requests and connections. It is the key's
   * own org, the owner of the sandbox, or the agency that created the key.
   */
  payerOrgId: string
  /** The org that the request acts on: the key's own org, or a client of the agency. */
  orgId: string
  mode: 'live' | 'test'
  /** True for a key of an agency that can act on its clients. */
  isAgencyKey: boolean
  /** Permissions as `<resource>:<action>`; null: all. */
  permissions: readonly string[] | null
}

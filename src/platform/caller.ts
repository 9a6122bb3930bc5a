/** The API key of a request, and the org on which it acts. */
export type Caller = {
  apiKeyId: string
  keyName: string
  /** The org that the key belongs to. */
  keyOrgId: string
  /**
   * Names the limits that the request uses: rate limit, room for bodies, long requests and connections. Usually it is the
   * id of an org: the key's own, the owner of the sandbox, or the agency that created the key. Keys that an agency created
   * in its former clients have limits with a name of their own.
   */
  payerId: string
  /** The org that the request acts on: the key's own org, or a client of the agency. */
  orgId: string
  mode: 'live' | 'test'
  /** True for a key of an agency that can act on its clients. */
  isAgencyKey: boolean
  /** Permissions as `<resource>:<action>`; null: all. */
  permissions: readonly string[] | null
}

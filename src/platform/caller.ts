/** The API key or member that sent a request, and the org on which the request acts. */
export type Caller = {
  /** The API key of the request; null: a member sent the request. */
  apiKeyId: string | null
  /** The person who is signed in; null: an API key sent the request. */
  memberId: string | null
  sessionId: string | null
  /** The connected app that sent the request for the member; undefined: the member or an API key sent it. */
  connectedAppId?: string
  /** The label of the API key, or the name of the member. */
  name: string
  /** The org that the key belongs to, or in which the member has a role. */
  homeOrgId: string
  /**
   * Identifies the limits that the request uses, such as the rate limit. Usually this is the id of the key's org, of
   * the sandbox's owner, or of the agency that created the key. Members, and keys that an agency made in a former
   * client, have separate limits.
   */
  payerId: string
  /** The org that the request acts on: the home org, or a client of the agency. */
  orgId: string
  mode: 'live' | 'test'
  /** True for an agency key or a member of an agency, who can act on clients of the home org. */
  reachesClients: boolean
  /** The permissions as `<resource>:<action>`; null: all permissions. */
  permissions: readonly string[] | null
  /**
   * The records that the member reaches: those of the member, or those of the member's teams; undefined: all records
   * of the organization.
   */
  recordAccess?: RecordAccess | undefined
}

export type RecordAccess = 'team' | 'own'

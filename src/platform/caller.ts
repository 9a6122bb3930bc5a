/** Who sends a request, and which org it acts on. */
export type Caller = {
  apiKeyId: string
  keyName: string
  /** The org that the key belongs to: its budget is spent. */
  keyOrgId: string
  /** The org that the request acts on: the key's own, or a client of the agency. */
  orgId: string
  mode: 'live' | 'test'
  /** True for an agency-scoped key. */
  isAgencyKey: boolean
  /** `<resource>:<action>` each; null: all. */
  permissions: readonly string[] | null
}

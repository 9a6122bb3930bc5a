const rank: Record<string, number> = { read: 1, write: 2, manage: 3, '*': 3 }

/**
 * Whether the permissions of a membership include one. The server decides; a page only hides actions that the server
 * would refuse.
 * @param granted null: everything
 */
export function allows(granted: readonly string[] | null, needed: string): boolean {
  if (granted === null) return true
  const [resource, action = ''] = needed.split(':')
  return granted.some((permission) => {
    const [grantedResource, grantedAction = ''] = permission.split(':')
    return (
      permission === '*' ||
      (grantedResource === resource && (rank[grantedAction] ?? 0) >= (rank[action] ?? 4))
    )
  })
}

/** The resources of permissions, with their names for people. */
export const permissionResources = [
  ['contacts', 'Contacts'],
  ['companies', 'Companies'],
  ['deals', 'Deals'],
  ['notes', 'Notes'],
  ['tasks', 'Tasks'],
  ['close_reasons', 'Close reasons'],
  ['duplicates', 'Duplicates'],
  ['personas', 'Personas'],
  ['voice', 'Voice'],
  ['signatures', 'Signatures'],
  ['crm', 'CRM sync'],
  ['forms', 'Forms'],
  ['tracking', 'Tracking'],
  ['visitors', 'Visitors'],
  ['events', 'Events'],
  ['webhooks', 'Webhooks'],
  ['organization', 'Organization'],
  ['members', 'Members'],
  ['api_keys', 'API keys'],
  ['agency', 'Agency'],
] as const

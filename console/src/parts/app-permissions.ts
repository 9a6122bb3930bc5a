const names: Readonly<Record<string, string>> = {
  'contacts:read': 'See contacts',
  'contacts:write': 'Change contacts',
  'companies:read': 'See companies',
  'companies:write': 'Change companies',
  'deals:read': 'See deals',
  'deals:write': 'Change deals',
  'notes:read': 'See notes',
  'tasks:read': 'See tasks',
  'close_reasons:read': 'See close reasons',
  'duplicates:read': 'See duplicates and merges',
  'duplicates:write': 'Merge duplicates, and undo merges',
  'events:read': 'See who changed what',
  'personas:read': 'See personas',
  'voice:read': 'See calls',
  'voice:write': 'Place calls, which are billed',
  'crm:read': 'See CRM connections and pushes',
  'crm:write': 'Push people to your CRM',
  'signatures:read': 'See signatures',
  'signatures:write': 'Install signatures in mailboxes',
}

/** A description of each permission that an app can have. */
export const appPermissionName = (permission: string): string => names[permission] ?? permission

/** Returns whether the permission has effects outside of Crosswalk. A person approves each effect. */
export const actsOutside = (permission: string): boolean =>
  permission === 'voice:write' || permission === 'crm:write' || permission === 'signatures:write'

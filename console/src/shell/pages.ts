import type { IconName } from '../parts/icon.tsx'
import type { Scope } from './scope.tsx'

/** A page of an organization. */
export type NamedPage = {
  name: string
  path: string
  icon: IconName
  permission: string | null
  /** Whether it shows something of all records, which a member with limited record access may not read. */
  needsAllRecords?: true
  /** Whether only agencies have it. */
  ofAgencies?: true
}

/** Whether the navigation and the command menu offer a page: only if the person may read it. */
export const isOffered = (
  { permission, needsAllRecords, ofAgencies }: NamedPage,
  { can, membership }: Pick<Scope, 'can' | 'membership'>,
): boolean =>
  (permission === null || can(permission)) &&
  (!needsAllRecords || membership.record_access === 'all') &&
  (!ofAgencies || membership.is_agency)

export const pages: readonly NamedPage[] = [
  { name: 'Home', path: '', icon: 'home', permission: null },
  { name: 'My tasks', path: '/tasks', icon: 'check', permission: 'tasks:read' },
  { name: 'People', path: '/people', icon: 'people', permission: 'contacts:read' },
  { name: 'Companies', path: '/companies', icon: 'company', permission: 'companies:read' },
  { name: 'Deals', path: '/deals', icon: 'deals', permission: 'deals:read' },
  { name: 'Calls', path: '/calls', icon: 'phone', permission: 'voice:read' },
  { name: 'Personas', path: '/personas', icon: 'voice', permission: 'personas:read' },
  { name: 'Duplicates', path: '/duplicates', icon: 'pairs', permission: 'duplicates:read' },
  { name: 'CRM', path: '/crm', icon: 'push', permission: 'crm:read' },
  { name: 'Imports', path: '/imports', icon: 'import', permission: 'contacts:read' },
  { name: 'Approvals', path: '/approvals', icon: 'done', permission: null },
  { name: 'Forms', path: '/forms', icon: 'columns', permission: 'forms:read' },
  { name: 'Signatures', path: '/signatures', icon: 'pencil', permission: 'signatures:read' },
  { name: 'Web events', path: '/web-events', icon: 'activity', permission: 'tracking:read' },
  { name: 'Reports', path: '/reports', icon: 'chart', permission: 'tracking:read' },
  { name: 'Visitors', path: '/visitors', icon: 'globe', permission: 'visitors:read' },
  { name: 'Clients', path: '/clients', icon: 'merge', permission: 'agency:read', ofAgencies: true },
  { name: 'Usage', path: '/usage', icon: 'usage', permission: null, needsAllRecords: true },
  { name: 'Events', path: '/events', icon: 'events', permission: 'events:read', needsAllRecords: true },
]

export const settingsPages: readonly NamedPage[] = [
  { name: 'Organization', path: '/settings/organization', icon: 'settings', permission: null },
  { name: 'Fields', path: '/settings/fields', icon: 'columns', permission: null },
  { name: 'Deals', path: '/settings/deals', icon: 'deals', permission: 'deals:read' },
  { name: 'Voice', path: '/settings/voice', icon: 'phone', permission: 'voice:read' },
  {
    name: 'Duplicates',
    path: '/settings/duplicates',
    icon: 'pairs',
    permission: 'duplicates:read',
    needsAllRecords: true,
  },
  { name: 'API', path: '/settings/api', icon: 'key', permission: 'api_keys:read' },
  { name: 'Tracking', path: '/settings/tracking', icon: 'activity', permission: 'tracking:read' },
  { name: 'Webhooks', path: '/settings/webhooks', icon: 'push', permission: 'webhooks:read' },
  { name: 'Connected apps', path: '/settings/apps', icon: 'open', permission: 'members:read' },
  { name: 'Sandboxes', path: '/settings/sandboxes', icon: 'code', permission: null },
  { name: 'Members', path: '/settings/members', icon: 'people', permission: 'members:read' },
  { name: 'Security', path: '/settings/security', icon: 'passkey', permission: null },
]

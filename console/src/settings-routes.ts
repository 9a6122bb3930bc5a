import { readEndpointSearch } from './routes/settings/webhooks/search.ts'
import { lazyPart } from './routing/lazy-part.ts'
import { type Frame, page, Redirect } from './routing/page.ts'

const openOrganization = () => import('./routes/settings/organization/page.tsx')

/** The frame around the settings: the list of their pages. */
export const settingsFrame: Frame = {
  path: '/o/$orgId/settings',
  part: lazyPart(() => import('./routes/settings/frame.tsx'), 'SettingsFrame', true),
}

export const settingsPages = {
  '/o/$orgId/settings': page(openOrganization, 'OrganizationPage', undefined, ({ params }) => {
    throw new Redirect({ to: '/o/$orgId/settings/organization', params })
  }),
  '/o/$orgId/settings/organization': page(openOrganization, 'OrganizationPage'),
  '/o/$orgId/settings/fields': page(() => import('./routes/settings/fields/page.tsx'), 'FieldsPage'),
  '/o/$orgId/settings/duplicates': page(
    () => import('./routes/settings/duplicates/page.tsx'),
    'DuplicateSettingsPage',
  ),
  '/o/$orgId/settings/deals': page(() => import('./routes/settings/deals/page.tsx'), 'DealSettingsPage'),
  '/o/$orgId/settings/api': page(() => import('./routes/settings/api/page.tsx'), 'ApiKeysPage'),
  '/o/$orgId/settings/members': page(() => import('./routes/settings/members/page.tsx'), 'MembersPage'),
  '/o/$orgId/settings/security': page(() => import('./routes/settings/security/page.tsx'), 'SecurityPage'),
  '/o/$orgId/settings/tracking': page(() => import('./routes/settings/tracking/page.tsx'), 'TrackingPage'),
  '/o/$orgId/settings/tracking/$writeKeyId': page(
    () => import('./routes/settings/tracking/write-key-page.tsx'),
    'WriteKeyPage',
  ),
  '/o/$orgId/settings/webhooks': page(() => import('./routes/settings/webhooks/page.tsx'), 'WebhooksPage'),
  '/o/$orgId/settings/webhooks/$endpointId': page(
    () => import('./routes/settings/webhooks/endpoint-page.tsx'),
    'WebhookEndpointPage',
    readEndpointSearch,
  ),
  '/o/$orgId/settings/voice': page(() => import('./routes/settings/voice/page.tsx'), 'VoicePage'),
  '/o/$orgId/settings/sandboxes': page(() => import('./routes/settings/sandboxes/page.tsx'), 'SandboxesPage'),
  '/o/$orgId/settings/apps': page(() => import('./routes/settings/apps/page.tsx'), 'ConnectedAppsPage'),
} as const

import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { org } from './root-routes.tsx'
import { readEndpointSearch } from './routes/settings/webhooks/search.ts'

const settings = createRoute({
  getParentRoute: () => org,
  path: '/settings',
  component: lazyRouteComponent(() => import('./routes/settings/frame.tsx'), 'SettingsFrame'),
})

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$orgId/settings/organization', params })
  },
})

const organization = createRoute({
  getParentRoute: () => settings,
  path: '/organization',
  component: lazyRouteComponent(() => import('./routes/settings/organization/page.tsx'), 'OrganizationPage'),
})

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api',
  component: lazyRouteComponent(() => import('./routes/settings/api/page.tsx'), 'ApiKeysPage'),
})

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyRouteComponent(() => import('./routes/settings/members/page.tsx'), 'MembersPage'),
})

const security = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  component: lazyRouteComponent(() => import('./routes/settings/security/page.tsx'), 'SecurityPage'),
})

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./routes/settings/webhooks/page.tsx'), 'WebhooksPage'),
})

const webhookEndpoint = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/$endpointId',
  validateSearch: readEndpointSearch,
  component: lazyRouteComponent(
    () => import('./routes/settings/webhooks/endpoint-page.tsx'),
    'WebhookEndpointPage',
  ),
})

const tracking = createRoute({
  getParentRoute: () => settings,
  path: '/tracking',
  component: lazyRouteComponent(() => import('./routes/settings/tracking/page.tsx'), 'TrackingPage'),
})

const writeKey = createRoute({
  getParentRoute: () => settings,
  path: '/tracking/$writeKeyId',
  component: lazyRouteComponent(
    () => import('./routes/settings/tracking/write-key-page.tsx'),
    'WriteKeyPage',
  ),
})

const fields = createRoute({
  getParentRoute: () => settings,
  path: '/fields',
  component: lazyRouteComponent(() => import('./routes/settings/fields/page.tsx'), 'FieldsPage'),
})

const deals = createRoute({
  getParentRoute: () => settings,
  path: '/deals',
  component: lazyRouteComponent(() => import('./routes/settings/deals/page.tsx'), 'DealSettingsPage'),
})

const voice = createRoute({
  getParentRoute: () => settings,
  path: '/voice',
  component: lazyRouteComponent(() => import('./routes/settings/voice/page.tsx'), 'VoicePage'),
})

const sandboxes = createRoute({
  getParentRoute: () => settings,
  path: '/sandboxes',
  component: lazyRouteComponent(() => import('./routes/settings/sandboxes/page.tsx'), 'SandboxesPage'),
})

const duplicateSettings = createRoute({
  getParentRoute: () => settings,
  path: '/duplicates',
  component: lazyRouteComponent(
    () => import('./routes/settings/duplicates/page.tsx'),
    'DuplicateSettingsPage',
  ),
})

const connectedApps = createRoute({
  getParentRoute: () => settings,
  path: '/apps',
  component: lazyRouteComponent(() => import('./routes/settings/apps/page.tsx'), 'ConnectedAppsPage'),
})

export const settingsPages = settings.addChildren([
  settingsIndex,
  organization,
  fields,
  duplicateSettings,
  deals,
  apiKeys,
  members,
  security,
  tracking,
  writeKey,
  webhooks,
  webhookEndpoint,
  voice,
  sandboxes,
  connectedApps,
])

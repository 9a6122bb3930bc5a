import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { Suspense } from 'react'
import { ApiError } from '../../sdk/src/errors.ts'
import { lacksSession, queries, sessionQuery } from './api/session.ts'
import { rememberSso } from './api/sso.ts'
import { readListSearch } from './records/filters/search.ts'
import { readActivityFilters } from './routes/activity/filters.ts'
import { readVisitorFilters } from './routes/activity/visitors/filters.ts'
import { readEventFilters } from './routes/events/filters.ts'
import { readEndpointSearch } from './routes/settings/webhooks/search.ts'
import { SignInPage } from './routes/sign-in/page.tsx'
import { readTaskFilters } from './routes/tasks/filters.ts'
import { readPeriod } from './routes/usage/period.ts'

// Load this page only after a failure, so that the first page is small.
const ProblemView = lazyRouteComponent(() => import('./parts/problem-view.tsx'), 'ProblemView')
const NoPage = lazyRouteComponent(() => import('./shell/no-access.tsx'), 'NoPage')

const root = createRootRoute({
  component: () => (
    <Suspense>
      <Outlet />
    </Suspense>
  ),
  notFoundComponent: NoPage,
})

/** Returns the session, or redirects to the sign-in. */
async function requireSession(next: string) {
  const signIn = redirect({ to: '/sign-in', search: next === '/' ? {} : { next } })
  if (lacksSession()) throw signIn
  try {
    const session = await queries.ensureQueryData(sessionQuery)
    if (session.second_factor.length === 0) return session
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error
  }
  throw signIn
}

const lastOrgKey = 'crosswalk.org'

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const { memberships } = await requireSession('/')
    const last = localStorage.getItem(lastOrgKey)
    const membership = memberships.find(({ org_id }) => org_id === last) ?? memberships[0]
    if (membership) throw redirect({ to: '/o/$orgId', params: { orgId: membership.org_id } })
  },
  component: lazyRouteComponent(() => import('./shell/no-access.tsx'), 'NoOrganization'),
})

// Addresses of the console only: a link must not lead a person elsewhere after the sign-in.
const nextPattern = /^\/(o|connect)\/[\w-]+(\/[\w/-]*)?(\?[\w=&.%+*-]*)?$/

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // Return every member: an omitted member would keep its unchecked value.
  validateSearch: ({ next }: Record<string, unknown>): { next?: string | undefined } => ({
    next: typeof next === 'string' && nextPattern.test(next) ? next : undefined,
  }),
  // Do not load this page separately: it is the first page on a slow network.
  component: SignInPage,
})

const confirmed = createRoute({
  getParentRoute: () => root,
  path: '/confirmed',
  component: lazyRouteComponent(() => import('./routes/confirmed/page.tsx'), 'ConfirmedPage'),
})

const linkPages = (['/set-up', '/invite', '/recovery'] as const).map((path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(() => import('./routes/links/page.tsx'), 'LinkPage'),
  }),
)

const connect = createRoute({
  getParentRoute: () => root,
  path: '/connect/$uid',
  beforeLoad: async ({ location }) => {
    await requireSession(location.href)
  },
  component: lazyRouteComponent(() => import('./routes/connect/page.tsx'), 'ConnectPage'),
})

const org = createRoute({
  getParentRoute: () => root,
  path: '/o/$orgId',
  validateSearch: ({ mode }: Record<string, unknown>): { mode?: 'test' | undefined } => ({
    mode: mode === 'test' ? mode : undefined,
  }),
  search: { middlewares: [retainSearchParams(['mode'])] },
  beforeLoad: async ({ params, location }) => {
    rememberSso(await requireSession(location.href))
    localStorage.setItem(lastOrgKey, params.orgId)
  },
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})

const home = createRoute({
  getParentRoute: () => org,
  path: '/',
  component: lazyRouteComponent(() => import('./routes/home/page.tsx'), 'HomePage'),
})

const people = createRoute({
  getParentRoute: () => org,
  path: '/people',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./routes/people/page.tsx'), 'PeoplePage'),
})

const person = createRoute({
  getParentRoute: () => org,
  path: '/people/$recordId',
  validateSearch: ({ from }: Record<string, unknown>): { from?: string | undefined } => ({
    from: typeof from === 'string' ? from : undefined,
  }),
  component: lazyRouteComponent(() => import('./routes/people/person-page.tsx'), 'PersonPage'),
})

const companies = createRoute({
  getParentRoute: () => org,
  path: '/companies',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./routes/companies/page.tsx'), 'CompaniesPage'),
})

const company = createRoute({
  getParentRoute: () => org,
  path: '/companies/$recordId',
  validateSearch: ({ from }: Record<string, unknown>): { from?: string | undefined } => ({
    from: typeof from === 'string' ? from : undefined,
  }),
  component: lazyRouteComponent(() => import('./routes/companies/company-page.tsx'), 'CompanyPage'),
})

const events = createRoute({
  getParentRoute: () => org,
  path: '/events',
  validateSearch: readEventFilters,
  component: lazyRouteComponent(() => import('./routes/events/page.tsx'), 'EventsPage'),
})

const activity = createRoute({
  getParentRoute: () => org,
  path: '/activity',
  validateSearch: readActivityFilters,
  component: lazyRouteComponent(() => import('./routes/activity/page.tsx'), 'ActivityPage'),
})

const visitors = createRoute({
  getParentRoute: () => org,
  path: '/visitors',
  validateSearch: readVisitorFilters,
  component: lazyRouteComponent(() => import('./routes/activity/visitors/page.tsx'), 'VisitorsPage'),
})

const visitor = createRoute({
  getParentRoute: () => org,
  path: '/visitors/$visitorId',
  component: lazyRouteComponent(() => import('./routes/activity/visitors/visitor-page.tsx'), 'VisitorPage'),
})

const usage = createRoute({
  getParentRoute: () => org,
  path: '/usage',
  validateSearch: readPeriod,
  component: lazyRouteComponent(() => import('./routes/usage/page.tsx'), 'UsagePage'),
})

const approvals = createRoute({
  getParentRoute: () => org,
  path: '/approvals',
  component: lazyRouteComponent(() => import('./routes/approvals/page.tsx'), 'ApprovalsPage'),
})

const tasks = createRoute({
  getParentRoute: () => org,
  path: '/tasks',
  validateSearch: readTaskFilters,
  component: lazyRouteComponent(() => import('./routes/tasks/page.tsx'), 'TasksPage'),
})

const settings = createRoute({
  getParentRoute: () => org,
  path: '/settings',
  component: lazyRouteComponent(() => import('./routes/settings/frame.tsx'), 'SettingsFrame'),
})

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$orgId/settings/workspace', params })
  },
})

const workspace = createRoute({
  getParentRoute: () => settings,
  path: '/workspace',
  component: lazyRouteComponent(() => import('./routes/settings/workspace/page.tsx'), 'WorkspacePage'),
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

const sandboxes = createRoute({
  getParentRoute: () => settings,
  path: '/sandboxes',
  component: lazyRouteComponent(() => import('./routes/settings/sandboxes/page.tsx'), 'SandboxesPage'),
})

const connectedApps = createRoute({
  getParentRoute: () => settings,
  path: '/apps',
  component: lazyRouteComponent(() => import('./routes/settings/apps/page.tsx'), 'ConnectedAppsPage'),
})

const routeTree = root.addChildren([
  index,
  signIn,
  confirmed,
  ...linkPages,
  connect,
  org.addChildren([
    home,
    people,
    person,
    companies,
    company,
    activity,
    visitors,
    visitor,
    events,
    usage,
    approvals,
    tasks,
    settings.addChildren([
      settingsIndex,
      workspace,
      apiKeys,
      members,
      security,
      tracking,
      writeKey,
      webhooks,
      webhookEndpoint,
      sandboxes,
      connectedApps,
    ]),
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  // Each page has its own boundary: if it fails, the navigation remains.
  defaultErrorComponent: ({ error }) => <ProblemView error={error} onRetry={() => location.reload()} />,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

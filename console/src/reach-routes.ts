import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readPushSearch } from './records/push-search.ts'
import { org } from './root-routes.tsx'
import { readCallFilters, readRequestFilters } from './routes/calls/filters.ts'
import { readSignaturesSearch } from './routes/signatures/search.ts'

const crm = createRoute({
  getParentRoute: () => org,
  path: '/crm',
  component: lazyRouteComponent(() => import('./routes/crm/page.tsx'), 'CrmPage'),
})

const push = createRoute({
  getParentRoute: () => org,
  path: '/crm/push',
  validateSearch: readPushSearch,
  component: lazyRouteComponent(() => import('./routes/crm/push-page.tsx'), 'PushPage'),
})

const connection = createRoute({
  getParentRoute: () => org,
  path: '/crm/connections/$connectionId',
  component: lazyRouteComponent(() => import('./routes/crm/connection-page.tsx'), 'ConnectionPage'),
})

const job = createRoute({
  getParentRoute: () => org,
  path: '/crm/jobs/$jobId',
  validateSearch: readPushSearch,
  component: lazyRouteComponent(() => import('./routes/crm/job-page.tsx'), 'JobPage'),
})

const signatures = createRoute({
  getParentRoute: () => org,
  path: '/signatures',
  validateSearch: readSignaturesSearch,
  component: lazyRouteComponent(() => import('./routes/signatures/page.tsx'), 'SignaturesPage'),
})

const signature = createRoute({
  getParentRoute: () => org,
  path: '/signatures/$templateId',
  validateSearch: readSignaturesSearch,
  component: lazyRouteComponent(() => import('./routes/signatures/template-page.tsx'), 'TemplatePage'),
})

const calls = createRoute({
  getParentRoute: () => org,
  path: '/calls',
  validateSearch: readCallFilters,
  component: lazyRouteComponent(() => import('./routes/calls/page.tsx'), 'CallsPage'),
})

const suppressions = createRoute({
  getParentRoute: () => org,
  path: '/calls/suppressions',
  validateSearch: ({ number }: Record<string, unknown>): { number?: string | undefined } => ({
    // The router reads a text of digits as a number.
    number: typeof number === 'string' || typeof number === 'number' ? String(number) : undefined,
  }),
  component: lazyRouteComponent(() => import('./routes/calls/suppressions-page.tsx'), 'SuppressionsPage'),
})

const callRequests = createRoute({
  getParentRoute: () => org,
  path: '/calls/requests',
  validateSearch: readRequestFilters,
  component: lazyRouteComponent(() => import('./routes/calls/requests/page.tsx'), 'CallRequestsPage'),
})

const call = createRoute({
  getParentRoute: () => org,
  path: '/calls/$callId',
  component: lazyRouteComponent(() => import('./routes/calls/call-page.tsx'), 'CallPage'),
})

const personas = createRoute({
  getParentRoute: () => org,
  path: '/personas',
  validateSearch: ({ archived }: Record<string, unknown>): { archived?: true | undefined } => ({
    archived: archived === true ? true : undefined,
  }),
  component: lazyRouteComponent(() => import('./routes/personas/page.tsx'), 'PersonasPage'),
})

const persona = createRoute({
  getParentRoute: () => org,
  path: '/personas/$personaId',
  component: lazyRouteComponent(() => import('./routes/personas/persona-page.tsx'), 'PersonaPage'),
})

const forms = createRoute({
  getParentRoute: () => org,
  path: '/forms',
  component: lazyRouteComponent(() => import('./routes/forms/page.tsx'), 'FormsPage'),
})

const form = createRoute({
  getParentRoute: () => org,
  path: '/forms/$formId',
  component: lazyRouteComponent(() => import('./routes/forms/form-page.tsx'), 'FormPage'),
})

/** The pages with which an organization reaches people: the CRM, forms, calls and e-mail signatures. */
export const reachPages = [
  ...([crm, push, connection, job] as const),
  ...([calls, suppressions, callRequests, call, personas, persona] as const),
  ...([signatures, signature, forms, form] as const),
] as const

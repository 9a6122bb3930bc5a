import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readPushSearch } from './records/push-search.ts'
import { org } from './root-routes.tsx'

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

/** The pages with which an organization reaches people: the CRM. */
export const reachPages = [crm, push, connection, job] as const

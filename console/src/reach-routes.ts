import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readPushSearch } from './records/push-search.ts'
import { org } from './root-routes.tsx'
import { readTemplateSearch } from './routes/signatures/search.ts'

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
  component: lazyRouteComponent(() => import('./routes/signatures/page.tsx'), 'SignaturesPage'),
})

const signature = createRoute({
  getParentRoute: () => org,
  path: '/signatures/$templateId',
  validateSearch: readTemplateSearch,
  component: lazyRouteComponent(() => import('./routes/signatures/template-page.tsx'), 'TemplatePage'),
})

/** The pages with which an organization reaches people: the CRM, and e-mail signatures. */
export const reachPages = [crm, push, connection, job, signatures, signature] as const

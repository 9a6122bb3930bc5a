import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { reachPages } from './reach-routes.ts'
import { readListSearch } from './records/list-search.ts'
import { org, root, rootPages } from './root-routes.tsx'
import { readClientSearch } from './routes/clients/search.ts'
import { readDealSearch } from './routes/deals/search.ts'
import { readDuplicateFilters } from './routes/duplicates/filters.ts'
import { readEventFilters } from './routes/events/filters.ts'
import { readImport, readNewImport } from './routes/imports/search.ts'
import { readReportPeriod } from './routes/reports/period.ts'
import { readTaskFilters } from './routes/tasks/filters.ts'
import { readPeriod } from './routes/usage/period.ts'
import { readWebEventFilters } from './routes/web-events/filters.ts'
import { readVisitorFilters } from './routes/web-events/visitors/filters.ts'
import { settingsPages } from './settings-routes.ts'

// Load this page only after a failure, so that the first page is small.
const ProblemView = lazyRouteComponent(() => import('./parts/problem-view.tsx'), 'ProblemView')

/** The id of a merged record that led to the page. */
const readRecordSearch = ({ from }: Record<string, unknown>): { from?: string | undefined } => ({
  from: typeof from === 'string' ? from : undefined,
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
  validateSearch: readRecordSearch,
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
  validateSearch: readRecordSearch,
  component: lazyRouteComponent(() => import('./routes/companies/company-page.tsx'), 'CompanyPage'),
})

const deals = createRoute({
  getParentRoute: () => org,
  path: '/deals',
  validateSearch: readDealSearch,
  component: lazyRouteComponent(() => import('./routes/deals/page.tsx'), 'DealsPage'),
})

const deal = createRoute({
  getParentRoute: () => org,
  path: '/deals/$recordId',
  validateSearch: readRecordSearch,
  component: lazyRouteComponent(() => import('./routes/deals/page.tsx'), 'DealPage'),
})

const events = createRoute({
  getParentRoute: () => org,
  path: '/events',
  validateSearch: readEventFilters,
  component: lazyRouteComponent(() => import('./routes/events/page.tsx'), 'EventsPage'),
})

const webEvents = createRoute({
  getParentRoute: () => org,
  path: '/web-events',
  validateSearch: readWebEventFilters,
  component: lazyRouteComponent(() => import('./routes/web-events/page.tsx'), 'WebEventsPage'),
})

const visitors = createRoute({
  getParentRoute: () => org,
  path: '/visitors',
  validateSearch: readVisitorFilters,
  component: lazyRouteComponent(() => import('./routes/web-events/visitors/page.tsx'), 'VisitorsPage'),
})

const visitor = createRoute({
  getParentRoute: () => org,
  path: '/visitors/$visitorId',
  component: lazyRouteComponent(() => import('./routes/web-events/visitors/visitor-page.tsx'), 'VisitorPage'),
})

const duplicates = createRoute({
  getParentRoute: () => org,
  path: '/duplicates',
  validateSearch: readDuplicateFilters,
  component: lazyRouteComponent(() => import('./routes/duplicates/page.tsx'), 'DuplicatesPage'),
})

const reports = createRoute({
  getParentRoute: () => org,
  path: '/reports',
  validateSearch: readReportPeriod,
  component: lazyRouteComponent(() => import('./routes/reports/page.tsx'), 'ReportsPage'),
})

const clients = createRoute({
  getParentRoute: () => org,
  path: '/clients',
  validateSearch: readClientSearch,
  component: lazyRouteComponent(() => import('./routes/clients/page.tsx'), 'ClientsPage'),
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

const imports = createRoute({
  getParentRoute: () => org,
  path: '/imports',
  component: lazyRouteComponent(() => import('./routes/imports/page.tsx'), 'ImportsPage'),
})

const newImport = createRoute({
  getParentRoute: () => org,
  path: '/imports/new',
  validateSearch: readNewImport,
  component: lazyRouteComponent(() => import('./routes/imports/new/page.tsx'), 'NewImportPage'),
})

const oneImport = createRoute({
  getParentRoute: () => org,
  path: '/imports/$importId',
  validateSearch: readImport,
  component: lazyRouteComponent(() => import('./routes/imports/import-page.tsx'), 'ImportPage'),
})

const routeTree = root.addChildren([
  ...rootPages,
  org.addChildren([
    home,
    people,
    person,
    companies,
    company,
    deals,
    deal,
    duplicates,
    webEvents,
    visitors,
    visitor,
    events,
    reports,
    clients,
    usage,
    approvals,
    tasks,
    ...reachPages,
    imports,
    newImport,
    oneImport,
    settingsPages,
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

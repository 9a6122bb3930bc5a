import { lazy, Suspense } from 'react'
import { reachPages } from './reach-routes.ts'
import { readListSearch } from './records/list-search.ts'
import { NoPage, orgFrame, rootPages } from './root-routes.tsx'
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
import { reload } from './routing/answers.ts'
import { page } from './routing/page.ts'
import { Router } from './routing/router.ts'
import { settingsFrame, settingsPages } from './settings-routes.ts'

// Load this page only after a failure, so that the first page is small.
const ProblemView = lazy(() =>
  import('./parts/problem-view.tsx').then(({ ProblemView }) => ({ default: ProblemView })),
)

/** The id of a merged record that led to the page. */
const readRecordSearch = ({ from }: Record<string, unknown>): { from?: string | undefined } => ({
  from: typeof from === 'string' ? from : undefined,
})

const pages = {
  ...rootPages,
  '/o/$orgId': page(() => import('./routes/home/page.tsx'), 'HomePage'),
  '/o/$orgId/people': page(() => import('./routes/people/page.tsx'), 'PeoplePage', readListSearch),
  '/o/$orgId/people/$recordId': page(
    () => import('./routes/people/person-page.tsx'),
    'PersonPage',
    readRecordSearch,
  ),
  '/o/$orgId/companies': page(() => import('./routes/companies/page.tsx'), 'CompaniesPage', readListSearch),
  '/o/$orgId/companies/$recordId': page(
    () => import('./routes/companies/company-page.tsx'),
    'CompanyPage',
    readRecordSearch,
  ),
  '/o/$orgId/deals': page(() => import('./routes/deals/page.tsx'), 'DealsPage', readDealSearch),
  '/o/$orgId/deals/$recordId': page(() => import('./routes/deals/page.tsx'), 'DealPage', readRecordSearch),
  '/o/$orgId/duplicates': page(
    () => import('./routes/duplicates/page.tsx'),
    'DuplicatesPage',
    readDuplicateFilters,
  ),
  '/o/$orgId/web-events': page(
    () => import('./routes/web-events/page.tsx'),
    'WebEventsPage',
    readWebEventFilters,
  ),
  '/o/$orgId/visitors': page(
    () => import('./routes/web-events/visitors/page.tsx'),
    'VisitorsPage',
    readVisitorFilters,
  ),
  '/o/$orgId/visitors/$visitorId': page(
    () => import('./routes/web-events/visitors/visitor-page.tsx'),
    'VisitorPage',
  ),
  '/o/$orgId/events': page(() => import('./routes/events/page.tsx'), 'EventsPage', readEventFilters),
  '/o/$orgId/reports': page(() => import('./routes/reports/page.tsx'), 'ReportsPage', readReportPeriod),
  '/o/$orgId/clients': page(() => import('./routes/clients/page.tsx'), 'ClientsPage', readClientSearch),
  '/o/$orgId/usage': page(() => import('./routes/usage/page.tsx'), 'UsagePage', readPeriod),
  '/o/$orgId/approvals': page(() => import('./routes/approvals/page.tsx'), 'ApprovalsPage'),
  '/o/$orgId/tasks': page(() => import('./routes/tasks/page.tsx'), 'TasksPage', readTaskFilters),
  '/o/$orgId/imports': page(() => import('./routes/imports/page.tsx'), 'ImportsPage'),
  '/o/$orgId/imports/new': page(
    () => import('./routes/imports/new/page.tsx'),
    'NewImportPage',
    readNewImport,
  ),
  '/o/$orgId/imports/$importId': page(
    () => import('./routes/imports/import-page.tsx'),
    'ImportPage',
    readImport,
  ),
  ...reachPages,
  ...settingsPages,
} as const

declare module './routing/paths.ts' {
  interface Register {
    pages: typeof pages
  }
}

export const router = new Router({
  base: '/console',
  pages,
  frames: [orgFrame, settingsFrame],
  missing: NoPage,
  failed: ({ error }) => (
    <Suspense>
      <ProblemView error={error} onRetry={() => void reload()} />
    </Suspense>
  ),
})

import { readPushSearch } from './records/push-search.ts'
import { readCallFilters, readRequestFilters } from './routes/calls/filters.ts'
import { readSignaturesSearch } from './routes/signatures/search.ts'
import { page } from './routing/page.ts'
import { textIn } from './routing/search-text.ts'

const readSuppressions = ({ number }: Record<string, unknown>): { number?: string | undefined } => ({
  number: textIn(number),
})

const readPersonas = ({ archived }: Record<string, unknown>): { archived?: true | undefined } => ({
  archived: archived === true ? true : undefined,
})

/** The pages with which an organization reaches people: the CRM, forms, calls and e-mail signatures. */
export const reachPages = {
  '/o/$orgId/crm': page(() => import('./routes/crm/page.tsx'), 'CrmPage'),
  '/o/$orgId/crm/push': page(() => import('./routes/crm/push-page.tsx'), 'PushPage', readPushSearch),
  '/o/$orgId/crm/connections/$connectionId': page(
    () => import('./routes/crm/connection-page.tsx'),
    'ConnectionPage',
  ),
  '/o/$orgId/crm/jobs/$jobId': page(() => import('./routes/crm/job-page.tsx'), 'JobPage', readPushSearch),
  '/o/$orgId/calls': page(() => import('./routes/calls/page.tsx'), 'CallsPage', readCallFilters),
  '/o/$orgId/calls/suppressions': page(
    () => import('./routes/calls/suppressions-page.tsx'),
    'SuppressionsPage',
    readSuppressions,
  ),
  '/o/$orgId/calls/requests': page(
    () => import('./routes/calls/requests/page.tsx'),
    'CallRequestsPage',
    readRequestFilters,
  ),
  '/o/$orgId/calls/$callId': page(() => import('./routes/calls/call-page.tsx'), 'CallPage'),
  '/o/$orgId/personas': page(() => import('./routes/personas/page.tsx'), 'PersonasPage', readPersonas),
  '/o/$orgId/personas/$personaId': page(() => import('./routes/personas/persona-page.tsx'), 'PersonaPage'),
  '/o/$orgId/signatures': page(
    () => import('./routes/signatures/page.tsx'),
    'SignaturesPage',
    readSignaturesSearch,
  ),
  '/o/$orgId/signatures/$templateId': page(
    () => import('./routes/signatures/template-page.tsx'),
    'TemplatePage',
    readSignaturesSearch,
  ),
  '/o/$orgId/forms': page(() => import('./routes/forms/page.tsx'), 'FormsPage'),
  '/o/$orgId/forms/$formId': page(() => import('./routes/forms/form-page.tsx'), 'FormPage'),
} as const

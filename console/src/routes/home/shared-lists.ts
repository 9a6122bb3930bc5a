import { queries } from '../../api/session.ts'
import type { Scope } from '../../shell/scope.tsx'

/** Two parts of the page that ask the same within this time share the answer. */
const sharedMs = 500

/** The latest imports. Two parts of the home page read them. */
export const latestImports = ({ api, orgId, mode }: Scope) =>
  queries.fetchQuery({
    queryKey: ['latest-imports', orgId, mode],
    queryFn: () => api.imports.list({ limit: 20 }),
    staleTime: sharedMs,
  })

/** What each kind of push makes in the CRM. */
export const pushed = { leads_push: 'Leads', contacts_push: 'Contacts' } as const

/** The latest pushes to a CRM. Two parts of the home page read them. */
export const latestPushes = ({ api, orgId, mode }: Scope) =>
  queries.fetchQuery({
    queryKey: ['latest-pushes', orgId, mode],
    queryFn: () => api.crm.jobs.list({ limit: 20 }),
    staleTime: sharedMs,
  })

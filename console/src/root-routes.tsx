import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
  type SearchMiddleware,
} from '@tanstack/react-router'
import { Suspense } from 'react'
import { ApiError } from '../../sdk/src/errors.ts'
import { lacksSession, queries, sessionQuery } from './api/session.ts'
import { rememberSso } from './api/sso.ts'
import { SignInPage } from './routes/sign-in/page.tsx'

const NoPage = lazyRouteComponent(() => import('./shell/no-access.tsx'), 'NoPage')

export const root = createRootRoute({
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

/** Links keep the mode, unless they name another one. The router's own function for this is larger. */
const keepMode: SearchMiddleware<{ mode?: 'test' | undefined }> = ({ search, next }) => ({
  mode: search.mode,
  ...next(search),
})

export const org = createRoute({
  getParentRoute: () => root,
  path: '/o/$orgId',
  // Without `mode` if the address has none: `keepMode` would take undefined for a change to live mode.
  validateSearch: ({ mode }: Record<string, unknown>): { mode?: 'test' | undefined } =>
    mode === 'test' ? { mode } : {},
  search: { middlewares: [keepMode] },
  beforeLoad: async ({ params, location }) => {
    rememberSso(await requireSession(location.href))
    localStorage.setItem(lastOrgKey, params.orgId)
  },
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})

/** The pages outside of an organization. */
export const rootPages = [index, signIn, confirmed, ...linkPages, connect] as const

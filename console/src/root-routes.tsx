import { ApiError } from '../../sdk/src/errors.ts'
import { lacksSession, queries, sessionQuery } from './api/session.ts'
import { rememberSso } from './api/sso.ts'
import { SignInPage } from './routes/sign-in/page.tsx'
import { lazyPart } from './routing/lazy-part.ts'
import { type Frame, page, Redirect } from './routing/page.ts'

/** Returns the session, or leads to the sign-in. Throws at once if the page says that there is no session. */
function requireSession(next: string) {
  const signIn = new Redirect({ to: '/sign-in', search: next === '/' ? {} : { next } })
  if (lacksSession()) throw signIn
  return queries.ensureQueryData(sessionQuery).then(
    (session) => {
      if (session.second_factor.length > 0) throw signIn
      return session
    },
    (error: unknown) => {
      throw error instanceof ApiError && error.status === 401 ? signIn : error
    },
  )
}

const lastOrgKey = 'crosswalk.org'

/** Opens the organization that the person opened last in this browser. */
const openLastOrg = () =>
  requireSession('/').then(({ memberships }) => {
    const last = localStorage.getItem(lastOrgKey)
    const membership = memberships.find(({ org_id }) => org_id === last) ?? memberships[0]
    if (membership) throw new Redirect({ to: '/o/$orgId', params: { orgId: membership.org_id } })
  })

// Addresses of the console only: a link must not lead a person elsewhere after the sign-in.
const nextPattern = /^\/(o|connect)\/[\w-]+(\/[\w/-]*)?(\?[\w=&.%+*-]*)?$/

// Return every member: an omitted member would keep its unchecked value.
const readSignIn = ({ next }: Record<string, unknown>): { next?: string | undefined } => ({
  next: typeof next === 'string' && nextPattern.test(next) ? next : undefined,
})

const openLink = () => import('./routes/links/page.tsx')

/** The pages outside of an organization. */
export const rootPages = {
  '/': page(() => import('./shell/no-access.tsx'), 'NoOrganization', undefined, openLastOrg),
  // Do not load this page separately: it is the first page on a slow network.
  '/sign-in': { part: Object.assign(SignInPage, { preload: async () => {} }), read: readSignIn },
  '/confirmed': page(() => import('./routes/confirmed/page.tsx'), 'ConfirmedPage'),
  '/set-up': page(openLink, 'LinkPage'),
  '/invite': page(openLink, 'LinkPage'),
  '/recovery': page(openLink, 'LinkPage'),
  '/connect/$uid': page(
    () => import('./routes/connect/page.tsx'),
    'ConnectPage',
    undefined,
    ({ href }) => requireSession(href).then(() => {}),
  ),
} as const

/** The frame around the pages of an organization. */
export const orgFrame: Frame = {
  path: '/o/$orgId',
  part: lazyPart(() => import('./shell/shell.tsx'), 'Shell', true),
  read: ({ mode }) => ({ mode: mode === 'test' ? mode : undefined }),
  kept: 'mode',
  enter: ({ params, href }) =>
    requireSession(href).then((session) => {
      rememberSso(session)
      localStorage.setItem(lastOrgKey, params.orgId ?? '')
    }),
}

export const NoPage = lazyPart(() => import('./shell/no-access.tsx'), 'NoPage', true)

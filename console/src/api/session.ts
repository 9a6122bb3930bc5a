import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../../sdk/src/errors.ts'
import { takeEarlySession } from './early.ts'
import type { Session } from './generated/types.ts'
import { limitSeconds } from './rate-limit.ts'
import { signInApi } from './sign-in-api.ts'

const limitedTriesMax = 10

/**
 * React Query retries only what the rate limit stops for longer than the SDK waits: a poll must not fail because of it.
 * The SDK retries all else. A list is fresh for a few seconds, and is read again when the window gets the focus.
 */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    // Somebody removed the person, or cut a link, while a page was open: the session says what remains.
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'membership_missing')
        void queries.refetchQueries(sessionQuery, { cancelRefetch: false })
    },
  }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => limitSeconds(error) !== null && failures < limitedTriesMax,
      retryDelay: (_failures, error) => (limitSeconds(error) ?? 0) * 1000,
      staleTime: 5_000,
    },
    mutations: { retry: false },
  },
})

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  // A browser that opens many tabs at once can reach the rate limit: wait, as for all other data.
  queryFn: async ({ signal }) =>
    ((await takeEarlySession()) as Session | null) ?? signInApi.session.get({ signal, maxRetries: 1 }),
  staleTime: 60_000,
})

let saysNone = document.querySelector<HTMLMetaElement>('meta[name=session]')?.content === 'none'

/** Returns whether the page says that this browser has no session. Returns true only once: this saves one request. */
export function lacksSession(): boolean {
  const lacks = saysNone && queries.getQueryData(sessionQuery.queryKey) === undefined
  saysNone = false
  return lacks
}

/** Stores the session after a sign-in or a confirmation. Deletes the data of another person. */
export function beginSession(session: Session): void {
  const before = queries.getQueryData(sessionQuery.queryKey)
  if (before && before.member.member_id !== session.member.member_id) queries.clear()
  queries.setQueryData(sessionQuery.queryKey, session)
}

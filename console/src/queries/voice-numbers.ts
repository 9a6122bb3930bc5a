import { queryOptions } from '@tanstack/react-query'
import type { Scope } from '../shell/scope.tsx'

/** The numbers that the organization calls from. */
export const numbersQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['voice-numbers', orgId],
    queryFn: async ({ signal }) => (await api.voice.numbers.list({ limit: 100 }, { signal })).data,
  })

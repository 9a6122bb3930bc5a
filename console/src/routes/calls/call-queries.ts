import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Contact } from '../../../../sdk/src/generated/types.ts'
import { queries } from '../../api/session.ts'
import { people } from '../../records/kinds.ts'
import { type Scope, useScope } from '../../shell/scope.tsx'

export const voiceUsageQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['voice-usage', orgId],
    queryFn: async ({ signal }) => api.voice.usage.get({ signal }),
  })

/** How many people wait to be called; null: not counted. */
export const waitingRequestsQuery = ({ orgId, mode, api }: Scope) =>
  queryOptions({
    queryKey: ['waiting-call-requests', orgId, mode],
    queryFn: async ({ signal }) => {
      const { pagination } = await api.callBackRequests.list(
        { status: 'waiting', mode, limit: 1 },
        { signal },
      )
      return pagination.total
    },
  })

/** Reads again how many calls and minutes there were. */
export function reloadUsage(orgId: string): void {
  for (const name of ['call-usage', 'voice-usage'])
    void queries.invalidateQueries({ queryKey: [name, orgId] })
}

export type Callee = { id: string; name: string; consent: string | null }

const numbersMax = 200
const none: ReadonlyMap<string, Callee> = new Map()

/** The people who have phone numbers, by number. If several people share a number, the newest one. */
export function useCallees(numbers: readonly (string | null)[]): ReadonlyMap<string, Callee> {
  const { orgId, api, can } = useScope()
  const asked = [...new Set(numbers.filter((number) => number !== null))].slice(0, numbersMax).sort()
  const { data } = useQuery({
    queryKey: ['callees', orgId, asked],
    queryFn: async ({ signal }) => {
      const filter = { field: 'phone', op: 'in' as const, value: asked }
      const { data } = await api.contacts.search({ filter, limit: 500 }, { signal })
      return new Map(
        data
          .toReversed()
          .flatMap((contact) => numbersOf(contact).map((number) => [number, calleeOf(contact)])),
      )
    },
    enabled: asked.length > 0 && can('contacts:read'),
    placeholderData: keepPreviousData,
    structuralSharing: false,
  })
  return data ?? none
}

const numbersOf = ({ phone, phones }: Contact): string[] => [...phones, ...(phone === null ? [] : [phone])]

const calleeOf = (contact: Contact): Callee => ({
  ...{ id: contact.contact_id, name: people.nameOf(contact) },
  consent: contact.consent.phone,
})

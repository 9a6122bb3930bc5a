import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usePaused } from '../parts/use-paused.ts'
import { type EntityType, type FoundRecord, readPermissions, searchRecords } from './record-search.ts'
import { useScope } from './scope.tsx'

const types: readonly EntityType[] = ['contact', 'company', 'deal']
const perType = 4
const lettersMin = 2
/** The search waits until nobody has typed for this time. */
const quietMs = 200

/** The records that match the typed words. A word of one letter finds too many, so it is not searched. */
export function useFoundRecords(typed: string): {
  records: readonly FoundRecord[]
  isSearching: boolean
  hasFailed: boolean
} {
  const scope = useScope()
  const words = typed.trim()
  const sought = usePaused(words, quietMs)
  const isSought = sought.length >= lettersMin
  const found = useQuery({
    queryKey: ['found-records', scope.orgId, sought],
    queryFn: async ({ signal }) => {
      const readable = types.filter((type) => scope.can(readPermissions[type]))
      const search = (type: EntityType) =>
        searchRecords(scope, type, { words: sought, limit: perType }, signal)
      return (await Promise.all(readable.map(search))).flat()
    },
    enabled: isSought,
    placeholderData: keepPreviousData,
  })
  // Records that are called so come before those that have the words elsewhere, such as the people of a company.
  const isCalled = ({ name }: FoundRecord) => name.toLowerCase().startsWith(sought.toLowerCase())
  const all = found.data ?? []
  const inOrder = [...all.filter(isCalled), ...all.filter((one) => !isCalled(one))]
  return {
    records: isSought && words.length >= lettersMin ? inOrder : [],
    isSearching: words.length >= lettersMin && (sought !== words || found.isFetching),
    hasFailed: isSought && found.isError,
  }
}

import { useMemo } from 'react'
import { people } from '../../../records/kinds.ts'
import { useRecordNames } from '../../../records/use-record-names.ts'

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The names of the contacts whose ids a page sent as user ids, by id. */
export function useContactNames(userIds: readonly (string | null)[]): ReadonlyMap<string, string> {
  const ids = useMemo(() => userIds.filter((id) => id !== null && idPattern.test(id)), [userIds])
  return useRecordNames(people, ids as string[])
}

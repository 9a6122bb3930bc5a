import { useMemo } from 'react'
import { isId } from '../../../parts/is-id.ts'
import { people } from '../../../records/kinds.ts'
import { useRecordNames } from '../../../records/use-record-names.ts'

/** The names of the contacts whose ids a page sent as user ids, by id. */
export function useContactNames(userIds: readonly (string | null)[]): ReadonlyMap<string, string> {
  const ids = useMemo(() => userIds.filter((id) => id !== null && isId(id)), [userIds])
  return useRecordNames(people, ids as string[])
}

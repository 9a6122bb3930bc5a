import { useState } from 'react'
import { useSession } from '../../api/use-session.ts'
import { useScope } from '../../shell/scope.tsx'
import type { RecordKind } from '../kinds.ts'

/** The changes of all records that a person started, until they have seen their ends. Also after a reload. */
export function useRunningChanges(kind: RecordKind): {
  /** The changes that the page shows, the first one first. Empty: none runs, and there is no result to be shown. */
  ids: readonly string[]
  /** Stores that a change began, and shows it. */
  begin: (id: string) => void
  /** Forgets a change: the person saw how it ended. */
  forget: (id: string) => void
} {
  const { orgId } = useScope()
  const { member } = useSession()
  const key = `crosswalk.change.${member.member_id}.${orgId}.${kind.entity}`
  const stored = () => (localStorage.getItem(key) ?? '').split(' ').filter(Boolean)
  const [ids, setIds] = useState<readonly string[]>(stored)
  // Another tab may have begun or ended changes.
  const store = (next: readonly string[]) => {
    if (next.length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, next.join(' '))
    setIds(next)
  }
  return {
    ids,
    begin: (id) => store([...stored(), id]),
    forget: (id) => store(stored().filter((each) => each !== id)),
  }
}

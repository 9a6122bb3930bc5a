import { useState } from 'react'
import { useSession } from '../../api/use-session.ts'
import { useScope } from '../../shell/scope.tsx'
import type { RecordKind } from '../kinds.ts'

/** The change of all records that a person started last, until they have seen its end. Also after a reload. */
export function useRunningChange(kind: RecordKind): {
  /** The change that the page shows; null: none runs, and there is no result to be shown. */
  id: string | null
  /** Stores that a change began. Its dialog shows it. */
  begin: (id: string) => void
  /** Shows the change that began last, after its dialog was closed. */
  show: () => void
  /** Forgets the change: the person saw how it ended. */
  forget: () => void
} {
  const { orgId } = useScope()
  const { member } = useSession()
  const key = `crosswalk.change.${member.member_id}.${orgId}.${kind.entity}`
  const [id, setId] = useState(() => localStorage.getItem(key))
  return {
    id,
    begin: (next) => localStorage.setItem(key, next),
    show: () => setId(localStorage.getItem(key)),
    forget: () => {
      localStorage.removeItem(key)
      setId(null)
    },
  }
}

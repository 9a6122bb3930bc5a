import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { unended } from '../../api/unended.ts'
import { useSession } from '../../api/use-session.ts'
import { useScope } from '../../shell/scope.tsx'
import type { RecordKind } from '../kinds.ts'

/** Changes that others start meanwhile appear after this time. */
const listMs = 30_000

/**
 * The running bulk changes. A change of this person stays, even after a reload, until the person has seen its result. The
 * server lists the changes of others.
 */
export function useRunningChanges(kind: RecordKind): {
  /** The changes that the page shows, the first one first. Empty: none runs, and there is no result to be shown. */
  ids: readonly string[]
  /** Stores that a change began, and shows it. */
  begin: (id: string) => void
  /** Forgets a change: the person saw how it ended. */
  forget: (id: string) => void
} {
  const { orgId, api, can, mode } = useScope()
  const { member } = useSession()
  const key = `crosswalk.change.${member.member_id}.${orgId}.${kind.entity}`
  const stored = () => (localStorage.getItem(key) ?? '').split(' ').filter(Boolean)
  const [own, setOwn] = useState<readonly string[]>(stored)
  // Stays until the person closes it: others want to see the end, too.
  const [found, setFound] = useState<readonly string[]>([])
  const [forgotten, setForgotten] = useState<readonly string[]>([])
  const { data } = useQuery({
    queryKey: ['running changes', orgId, mode, kind.entity],
    queryFn: async ({ signal }) => {
      const idOf = ({ bulk_change_id: id }: { bulk_change_id: string }) => id
      const list = (query: object) => api.bulkChanges.list({ entity: kind.entity, ...query }, { signal })
      return (await unended(list, ['queued', 'running'], idOf)).map(idOf)
    },
    enabled: can(`${kind.resource}:write`),
    refetchInterval: listMs,
  })
  useEffect(() => {
    if (data) setFound((before) => [...new Set([...before, ...data])])
  }, [data])
  // Another tab may have begun or ended changes.
  const store = (next: readonly string[]) => {
    if (next.length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, next.join(' '))
    setOwn(next)
  }
  return {
    // The ids rise with the time.
    ids: [...new Set([...own, ...found])].filter((id) => !forgotten.includes(id)).sort(),
    begin: (id) => store([...stored(), id]),
    forget: (id) => {
      setForgotten((before) => [...before, id])
      store(stored().filter((each) => each !== id))
    },
  }
}

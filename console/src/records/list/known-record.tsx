import { useQuery } from '@tanstack/react-query'
import { Note } from '../../parts/note.tsx'
import { usePaused } from '../../parts/use-paused.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { idOf, type RecordKind } from '../kinds.ts'

/** Longer than the time between two letters. */
const pauseMs = 400

/** Whether a text can be a whole address, number or domain. Others are not searched. */
const isWhole = (text: string) => /^\S+@\S+\.\S+$|^\+?[\d\s()./-]{7,}$|^[^\s@]+\.[a-z]{2,}$/i.test(text)

/** Says that a record has the typed value already, and links to it. */
export function KnownRecord({ kind, name, value }: { kind: RecordKind; name: string; value: string }) {
  const { orgId, api, can } = useScope()
  const typed = usePaused(value.trim(), pauseMs)
  const { data: known } = useQuery({
    queryKey: ['known-record', orgId, kind.entity, name, typed],
    queryFn: async ({ signal }) => {
      const filter = { field: name, op: 'eq', value: typed } as const
      return (await kind.apiOf(api).search({ filter, limit: 1 }, { signal })).data[0] ?? null
    },
    enabled: isWhole(typed) && can(`${kind.resource}:read`),
    // A value that the server cannot read is nobody's. The form says so when it is sent.
    retry: false,
  })
  return (
    <div role="status">
      {known && typed === value.trim() && (
        <Note kind="warn">
          <Link
            className="link"
            to={`/o/$orgId${kind.path}/$recordId` as '/o/$orgId/people/$recordId'}
            params={{ orgId, recordId: idOf(kind, known) }}
          >
            {kind.nameOf(known)}
          </Link>{' '}
          has this already. A second {kind.one} may be a duplicate.
        </Note>
      )}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { RecordFilter } from '../../../../sdk/src/generated/types.ts'
import { Note } from '../../parts/note.tsx'
import { countOf, type RecordKind } from '../../records/kinds.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { addressesOf } from './import-words.ts'

const hasUnreadable = (field: string): RecordFilter => ({ field, op: 'is_null', value: false })

/** Says how many records of an import have an e-mail address or a phone number that Crosswalk could not read. */
export function UnreadableValues({ kind, importId }: { kind: RecordKind; importId: string }) {
  const { orgId, api, can } = useScope()
  const filter: RecordFilter = {
    and: [
      { field: 'import_id', op: 'eq', value: importId },
      kind.entity === 'contact'
        ? { or: [hasUnreadable('email_raw'), hasUnreadable('phone_raw')] }
        : hasUnreadable('phone_raw'),
    ],
  }
  const { data: found = 0 } = useQuery({
    queryKey: ['unreadable', orgId, importId],
    queryFn: async ({ signal }) =>
      (await kind.apiOf(api).search({ filter, limit: 1 }, { signal })).pagination.total,
    enabled: can(`${kind.resource}:read`),
  })
  if (found === 0) return null
  return (
    <Note kind="warn">
      <p>
        {countOf(kind, found)} {found === 1 ? 'has' : 'have'} {addressesOf(kind)} that could not be read. The
        text is kept: open the record and correct it.{' '}
        <Link
          className="link"
          to={`/o/$orgId${kind.path}` as '/o/$orgId/people'}
          params={{ orgId }}
          search={{ filter }}
        >
          View them
        </Link>
      </p>
    </Note>
  )
}

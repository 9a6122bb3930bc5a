import type { Event } from '../../../../sdk/src/generated/types.ts'
import { deals } from '../../records/deals/kind.ts'
import { companies, people } from '../../records/kinds.ts'
import { useRecordNames } from '../../records/use-record-names.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'

const kinds = [people, companies, deals]

/** Returns the names of the records that events are about, by id. Other objects and erased records have none. */
export function useObjectNames(events: readonly Event[]): ReadonlyMap<string, string> {
  const idsOf = (entity: string) =>
    events.flatMap(({ type, object_id: id }) => (type.startsWith(`${entity}.`) && id ? [id] : []))
  const names = [
    useRecordNames(people, idsOf('contact')),
    useRecordNames(companies, idsOf('company')),
    useRecordNames(deals, idsOf('deal')),
  ]
  return new Map(names.flatMap((some) => [...some]))
}

/** The object of an event: a link to the record if its name is known, otherwise the id. */
export function EventObject({
  event: { type, object_id: id },
  name,
}: {
  event: Event
  name?: string | undefined
}) {
  const { orgId } = useScope()
  const kind = kinds.find(({ entity }) => type.startsWith(`${entity}.`))
  return kind && name && id ? (
    <Link
      className="link"
      to={`/o/$orgId${kind.path}/$recordId` as '/o/$orgId/people/$recordId'}
      params={{ orgId, recordId: id }}
    >
      {name}
    </Link>
  ) : (
    <span className="mono">{id}</span>
  )
}

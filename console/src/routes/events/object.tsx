import { useQuery } from '@tanstack/react-query'
import type { Event } from '../../../../sdk/src/generated/types.ts'
import { useOrgNames } from '../../api/use-session.ts'
import { agenciesQuery } from '../../queries/agencies.ts'
import { deals } from '../../records/deals/kind.ts'
import { companies, people } from '../../records/kinds.ts'
import { useRecordNames } from '../../records/use-record-names.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useSettingNames } from './setting-names.ts'

const kinds = [people, companies, deals]

/**
 * Returns the names of the records, organizations and settings that events are about, by id. Other objects and erased records
 * have none, and a person who left only if the person acted in one of the events.
 */
export function useObjectNames(events: readonly Event[]): ReadonlyMap<string, string> {
  const idsOf = (entity: string) =>
    events.flatMap(({ type, object_id: id }) => (type.startsWith(`${entity}.`) && id ? [id] : []))
  const names = [
    useRecordNames(people, idsOf('contact')),
    useRecordNames(companies, idsOf('company')),
    useRecordNames(deals, idsOf('deal')),
  ]
  return new Map([
    ...namesOfActors(events),
    ...namesThen(events),
    ...useOrgNames(),
    ...useAgencyNames(events),
    ...useSettingNames(events),
    ...names.flatMap((some) => [...some]),
  ])
}

/** The names of the people who acted, by id: those who left are in no list of members. */
const namesOfActors = (events: readonly Event[]) =>
  events.flatMap(({ actor: { kind, id, name } }) =>
    kind === 'member' && id && name ? [[id, name] as const] : [],
  )

/** The names that agencies and clients had when they were linked or cut, by id: later, they may be out of reach. */
const namesThen = (events: readonly Event[]) =>
  events
    .filter(({ type }) => /^(org\.agency_|agency\.client_)/.test(type))
    .flatMap(({ object_id: id, data }) =>
      id && typeof data?.name === 'string' ? [[id, data.name] as const] : [],
    )
    // The newest name counts.
    .reverse()

/** Returns the names of the agencies that act on the organization, by id, if an event is about one. */
function useAgencyNames(events: readonly Event[]): ReadonlyMap<string, string> {
  const scope = useScope()
  const isAbout = events.some(({ type }) => type.startsWith('org.agency_'))
  const { data } = useQuery({ ...agenciesQuery(scope), enabled: scope.can('organization:read') && isAbout })
  return new Map((data?.data ?? []).map(({ org_id, name }) => [org_id, name]))
}

/** The kind of the record that an event is about. */
const kindOf = ({ type }: Event) => kinds.find(({ entity }) => type.startsWith(`${entity}.`))

/** Returns whether `EventObject` shows a link. */
export const leadsToRecord = (event: Event, name: string | undefined): boolean =>
  Boolean(kindOf(event) && name)

/** The object of an event: a link to the record if its name is known, the name of an organization or a setting, or else the id. */
export function EventObject({ event, name }: { event: Event; name?: string | undefined }) {
  const { orgId } = useScope()
  const id = event.object_id
  const kind = kindOf(event)
  return kind && name && id ? (
    <Link
      className="link"
      to={`/o/$orgId${kind.path}/$recordId` as '/o/$orgId/people/$recordId'}
      params={{ orgId, recordId: id }}
    >
      {name}
    </Link>
  ) : (
    <span className={name ? undefined : 'mono'}>{name ?? id}</span>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { CrmConnection } from '../../../../sdk/src/generated/types.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Segments, Select } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Note } from '../../parts/note.tsx'
import { Time } from '../../parts/time.tsx'
import { connectionsQuery } from '../../queries/crm-connections.ts'
import { isBroken } from '../../records/filters/conditions.ts'
import { idsOfHash, type PushKind, type PushSearch } from '../../records/push-search.ts'
import { Link } from '../../routing/link.tsx'
import { useNavigate, usePlace, useSearch } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { testQuery } from './crm-queries.ts'
import { Preview } from './preview.tsx'
import styles from './push-page.module.css'
import { RecentPushes } from './recent-pushes.tsx'
import { Who } from './who.tsx'
import { kindNames } from './words.ts'

/** Pushes people to a CRM: the address says whom. The page counts them first, and shows what the CRM gets. */
export function PushPage() {
  const scope = useScope()
  const { orgId } = scope
  const connections = useQuery(connectionsQuery(scope))
  return (
    <Page name="CRM" part="Push people">
      <Loaded query={connections}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon="push" title="No CRM is connected">
              <p className="two">A push needs a connection to a CRM.</p>
              <Link to="/o/$orgId/crm" params={{ orgId }} {...buttonLook({})}>
                Go to CRM
              </Link>
            </Empty>
          ) : (
            <Push connections={found} isReading={connections.isFetching} />
          )
        }
      </Loaded>
    </Page>
  )
}

const kindOptions = [
  ['leads', kindNames.leads],
  ['contacts', kindNames.contacts],
] as const

/** @param isReading whether a newer list of connections is on its way */
function Push({ connections, isReading }: { connections: readonly CrmConnection[]; isReading: boolean }) {
  const search = useSearch('/o/$orgId/crm/push')
  const selected = idsOfHash(usePlace().hash)
  const ids = selected ?? []
  const navigate = useNavigate('/o/$orgId/crm/push')
  const [newest] = connections
  const named = connections.find(({ connection_id }) => connection_id === search.connection)
  const connection = named ?? newest
  const isUnknown = search.connection !== undefined && !named
  // The stored list lacks a connection that was just made. Do not offer another CRM meanwhile.
  if (!connection || (isUnknown && isReading)) return null
  const kind: PushKind = !connection.supports_leads ? 'contacts' : (search.kind ?? 'leads')
  const change = (next: PushSearch, keepsIds = true) =>
    void navigate({ search: (all) => ({ ...all, ...next }), replace: true, ...(keepsIds && { hash: true }) })
  return (
    <div className={styles.columns}>
      <div className={styles.push}>
        <div className={styles.target}>
          <Select
            label="To"
            value={connection.connection_id}
            options={connections.map(({ connection_id, name }) => [connection_id, name] as const)}
            onChange={(id) => change({ connection: id })}
          />
          {connection.supports_leads && (
            <Segments
              label="As"
              value={kind}
              options={kindOptions}
              onChange={(next) => change({ kind: next })}
            />
          )}
        </div>
        {isUnknown && (
          <Note kind="warn">
            The CRM of this address is not connected any more. This push would go to {connection.name}.
          </Note>
        )}
        <Checked connection={connection} kind={kind} />
        <Who
          ids={ids}
          search={search}
          onChange={(next) => change(next)}
          onAll={() => change({ q: undefined, filter: undefined, segment: undefined }, false)}
        />
        {selected === null || (isBroken(search.filter) && ids.length === 0) ? (
          <Note kind="warn">
            The {selected === null ? 'people' : 'filter'} in this link could not be read, so nobody is pushed.
            The link may be cut off. Choose the people in People again.
          </Note>
        ) : (
          <Preview connection={connection} kind={kind} ids={ids} search={search} />
        )}
      </div>
      <RecentPushes connection={connection} />
    </div>
  )
}

/** Whether the CRM would accept the push, with what is missing. */
function Checked({ connection, kind }: { connection: CrmConnection; kind: PushKind }) {
  const scope = useScope()
  const { orgId } = scope
  const { data, dataUpdatedAt } = useQuery(testQuery(scope, connection))
  if (!data) return null
  const { works, problems } = kind === 'leads' ? data.lead : data.contact
  if (works)
    return (
      <p className="t12 three">
        {connection.name} accepts {kindNames[kind]}. Checked <Time at={dataUpdatedAt / 1000} />.
      </p>
    )
  return (
    <Note kind="warn">
      <div className="stack">
        <p>
          <b>{connection.name} would refuse this push.</b> {problems[0]}
        </p>
        <Link
          className="link"
          to="/o/$orgId/crm/connections/$connectionId"
          params={{ orgId, connectionId: connection.connection_id }}
        >
          {problems.length > 1 ? `See all ${problems.length} problems` : 'Open the connection'}
        </Link>
      </div>
    </Note>
  )
}

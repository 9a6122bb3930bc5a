import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CrmConnection, CrmJob } from '../../../../sdk/src/generated/types.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { connectionsQuery } from '../../queries/crm-connections.ts'
import { Link } from '../../routing/link.tsx'
import { useNavigate } from '../../routing/use-router.ts'
import { FirstOne } from '../../shell/first-one.tsx'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { jobsQuery } from './crm-queries.ts'
import { JobRow } from './job-row.tsx'
import { ThresholdDialog } from './threshold-dialog.tsx'
import { peopleWords, providerNames } from './words.ts'

/** The CRMs that the organization pushes people to, and its pushes. */
export function CrmPage() {
  const scope = useScope()
  const { orgId, can } = scope
  const [isConnecting, setConnecting] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const connections = useQuery(connectionsQuery(scope))
  const connect = can('crm:manage') ? () => setConnecting(true) : null
  const mayPush = can('crm:write') && can('contacts:read') && (connections.data?.length ?? 0) > 0
  return (
    <Page
      name="CRM"
      acts={
        <>
          {connect && (
            <Button icon="plus" onClick={connect}>
              Connect a CRM
            </Button>
          )}
          {mayPush && (
            <Link to="/o/$orgId/crm/push" params={{ orgId }} {...buttonLook({ kind: 'main' })}>
              <Icon name="push" />
              <span>Push people</span>
            </Link>
          )}
        </>
      }
    >
      <Loaded query={connections}>
        {(found) =>
          found.length === 0 ? <NoConnections onConnect={connect} /> : <Connected connections={found} />
        }
      </Loaded>
      {isConnecting && (
        <ConnectDialog
          onClose={() => setConnecting(false)}
          onConnected={({ connection_id: connectionId }) => {
            setConnecting(false)
            void queries.invalidateQueries({ queryKey: ['crm-connections', orgId] })
            void navigate({ to: '/o/$orgId/crm/connections/$connectionId', params: { orgId, connectionId } })
          }}
        />
      )}
    </Page>
  )
}

const connectionColumns = [
  { name: 'Connection' },
  { name: 'Status', width: 220, phoneWidth: 150 },
  { name: 'CRM', width: 140, optional: true },
  { name: 'Connected', width: 140, optional: true },
]

const jobColumns = [
  { name: 'Push' },
  { name: 'Status', width: 220, phoneWidth: 150 },
  { name: 'People', width: 110, optional: true, isNumber: true },
  { name: 'Failed', width: 90, optional: true, isNumber: true },
  { name: 'When', width: 140, optional: true },
]

function Connected({ connections }: { connections: readonly CrmConnection[] }) {
  const scope = useScope()
  const { orgId, api, can } = scope
  const [isOpen, setOpen] = useState(false)
  const jobs = useInfiniteQuery(jobsQuery(scope))
  const settings = useQuery({
    queryKey: ['crm-settings', orgId],
    queryFn: async ({ signal }) => api.crm.settings.get({ signal }),
  })
  return (
    <>
      <div className="pad">
        <h2>Connections</h2>
      </div>
      <Table label="Connections" columns={connectionColumns}>
        {connections.map((connection) => (
          <ConnectionRow key={connection.connection_id} connection={connection} />
        ))}
      </Table>
      <Section
        title="Pushes"
        about={
          settings.data &&
          `A push of more than ${peopleWords(settings.data.threshold)} needs a confirmation: here you type the number of people, and programs confirm it in the request.`
        }
        act={
          can('crm:manage') &&
          settings.data && <Button onClick={() => setOpen(true)}>Change the limit</Button>
        }
      >
        <Loaded query={jobs}>
          {({ pages }) => (
            <>
              <Jobs jobs={pages.flatMap(({ data }) => data)} connections={connections} />
              {jobs.hasNextPage && <NextPageButton query={jobs} act="Show older pushes" end="" />}
            </>
          )}
        </Loaded>
      </Section>
      {isOpen && settings.data && (
        <ThresholdDialog
          threshold={settings.data.threshold}
          onClose={() => setOpen(false)}
          onSaved={() => {
            setOpen(false)
            void settings.refetch()
          }}
        />
      )}
    </>
  )
}

function Jobs({ jobs, connections }: { jobs: readonly CrmJob[]; connections: readonly CrmConnection[] }) {
  if (jobs.length === 0) return <p className="pad two">Nothing was pushed yet.</p>
  const names = new Map(connections.map(({ connection_id, name }) => [connection_id, name]))
  return (
    <Table label="Pushes" columns={jobColumns}>
      {jobs.map((job) => (
        <JobRow
          key={job.job_id}
          job={job}
          connection={names.get(job.connection_id) ?? 'a deleted connection'}
        />
      ))}
    </Table>
  )
}

function ConnectionRow({ connection }: { connection: CrmConnection }) {
  const { orgId } = useScope()
  const { connection_id: connectionId, name, provider, status, created_at } = connection
  return (
    <tr>
      <th scope="row">
        <Link
          className="cut link"
          to="/o/$orgId/crm/connections/$connectionId"
          params={{ orgId, connectionId }}
        >
          {name}
        </Link>
      </th>
      <td>
        {status === 'ok' ? <State kind="ok">connected</State> : <State kind="bad">needs attention</State>}
      </td>
      <td className="opt">{providerNames[provider]}</td>
      <td className="opt">
        <Time at={created_at} />
      </td>
    </tr>
  )
}

const NoConnections = ({ onConnect }: { onConnect: (() => void) | null }) => (
  <Empty icon="push" title="No CRM is connected">
    <p className="two">
      Push people as Leads or Contacts to HubSpot, Salesforce or EspoCRM. Each person exists there once, even
      if you push again. The sandbox simulates a CRM.
    </p>
    {onConnect && (
      <FirstOne
        act="Connect a CRM"
        onAct={onConnect}
        path="/integrations/crm-sync/connections"
        body={{ provider: 'sandbox' }}
      />
    )}
  </Empty>
)

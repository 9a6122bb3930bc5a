import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CreatedWebhookEndpoint, WebhookEndpoint } from '../../../../../sdk/src/generated/types.ts'
import { liveInterval } from '../../../api/live.ts'
import { Button } from '../../../parts/button.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Table } from '../../../parts/table.tsx'
import { endpointsQuery } from '../../../queries/webhook-endpoints.ts'
import { useNavigate } from '../../../routing/use-router.ts'
import { FirstOne } from '../../../shell/first-one.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsActions } from '../../../shell/settings-actions.tsx'
import { SettingsHead } from '../../../shell/settings-head.tsx'
import { useKey } from '../../../shell/use-key.ts'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { EndpointRow } from './endpoint-row.tsx'
import { EndpointSecretDialog } from './endpoint-secret-dialog.tsx'
import { isInTrouble } from './status.ts'

type Open = { kind: 'create' } | { kind: 'secret'; created: CreatedWebhookEndpoint }

const columns = [
  { name: 'Address' },
  { name: 'Status', width: 240, phoneWidth: 130 },
  { name: 'Events', width: 180, optional: true },
  { name: 'Last success', width: 140, optional: true },
]

/** The webhook endpoints of the organization, in the mode that the console shows. */
export function WebhooksPage() {
  const scope = useScope()
  const { orgId, mode, can } = scope
  const [open, setOpen] = useState<Open | null>(null)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const query = endpointsQuery(scope)
  const endpoints = useQuery({
    ...query,
    refetchInterval: liveInterval(({ data }: { data: WebhookEndpoint[] }) => data.some(isInTrouble)),
  })
  const mayManage = can('webhooks:manage')
  const create = () => setOpen({ kind: 'create' })
  const close = () => setOpen(null)
  useKey('c', () => mayManage && create())
  return (
    <>
      <SettingsActions>
        {mayManage && (
          <Button kind="main" icon="plus" shortcut="C" onClick={create}>
            New endpoint
          </Button>
        )}
      </SettingsActions>
      <SettingsHead title="Webhooks">
        Crosswalk sends each event to the endpoints that want it, usually within a second.{' '}
        {mode === 'test'
          ? 'The endpoints of test mode get only events that test keys caused.'
          : 'Endpoints of test mode are separate: switch to test mode to see them.'}
      </SettingsHead>
      <Loaded query={endpoints}>
        {({ data }) =>
          data.length === 0 ? (
            <NoEndpoints onCreate={mayManage ? create : null} />
          ) : (
            <div className="rule">
              <Table label="Webhook endpoints" columns={columns}>
                {data.map((endpoint) => (
                  <EndpointRow key={endpoint.endpoint_id} endpoint={endpoint} />
                ))}
              </Table>
            </div>
          )
        }
      </Loaded>
      {open?.kind === 'create' && (
        <EndpointDialog
          endpoint={null}
          onClose={close}
          onCreated={(created) => {
            setOpen({ kind: 'secret', created })
            void queries.invalidateQueries(query)
          }}
        />
      )}
      {open?.kind === 'secret' && (
        <EndpointSecretDialog
          created={open.created}
          onClose={() => {
            close()
            const endpointId = open.created.endpoint_id
            void navigate({ to: '/o/$orgId/settings/webhooks/$endpointId', params: { orgId, endpointId } })
          }}
        />
      )}
    </>
  )
}

const NoEndpoints = ({ onCreate }: { onCreate: (() => void) | null }) => (
  <Empty icon="push" title="No program gets events yet">
    <p className="two">
      An endpoint is an address of your own server. It gets a signed request for each change of the chosen
      types.
    </p>
    {onCreate && (
      <FirstOne
        act="Create an endpoint"
        onAct={onCreate}
        path="/webhooks/endpoints"
        body={{ url: 'https://crm.example.com/crosswalk', types: ['contact.*'] }}
      />
    )}
  </Empty>
)

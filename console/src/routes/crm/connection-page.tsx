import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CrmConnection } from '../../../../sdk/src/generated/types.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Confirmation } from '../../parts/confirmation.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { OldData } from '../../parts/old-data.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toast.tsx'
import { Link } from '../../routing/link.tsx'
import { useNavigate, useParams } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { EditConnectionDialog } from './edit-connection-dialog.tsx'
import { FieldMapDialog } from './field-map-dialog.tsx'
import { TestReport } from './test-report.tsx'
import { providerNames } from './words.ts'

const pollMs = 5_000

/** A connection to a CRM: whether it works, what is missing, and which field goes where. */
export function ConnectionPage() {
  const { orgId, api } = useScope()
  const { connectionId } = useParams('/o/$orgId/crm/connections/$connectionId')
  const connection = useQuery({
    queryKey: ['crm-connection', orgId, connectionId],
    queryFn: ({ signal }) => api.crm.connections.get(connectionId, { signal }),
    refetchInterval: pollMs,
  })
  return (
    <Page name="CRM" part={connection.data?.name ?? 'Connection'}>
      <OldData query={connection} name="connection" seconds={pollMs / 1_000} />
      <Loaded query={connection}>{(found) => <Found key={found.connection_id} connection={found} />}</Loaded>
    </Page>
  )
}

function Found({ connection }: { connection: CrmConnection }) {
  const { orgId, api, can } = useScope()
  const [open, setOpen] = useState<'edit' | 'fields' | 'delete' | null>(null)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { connection_id: connectionId, name, provider } = connection
  const mayManage = can('crm:manage')
  const close = () => setOpen(null)
  const saved = () => {
    close()
    showToast('The connection is saved.')
    void queries.invalidateQueries({ queryKey: ['crm-connection', orgId, connectionId] })
    void queries.invalidateQueries({ queryKey: ['crm-connections', orgId] })
  }
  return (
    <>
      <div className="pad stack g12">
        <p className="t12">
          <Link to="/o/$orgId/crm" params={{ orgId }} className="link">
            All connections
          </Link>
        </p>
        <h2 className="t16">{name}</h2>
        <div className="rail wrap">
          {can('crm:write') && can('contacts:read') && (
            <Link
              to="/o/$orgId/crm/push"
              params={{ orgId }}
              search={{ connection: connectionId }}
              {...buttonLook({ kind: 'main' })}
            >
              <Icon name="push" />
              <span>Push people</span>
            </Link>
          )}
          {mayManage && (
            <>
              <Button onClick={() => setOpen('edit')}>Edit</Button>
              <Button kind="quiet" danger onClick={() => setOpen('delete')}>
                Disconnect
              </Button>
            </>
          )}
        </div>
        <ConnectionFacts connection={connection} />
      </div>
      <TestReport connection={connection} onMap={mayManage ? () => setOpen('fields') : null} />
      {open === 'edit' && <EditConnectionDialog connection={connection} onClose={close} onSaved={saved} />}
      {open === 'fields' && <FieldMapDialog connection={connection} onClose={close} onSaved={saved} />}
      {open === 'delete' && (
        <Confirmation
          title={`Disconnect ${name}?`}
          act="Disconnect"
          work={() => api.crm.connections.delete(connectionId)}
          onClose={close}
          onDone={() => {
            showToast(`${name} is disconnected.`)
            void queries.invalidateQueries({ queryKey: ['crm-connections', orgId] })
            void navigate({ to: '/o/$orgId/crm', params: { orgId } })
          }}
        >
          <p>
            Crosswalk deletes the credentials, and forgets which record in {providerNames[provider]} belongs
            to which person. Running pushes are canceled. The CRM keeps its records.
          </p>
        </Confirmation>
      )}
    </>
  )
}

const ConnectionFacts = ({ connection }: { connection: CrmConnection }) => (
  <Facts>
    <Fact name="CRM">{providerNames[connection.provider]}</Fact>
    {Object.entries(connection.credentials).map(([name, hint]) => (
      <Fact key={name} name={credentialNames[name] ?? name}>
        {/* A short credential has no visible end. */}
        {hint === '…' ? 'stored' : <span className="mono">{hint}</span>}
      </Fact>
    ))}
    <Fact name="Field for the Crosswalk id">
      <span className="mono">{connection.settings.external_id_field}</span>
    </Fact>
    <Fact name="Duplicates in the CRM">
      {connection.settings.allow_duplicates ? 'created anyway' : 'refused by the CRM'}
    </Fact>
    <Fact name="Connected">
      <Time at={connection.created_at} />
    </Fact>
    <Fact name="Connection id" wide>
      <span className="mono cut">{connection.connection_id}</span>
      <CopyButton text={connection.connection_id} />
    </Fact>
  </Facts>
)

const credentialNames: Record<string, string> = {
  access_token: 'Access token',
  api_key: 'API key',
  client_id: 'Consumer key',
  client_secret: 'Consumer secret',
  private_key: 'Private key',
  refresh_token: 'Refresh token',
  url: 'Address',
  username: 'User',
}

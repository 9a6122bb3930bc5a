import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiKey, CreatedApiKey } from '../../../../../sdk/src/generated/types.ts'
import { Button, ButtonLink } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { CopyButton } from '../../../parts/copy.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Table } from '../../../parts/table.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { apiKeysQuery } from '../../../queries/api-keys.ts'
import { CurlCode, useCurl } from '../../../shell/curl-code.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsActions } from '../../../shell/settings-actions.tsx'
import { SettingsHead } from '../../../shell/settings-head.tsx'
import { useKey } from '../../../shell/use-key.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { ExpiryLine } from './expiry-line.tsx'
import { KeyRow } from './key-row.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { TokenDialog } from './token-dialog.tsx'

type Open =
  | { kind: 'create' }
  | { kind: 'rotate' | 'delete'; key: ApiKey }
  | { kind: 'token'; created: CreatedApiKey }

const columns = [
  { name: 'Name' },
  { name: 'Token', width: 132, optional: true },
  { name: 'Permissions', width: 128, optional: true },
  { name: 'Last used', width: 112, optional: true },
  { name: 'Expires', width: 124, phoneWidth: 104 },
  { name: 'Actions', width: 210, phoneWidth: 104, isHidden: true },
]

/** The API keys of the organization. */
export function ApiKeysPage() {
  const scope = useScope()
  const { orgId, membership, api, can } = scope
  const [open, setOpen] = useState<Open | null>(null)
  const queries = useQueryClient()
  const query = apiKeysQuery(scope)
  const keys = useQuery({ ...query, refetchInterval: 30_000 })
  // In a sandbox, the other organization is the one that made the sandbox.
  const isOfAgency = ({ created_by_org_id: madeBy }: ApiKey) =>
    madeBy !== null && madeBy !== orgId && membership.via !== 'sandbox'
  const mayManage = can('api_keys:manage')
  const close = () => setOpen(null)
  const refresh = () => queries.invalidateQueries(query)
  const showToken = (created: CreatedApiKey) => {
    setOpen({ kind: 'token', created })
    void refresh()
  }
  useKey('c', () => mayManage && setOpen({ kind: 'create' }))
  return (
    <>
      <SettingsActions>
        <ButtonLink kind="quiet" icon="open" href="/docs">
          <span className="wide-label">Reference</span>
        </ButtonLink>
        {mayManage && (
          <Button kind="main" icon="plus" shortcut="C" onClick={() => setOpen({ kind: 'create' })}>
            New key
          </Button>
        )}
      </SettingsActions>
      <SettingsHead title="API keys">
        Programs send a key with each request. The token of a key is shown once, when it is made. Crosswalk
        stores only a hash of it.
      </SettingsHead>
      <Loaded query={keys}>
        {({ keys }) =>
          keys.length === 0 ? (
            <NoKeys onCreate={mayManage ? () => setOpen({ kind: 'create' }) : null} />
          ) : (
            <>
              <div className="rule">
                <Table label="API keys" columns={columns}>
                  {keys.map((key) => (
                    <KeyRow
                      key={key.api_key_id}
                      apiKey={key}
                      isOfAgency={isOfAgency(key)}
                      onRotate={mayManage ? () => setOpen({ kind: 'rotate', key }) : null}
                      onDelete={mayManage ? () => setOpen({ kind: 'delete', key }) : null}
                    />
                  ))}
                </Table>
              </div>
              <ExpiryLine keys={keys} />
              <Sample />
            </>
          )
        }
      </Loaded>
      {open?.kind === 'create' && <CreateKeyDialog onClose={close} onCreated={showToken} />}
      {open?.kind === 'rotate' && <RotateDialog apiKey={open.key} onClose={close} onRotated={showToken} />}
      {open?.kind === 'token' && <TokenDialog created={open.created} onClose={close} />}
      {open?.kind === 'delete' && (
        <Confirmation
          title={`Delete “${open.key.name}”?`}
          act="Delete"
          work={async () => api.apiKeys.delete(open.key.api_key_id)}
          onClose={close}
          onDone={() => {
            close()
            showToast(`The key “${open.key.name}” was deleted.`)
            void refresh()
          }}
        >
          <p>Programs that use …{open.key.token_hint} are refused at once. A deleted key cannot come back.</p>
        </Confirmation>
      )}
    </>
  )
}

const samplePath = '/contacts?limit=3'

const Sample = () => (
  <div className="pad stack opt">
    <div className="rail">
      <h3>Try a key</h3>
      <span className="end">
        <CopyButton text={useCurl()(samplePath)} />
      </span>
    </div>
    <CurlCode label="A request with curl" path={samplePath} />
  </div>
)

const NoKeys = ({ onCreate }: { onCreate: (() => void) | null }) => (
  <Empty icon="key" title="There is no API key yet">
    <p className="two">A program needs a key to read and write the records of this organization.</p>
    {onCreate && <Button onClick={onCreate}>Create a key</Button>}
    <CurlCode label="A request with curl" path={samplePath} />
  </Empty>
)

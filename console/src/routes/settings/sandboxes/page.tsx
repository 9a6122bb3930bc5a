import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CreatedSandbox, Sandbox } from '../../../../../sdk/src/generated/types.ts'
import { liveInterval } from '../../../api/live.ts'
import { sessionQuery } from '../../../api/session.ts'
import { Button } from '../../../parts/button.tsx'
import { Code } from '../../../parts/code.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { curl } from '../../../parts/curl.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { OnceDialog } from '../../../parts/once-dialog.tsx'
import { Secret } from '../../../parts/secret.tsx'
import { Table } from '../../../parts/table.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useNavigate } from '../../../routing/use-router.ts'
import { FirstOne } from '../../../shell/first-one.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsActions } from '../../../shell/settings-actions.tsx'
import { SettingsHead } from '../../../shell/settings-head.tsx'
import { useKey } from '../../../shell/use-key.ts'
import { CreateSandboxDialog } from './create-sandbox-dialog.tsx'
import { SandboxRow } from './sandbox-row.tsx'

type Open =
  | { kind: 'create' }
  | { kind: 'token'; created: CreatedSandbox }
  | { kind: 'delete'; sandbox: Sandbox }

const columns = [
  { name: 'Name' },
  { name: 'Content', width: 120, optional: true },
  { name: 'Status', width: 116, optional: true },
  { name: 'Created', width: 108, optional: true },
  { name: 'Expires', width: 104, phoneWidth: 100 },
  { name: 'Actions', width: 140, isHidden: true },
]

/** The sandboxes of the organization: throw-away organizations for trials. */
export function SandboxesPage() {
  const { orgId, api, can, membership } = useScope()
  const [open, setOpen] = useState<Open | null>(null)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const queryKey = ['sandboxes', orgId]
  const sandboxes = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.sandboxes.list({}, { signal }),
    refetchInterval: liveInterval(
      ({ data }: { data: Sandbox[] }) => data.some(({ status }) => status === 'preparing'),
      30_000,
    ),
  })
  const isSandbox = membership.via === 'sandbox'
  // People of an agency do not reach the sandboxes of its clients.
  const mayOpen = membership.via !== 'agency'
  const mayManage = can('organization:manage') && !isSandbox
  const close = () => setOpen(null)
  const create = () => setOpen({ kind: 'create' })
  // The session lists the sandboxes that the person reaches.
  const refresh = () =>
    Promise.all([queries.invalidateQueries({ queryKey }), queries.refetchQueries(sessionQuery)])
  const enter = async ({ org_id: sandboxId, name }: Pick<Sandbox, 'org_id' | 'name'>) => {
    try {
      const { memberships } = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
      if (memberships.every(({ org_id }) => org_id !== sandboxId))
        return showToast(`You may not open “${name}”. It may be deleted already.`, 'bad')
      await navigate({ to: '/o/$orgId', params: { orgId: sandboxId } })
    } catch {
      showToast(`“${name}” did not open: the server did not answer. Try again.`, 'bad')
    }
  }
  useKey('c', () => mayManage && create())
  return (
    <>
      <SettingsActions>
        {mayManage && (
          <Button kind="main" icon="plus" shortcut="C" onClick={create}>
            New sandbox
          </Button>
        )}
      </SettingsActions>
      <SettingsHead title="Sandboxes">
        A sandbox is an organization for trials. Its calls, CRM pushes and signature installs are simulated.
        Crosswalk deletes it, with everything in it, after at most 30 days.
        {!mayOpen &&
          ` Only members of ${membership.org_name} open its sandboxes in the console; your programs use the key of the sandbox.`}
      </SettingsHead>
      {isSandbox ? (
        <Empty icon="code" title="This is a sandbox">
          <p className="two">
            A sandbox has no sandboxes. Go to the organization that made it to create another one.
          </p>
        </Empty>
      ) : (
        <Loaded query={sandboxes}>
          {({ data }) =>
            data.length === 0 ? (
              <NoSandboxes onCreate={mayManage ? create : null} />
            ) : (
              <div className="rule">
                <Table label="Sandboxes" columns={columns}>
                  {data.map((sandbox) => (
                    <SandboxRow
                      key={sandbox.org_id}
                      sandbox={sandbox}
                      onOpen={mayOpen ? () => void enter(sandbox) : null}
                      onDelete={mayManage ? () => setOpen({ kind: 'delete', sandbox }) : null}
                    />
                  ))}
                </Table>
              </div>
            )
          }
        </Loaded>
      )}
      {open?.kind === 'create' && (
        <CreateSandboxDialog
          onClose={close}
          onCreated={(created) => {
            setOpen({ kind: 'token', created })
            void refresh()
          }}
        />
      )}
      {open?.kind === 'token' && <TokenDialog created={open.created} mayOpen={mayOpen} onClose={close} />}
      {open?.kind === 'delete' && (
        <Confirmation
          title={`Delete “${open.sandbox.name}”?`}
          act="Delete"
          typed={open.sandbox.name}
          work={async () => api.sandboxes.delete(open.sandbox.org_id)}
          onClose={close}
          onDone={() => {
            close()
            showToast(`The sandbox “${open.sandbox.name}” was deleted.`)
            void refresh()
          }}
        >
          <p>
            Its records, settings and API keys are deleted. They cannot come back. Your own organization is
            not changed.
          </p>
        </Confirmation>
      )}
    </>
  )
}

const TokenDialog = ({
  created,
  mayOpen,
  onClose,
}: {
  created: CreatedSandbox
  mayOpen: boolean
  onClose: () => void
}) => (
  <OnceDialog
    title="Copy the token now"
    reminder="Copy the token first, then tick “I have stored it”."
    onClose={onClose}
  >
    <p className="two">
      Nobody can see it again. If it is lost,{' '}
      {mayOpen
        ? 'open the sandbox and create another key there.'
        : 'delete the sandbox and create another one.'}
    </p>
    <Secret label={`First key of “${created.name}”, test`} value={created.api_key_token} />
    <Code label="A request with the key">
      {`export CROSSWALK_KEY=svc_test_…\n${curl('/contacts?limit=3')}`}
    </Code>
  </OnceDialog>
)

const NoSandboxes = ({ onCreate }: { onCreate: (() => void) | null }) => (
  <Empty icon="code" title="There is no sandbox yet">
    <p className="two">Try an import, a merge or a program without a risk to your own records.</p>
    {onCreate && (
      <FirstOne
        act="Create a sandbox"
        onAct={onCreate}
        path="/organization/sandboxes"
        body={{ name: 'Trial of the import', copy: 'sample' }}
      />
    )}
  </Empty>
)

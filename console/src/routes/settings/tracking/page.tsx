import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, ButtonLink } from '../../../parts/button.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Table } from '../../../parts/table.tsx'
import { writeKeysQuery } from '../../../queries/write-keys.ts'
import { useNavigate } from '../../../routing/use-router.ts'
import { FirstOne } from '../../../shell/first-one.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsActions } from '../../../shell/settings-actions.tsx'
import { SettingsHead } from '../../../shell/settings-head.tsx'
import { useKey } from '../../../shell/use-key.ts'
import { Identity } from './identity.tsx'
import { Privacy } from './privacy.tsx'
import { Received } from './received.tsx'
import { WriteKeyDialog } from './write-key-dialog.tsx'
import { WriteKeyRow } from './write-key-row.tsx'

const columns = [
  { name: 'Name' },
  { name: 'Key', width: 340, optional: true },
  { name: 'Sites', width: 150, optional: true },
  { name: 'Last event', width: 112, phoneWidth: 130 },
]

/** The write keys of the organization, of both modes. */
export function TrackingPage() {
  const scope = useScope()
  const { orgId, mode, can } = scope
  const [isCreating, setCreating] = useState(false)
  const navigate = useNavigate()
  const keys = useQuery({ ...writeKeysQuery(scope), refetchInterval: 5_000 })
  const create = can('tracking:manage') ? () => setCreating(true) : null
  useKey('c', () => create?.())
  return (
    <>
      <SettingsActions>
        <ButtonLink kind="quiet" icon="open" href="/guides/reference/tracking">
          <span className="wide-label">Reference</span>
        </ButtonLink>
        {create && (
          <Button kind="main" icon="plus" shortcut="C" onClick={create}>
            New key
          </Button>
        )}
      </SettingsActions>
      <SettingsHead title="Tracking">
        A web page sends events with a write key. Everybody can read the key in the source of the page. It can
        add events, and read nothing.
      </SettingsHead>
      <Loaded query={keys}>
        {(found) =>
          found.length === 0 ? (
            <NoKeys onCreate={create} />
          ) : (
            <>
              <div className="rule">
                <Table label="Write keys" columns={columns}>
                  {found.map((key) => (
                    <WriteKeyRow key={key.write_key_id} writeKey={key} />
                  ))}
                </Table>
              </div>
              <Received mode={mode} writeKeyId={null} />
              <Identity />
              <Privacy />
            </>
          )
        }
      </Loaded>
      {isCreating && (
        <WriteKeyDialog
          writeKey={null}
          onClose={() => setCreating(false)}
          onCreated={({ write_key_id: writeKeyId }) => {
            // First, so that the form does not ask whether to discard what was saved.
            setCreating(false)
            void navigate({ to: '/o/$orgId/settings/tracking/$writeKeyId', params: { orgId, writeKeyId } })
          }}
        />
      )}
    </>
  )
}

const NoKeys = ({ onCreate }: { onCreate: (() => void) | null }) => (
  <Empty icon="activity" title="No page sends events yet">
    <p className="two">
      {onCreate
        ? 'Create a write key. You get a snippet for your pages, and see here when the first event arrives.'
        : 'Pages need a write key. Ask an owner or admin to create one.'}
    </p>
    {onCreate && (
      <FirstOne
        act="Create a write key"
        onAct={onCreate}
        path="/write-keys"
        body={{ name: 'www.example.com', origins: ['https://www.example.com'] }}
      />
    )}
  </Empty>
)

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '../../../api/generated/types.ts'
import { passkeyObstacle } from '../../../api/passkeys.ts'
import { sessionQuery } from '../../../api/session.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { MenuButton } from '../../../parts/menu.tsx'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { State } from '../../../parts/state.tsx'
import { RowActions, Table } from '../../../parts/table.tsx'
import { Time } from '../../../parts/time.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { PasskeyAddress } from '../../../sign-in/passkey-address.tsx'
import { AddPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'

type Open = { kind: 'add' } | { kind: 'rename' | 'delete'; passkey: Passkey }

const columns = [
  { name: 'Name' },
  { name: 'Stored', width: 240, optional: true },
  { name: 'Added', width: 128, optional: true },
  { name: 'Last used', width: 128 },
  { name: 'Actions', width: 64, isHidden: true },
]

/** The passkeys of the person. */
export function PasskeysSection() {
  const { api } = useScope()
  const [open, setOpen] = useState<Open | null>(null)
  const queries = useQueryClient()
  const passkeys = useQuery({
    queryKey: ['passkeys'],
    queryFn: ({ signal }) => api.session.passkeys.list({ signal }),
  })
  const close = () => setOpen(null)
  const finish = (text: string) => {
    close()
    showToast(text)
    void queries.invalidateQueries({ queryKey: ['passkeys'] })
    void queries.invalidateQueries(sessionQuery)
  }
  const obstacle = passkeyObstacle()
  return (
    <Section
      title="Passkeys"
      about="Your fingerprint, face or device PIN instead of a password. A passkey works only at this site, so nobody can steal it with a false page."
      act={
        obstacle === null && (
          <Button icon="plus" onClick={() => setOpen({ kind: 'add' })}>
            Add a passkey
          </Button>
        )
      }
    >
      {obstacle === 'address' && (
        <SectionBody>
          <PasskeyAddress />
        </SectionBody>
      )}
      <Loaded query={passkeys} rows={1}>
        {(list) =>
          list.length === 0 ? (
            <SectionBody>
              <p className="three">You have no passkey.</p>
            </SectionBody>
          ) : (
            <div className="rule">
              <Table label="Passkeys" columns={columns}>
                {list.map((passkey) => (
                  <Row
                    key={passkey.passkey_id}
                    passkey={passkey}
                    onOpen={(kind) => setOpen({ kind, passkey })}
                  />
                ))}
              </Table>
            </div>
          )
        }
      </Loaded>
      {open?.kind === 'add' && (
        <AddPasskeyDialog onClose={close} onDone={({ name }) => finish(`The passkey “${name}” was added.`)} />
      )}
      {open?.kind === 'rename' && (
        <RenamePasskeyDialog
          passkey={open.passkey}
          onClose={close}
          onDone={({ name }) => finish(`The passkey is called “${name}” now.`)}
        />
      )}
      {open?.kind === 'delete' && (
        <Confirmation
          title={`Delete “${open.passkey.name}”?`}
          act="Delete"
          work={async () => api.session.passkeys.delete(open.passkey.passkey_id)}
          onClose={close}
          onDone={() => finish(`The passkey “${open.passkey.name}” was deleted.`)}
        >
          <p>
            It no longer signs you in. The device may still offer it: remove it there too, in the settings of
            the device or of its password manager.
          </p>
        </Confirmation>
      )}
    </Section>
  )
}

function Row({ passkey, onOpen }: { passkey: Passkey; onOpen: (kind: 'rename' | 'delete') => void }) {
  const { name, host, is_synced, created_at, used_at } = passkey
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="opt">
        {host !== location.hostname ? (
          <State kind="warn">works only at {host}</State>
        ) : is_synced ? (
          'copied to your devices'
        ) : (
          'on one device'
        )}
      </td>
      <td className="opt">
        <Time at={created_at} />
      </td>
      <td>
        <Time at={used_at} />
      </td>
      <td>
        <RowActions>
          <MenuButton
            label={`Actions for ${name}`}
            acts={[
              { name: 'Rename', icon: 'settings', run: () => onOpen('rename') },
              { name: 'Delete', icon: 'trash', danger: true, run: () => onOpen('delete') },
            ]}
          />
        </RowActions>
      </td>
    </tr>
  )
}

import { useState } from 'react'
import type { Passkey } from '../../../api/generated/types.ts'
import { makePasskey } from '../../../api/passkeys.ts'
import { browserName } from '../../../parts/browser-name.ts'
import { TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'

type Ends = { onClose: () => void; onDone: (passkey: Passkey) => void }

/** Makes a passkey on a device, and stores its public key. */
export function AddPasskeyDialog(ends: Ends) {
  const { api } = useScope()
  const add = async (name: string) => {
    const { options } = await api.session.passkeys.options()
    return api.session.passkeys.add({ name, credential: await makePasskey(options) })
  }
  return (
    <NameDialog
      title="Add a passkey"
      act="Continue"
      name={browserName(navigator.userAgent)}
      hint="So that you recognize it in the list, such as “Laptop”. Next, your browser asks where to keep it."
      work={add}
      {...ends}
    />
  )
}

export function RenamePasskeyDialog({ passkey: { passkey_id, name }, ...ends }: Ends & { passkey: Passkey }) {
  const { api } = useScope()
  return (
    <NameDialog
      title={`Rename “${name}”`}
      act="Save"
      name={name}
      work={async (next) => api.session.passkeys.rename(passkey_id, { name: next })}
      {...ends}
    />
  )
}

function NameDialog({
  title,
  act,
  name: known,
  hint,
  work,
  onClose,
  onDone,
}: Ends & {
  title: string
  act: string
  name: string
  hint?: string
  work: (name: string) => Promise<Passkey>
}) {
  const [name, setName] = useState(known)
  const form = useSubmit(() => work(name), { places: ['name'], onDone })
  return (
    <FormDialog title={title} act={act} form={form} onClose={onClose}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={form.errorAt('name')}
        hint={hint}
        maxLength={100}
        required
        autoFocus
      />
    </FormDialog>
  )
}

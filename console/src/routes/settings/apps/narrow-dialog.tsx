import { useState } from 'react'
import type { ConnectedApp } from '../../../../../sdk/src/generated/types.ts'
import { actsOutside, appPermissionName } from '../../../parts/app-permissions.ts'
import { Checkbox, FieldError } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { Connected } from './connected.tsx'

/** Takes permissions from a connected app. */
export function NarrowDialog({
  app,
  onClose,
  onDone,
}: {
  app: ConnectedApp
  onClose: () => void
  onDone: () => void
}) {
  const { api } = useScope()
  const [kept, setKept] = useState<readonly string[]>(app.permissions)
  const form = useSubmit(
    async () => api.connectedApps.narrow(app.connected_app_id, { permissions: kept } as never),
    { places: ['permissions'], onDone },
  )
  const tick = (permission: string) => (isOn: boolean) =>
    setKept(app.permissions.filter((each) => (each === permission ? isOn : kept.includes(each))))
  const problem =
    kept.length === 0
      ? 'Leave at least one. To take everything, disconnect the app.'
      : form.errorAt('permissions')
  return (
    <FormDialog
      title={`What ${app.client_name} may do`}
      act="Save"
      form={form}
      isBlocked={kept.length === 0}
      isDraft={kept.length < app.permissions.length}
      onClose={onClose}
    >
      <p className="two">
        <Connected app={app} /> Uncheck what the app may no longer do. To let it do more, connect it again in
        the app.
      </p>
      <fieldset className="stack">
        <legend className="sr">Permissions</legend>
        {app.permissions.map((permission) => (
          <Checkbox key={permission} checked={kept.includes(permission)} onChange={tick(permission)}>
            {appPermissionName(permission)}
            {actsOutside(permission) && <span className="three"> · a person approves each one</span>}
          </Checkbox>
        ))}
        {problem && <FieldError>{problem}</FieldError>}
      </fieldset>
    </FormDialog>
  )
}

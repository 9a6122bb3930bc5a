import { useState } from 'react'
import type { ApiKey, CreatedApiKey } from '../../../../../sdk/src/generated/types.ts'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { type Grace, GraceField } from '../../../parts/grace-field.tsx'
import { fullTime } from '../../../parts/times.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'

/** Replaces a key, and asks for how long the old token continues to work. */
export function RotateDialog({
  apiKey,
  onClose,
  onRotated,
}: {
  apiKey: ApiKey
  onClose: () => void
  onRotated: (created: CreatedApiKey) => void
}) {
  const { api } = useScope()
  const [grace, setGrace] = useState<Grace>('3600')
  const form = useSubmit(
    async () => api.apiKeys.rotate(apiKey.api_key_id, { grace_seconds: Number(grace) }),
    { onDone: onRotated },
  )
  return (
    <FormDialog
      title={`Rotate “${apiKey.name}”`}
      act="Rotate"
      icon="rotate"
      form={form}
      onClose={onClose}
      showsSecret
      wide
    >
      <p className="two">
        You get a new token with the same name, permissions and expiry. The old token works for a while
        longer, so that nothing breaks before you replace it.
      </p>
      {apiKey.expires_at !== null && (
        <p className="two">
          The new token expires at the same time as the old one: {fullTime(apiKey.expires_at)}. For a token
          that works longer, create another key.
        </p>
      )}
      <GraceField label="The old token works for" value={grace} onChange={setGrace} />
    </FormDialog>
  )
}

import { useState } from 'react'
import type { OfferedTotp } from '../../../api/generated/types.ts'
import { CopyButton } from '../../../parts/copy.tsx'
import { TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { QrCode } from '../../../parts/qr-code.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import styles from './activate-dialog.module.css'

/** Gives the secret to an app, and asks for the code that proves it. */
export function ActivateDialog({
  offer: { secret, url },
  onClose,
  onActivated,
}: {
  offer: OfferedTotp
  onClose: () => void
  onActivated: (codes: readonly string[]) => void
}) {
  const { api } = useScope()
  const [code, setCode] = useState('')
  const form = useSubmit(async () => api.session.activateTotp({ secret, code }), {
    places: ['code'],
    onDone: ({ recovery_codes }) => onActivated(recovery_codes),
  })
  return (
    <FormDialog title="Set up an authenticator app" act="Turn on" form={form} onClose={onClose} wide>
      <div className={styles.offer}>
        <QrCode text={url} label="QR code of the secret" />
        <div className="stack g16 grow">
          <p>Scan the code with the app, such as Google Authenticator, 1Password or Aegis.</p>
          <div className="stack g4">
            <span className="t12 two">Or type this secret into the app</span>
            <span className="rail wrap">
              <code className="mono">{secret.match(/.{1,4}/g)?.join(' ')}</code>
              <CopyButton text={secret} />
            </span>
          </div>
          <p>
            <a className="link" href={url}>
              Open an app on this device
            </a>
          </p>
        </div>
      </div>
      <TextField
        label="Code"
        value={code}
        onChange={setCode}
        error={form.errorAt('code')}
        hint="The six digits that the app shows now."
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        required
      />
      <p className="t12 two">When you turn it on, all your other sessions end.</p>
    </FormDialog>
  )
}

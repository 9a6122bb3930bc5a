import { useState } from 'react'
import { ApiError } from '../../../sdk/src/errors.ts'
import type { Session } from '../api/generated/types.ts'
import { signWithPasskey } from '../api/passkeys.ts'
import { beginSession } from '../api/session.ts'
import { signInApi } from '../api/sign-in-api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Note } from '../parts/note.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { ConfirmWithSso } from './confirm-with-sso.tsx'
import { OrDivider } from './sign-in-frame.tsx'

/**
 * Asks the person to confirm their identity.
 * @param ways the ways that work here, out of passkey, password and sso
 */
export function ConfirmDialog({ ways, settle }: { ways: readonly string[]; settle: (met: boolean) => void }) {
  const [password, setPassword] = useState('')
  const onDone = (session: Session) => {
    beginSession(session)
    settle(true)
  }
  const byPassword = useSubmit(() => signInApi.session.confirm({ password }), {
    places: ['password'],
    onDone,
  })
  const { error } = byPassword
  const isWrong = error instanceof ApiError && error.code === 'sign_in_failed'
  const byPasskey = useSubmit(
    async () => {
      const { options } = await signInApi.session.confirmOptions()
      return signInApi.session.confirm({ passkey: await signWithPasskey(options) })
    },
    { onDone },
  )
  const [hasPasskey = false, hasPassword = false, hasSso = false] = ['passkey', 'password', 'sso'].map(
    (way) => ways.includes(way),
  )
  const foot = (
    <>
      <Button kind="quiet" onClick={() => settle(false)}>
        Cancel
      </Button>
      {hasPassword && (
        <Button kind={hasPasskey || hasSso ? 'plain' : 'main'} type="submit" isBusy={byPassword.isBusy}>
          Confirm
        </Button>
      )}
    </>
  )
  return (
    <Dialog
      title="Confirm that it is you"
      onClose={() => settle(false)}
      onSubmit={byPassword.submit}
      foot={foot}
    >
      <p className="two">
        This change could do harm if somebody else uses your browser. You are not asked again for 10 minutes.
      </p>
      {hasPasskey && (
        <div className="stack">
          <Button
            kind="main"
            icon="passkey"
            wide
            tall
            isBusy={byPasskey.isBusy}
            onClick={() => byPasskey.submit()}
            data-autofocus
          >
            Confirm with a passkey
          </Button>
          {byPasskey.rest && <Note kind="bad">{byPasskey.rest}</Note>}
        </div>
      )}
      {hasSso && <ConfirmWithSso isMain={!hasPasskey} onConfirmed={onDone} />}
      {(hasPasskey || hasSso) && hasPassword && <OrDivider />}
      {hasPassword && (
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={isWrong ? 'The password is wrong.' : byPassword.errorAt('password')}
          required
          autoFocus={!hasPasskey && !hasSso}
        />
      )}
      {byPassword.rest && !isWrong && <Note kind="bad">{byPassword.rest}</Note>}
      {!hasPasskey && !hasPassword && !hasSso && (
        <Note kind="warn">
          You have no password, and no passkey for {location.hostname}. Sign out and sign in again: a new
          sign-in counts as a confirmation.
        </Note>
      )}
    </Dialog>
  )
}

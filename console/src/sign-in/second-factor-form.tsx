import { useState } from 'react'
import type { Session } from '../api/generated/types.ts'
import { signInApi } from '../api/sign-in-api.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Note } from '../parts/note.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { useWait } from './use-wait.ts'

/** Completes a sign-in with the code of an authenticator app, or with a recovery code. */
export function SecondFactorForm({
  onSession,
  onBack,
}: {
  onSession: (session: Session) => void
  onBack: () => void
}) {
  const [code, setCode] = useState('')
  const { submit, isBusy, errorAt, rest, error } = useSubmit(
    () => signInApi.session.sendSecondFactor({ code }),
    {
      places: ['code'],
      onDone: onSession,
    },
  )
  const seconds = useWait(error)
  return (
    <Form isBusy={isBusy} className="stack g12" onSubmit={submit}>
      <TextField
        label="Code"
        name="code"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        error={errorAt('code')}
        hint="The six digits that your authenticator app shows, or one of your recovery codes."
        required
        autoFocus
      />
      {rest && <Note kind="bad">{rest}</Note>}
      <Button kind="main" type="submit" wide tall isBusy={isBusy} disabled={seconds > 0}>
        {seconds > 0 ? `Continue (in ${seconds} s)` : 'Continue'}
      </Button>
      <Button kind="quiet" wide onClick={onBack}>
        Sign in as somebody else
      </Button>
    </Form>
  )
}

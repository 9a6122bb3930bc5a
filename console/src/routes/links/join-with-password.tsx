import { useState } from 'react'
import type { UsedLink } from '../../api/generated/types.ts'
import { signInApi } from '../../api/sign-in-api.ts'
import { Button } from '../../parts/button.tsx'
import { Form } from '../../parts/form.tsx'
import { Note } from '../../parts/note.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useWait } from '../../sign-in/use-wait.ts'

/**
 * Accepts an invitation for a person who is signed in by single sign-on. The provider of one organization cannot accept
 * the invitation of another one, so the person proves the account with its password.
 */
export function JoinWithPassword({
  token,
  email,
  onUsed,
}: {
  token: string
  email: string
  onUsed: (used: UsedLink) => void
}) {
  const [password, setPassword] = useState('')
  const { submit, isBusy, errorAt, rest, error } = useSubmit(() => signInApi.links.use({ token, password }), {
    places: ['password'],
    onDone: onUsed,
  })
  const seconds = useWait(error)
  return (
    <Form isBusy={isBusy} className="stack g12" onSubmit={submit}>
      <p className="two">
        Your single sign-on counts only for the organization that it belongs to. To join, enter the password
        of your account {email}.
      </p>
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={errorAt('password')}
        required
        autoFocus
      />
      {rest && <Note kind="bad">{rest}</Note>}
      <Button kind="main" type="submit" wide tall isBusy={isBusy} disabled={seconds > 0}>
        {seconds > 0 ? `Join (in ${seconds} s)` : 'Join'}
      </Button>
    </Form>
  )
}

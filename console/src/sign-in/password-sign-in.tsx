import { useState } from 'react'
import type { Session } from '../api/generated/types.ts'
import { signInApi } from '../api/sign-in-api.ts'
import { ssoOffers } from '../api/sso.ts'
import { Button } from '../parts/button.tsx'
import { Form } from '../parts/form.tsx'
import { Note } from '../parts/note.tsx'
import { TextField } from '../parts/text-field.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { SsoOffers } from './sso-offers.tsx'
import { useWait } from './use-wait.ts'

/**
 * Signs a person in with e-mail and password.
 * @param isFirst whether this form comes first on the page
 */
export function PasswordSignIn({
  email: known,
  isFirst,
  returnTo,
  onLeave,
  onSession,
}: {
  email: string
  isFirst: boolean
  returnTo?: string | undefined
  onLeave?: (() => void) | undefined
  onSession: (session: Session) => void
}) {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const { submit, isBusy, errorAt, rest, error } = useSubmit(
    () => signInApi.session.signIn({ email, password }),
    {
      places: ['email', 'password'],
      onDone: (session) => {
        setPassword('')
        onSession(session)
      },
    },
  )
  const seconds = useWait(error)
  return (
    <Form isBusy={isBusy} className="stack g12" onSubmit={submit}>
      <TextField
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username webauthn"
        value={email}
        onChange={setEmail}
        error={errorAt('email')}
        required
        autoFocus={isFirst && known === ''}
      />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={errorAt('password')}
        required
        autoFocus={isFirst && known !== ''}
      />
      {rest && <Note kind="bad">{rest}</Note>}
      <SsoOffers offers={ssoOffers(error)} returnTo={returnTo} onLeave={onLeave} />
      <Button
        kind={isFirst ? 'main' : 'plain'}
        type="submit"
        wide
        tall
        isBusy={isBusy}
        disabled={seconds > 0}
      >
        {seconds > 0 ? `Sign in (in ${seconds} s)` : 'Sign in'}
      </Button>
      <p className="t12 three">
        Lost your password? An owner or admin of your organization can make a recovery link for you.
      </p>
    </Form>
  )
}

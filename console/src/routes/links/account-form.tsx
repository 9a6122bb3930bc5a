import { type FormEvent, useState } from 'react'
import type { OpenedLink, UsedLink } from '../../api/generated/types.ts'
import { makePasskey, passkeyObstacle } from '../../api/passkeys.ts'
import { problemAt } from '../../api/problem.ts'
import { signInApi } from '../../api/sign-in-api.ts'
import { browserName } from '../../parts/browser-name.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Note } from '../../parts/note.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { PasskeyAddress } from '../../sign-in/passkey-address.tsx'

const places = ['email', 'name', 'org_name', 'password', 'passkey']

/** Creates or recovers an account, with a passkey or a password. */
export function AccountForm({
  token,
  link: { kind, email: known, org_name },
  onUsed,
}: {
  token: string
  link: OpenedLink
  onUsed: (used: UsedLink) => void
}) {
  const obstacle = passkeyObstacle()
  const [email, setEmail] = useState(known ?? '')
  const [name, setName] = useState('')
  const [orgName, setOrgName] = useState('')
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [wantsPassword, setWantsPassword] = useState(obstacle !== null)
  const isNew = kind !== 'recovery'
  const needsOrg = kind === 'set_up' && org_name === null
  const use = async () => {
    const person = { token, ...(known === null && { email }), ...(isNew && { name }) }
    const org = needsOrg ? { org_name: orgName } : {}
    if (wantsPassword) return signInApi.links.use({ ...person, ...org, password })
    const { options } = await signInApi.links.passkeyOptions(person)
    const passkey = await makePasskey(options)
    return signInApi.links.use({ ...person, ...org, passkey, passkey_name: browserName(navigator.userAgent) })
  }
  const { submit, isBusy, errorAt, rest, error } = useSubmit(use, { places, onDone: onUsed })
  // A link must not bypass an authenticator app, so such an account gets a new password.
  const passkeyProblem = problemAt(error, 'passkey')
  if (passkeyProblem && !wantsPassword) setWantsPassword(true)
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Check this before the device creates a passkey.
    const lacksOrg = needsOrg && orgName.trim() === ''
    setMissing(lacksOrg)
    if (lacksOrg) event.currentTarget.querySelector<HTMLElement>('[autocomplete="organization"]')?.focus()
    else submit(event)
  }
  return (
    <Form isBusy={isBusy} className="stack g16" onSubmit={send}>
      {isNew && (
        <TextField
          label="Your name"
          autoComplete="name"
          value={name}
          onChange={setName}
          error={errorAt('name')}
          required
          autoFocus
        />
      )}
      {known === null && (
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          error={errorAt('email')}
          hint="Only for signing in. Crosswalk sends nothing to it."
          required
        />
      )}
      {needsOrg && (
        <TextField
          label="Organization"
          autoComplete="organization"
          value={orgName}
          onChange={setOrgName}
          error={isMissing ? 'Name your organization, such as that of your company.' : errorAt('org_name')}
          required
        />
      )}
      {passkeyProblem && <Note kind="warn">{passkeyProblem}</Note>}
      {wantsPassword && (
        <TextField
          label={isNew ? 'Password' : 'New password'}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          error={errorAt('password')}
          hint="At least 15 characters. A few words are easy to remember."
          required
          autoFocus={!isNew || obstacle === null}
        />
      )}
      {rest && <Note kind="bad">{rest}</Note>}
      <div className="stack">
        <Button
          kind="main"
          type="submit"
          {...(!wantsPassword && { icon: 'passkey' as const })}
          wide
          tall
          isBusy={isBusy}
          autoFocus={!isNew && !wantsPassword}
        >
          {wantsPassword ? actOf[kind] : 'Continue with a passkey'}
        </Button>
        {!wantsPassword && (
          <p className="t12 three">Your fingerprint, face or device PIN. There is nothing to remember.</p>
        )}
        {obstacle === null && !passkeyProblem && (
          <Button kind="quiet" wide onClick={() => setWantsPassword(!wantsPassword)}>
            {wantsPassword ? 'Use a passkey instead' : 'Use a password instead'}
          </Button>
        )}
      </div>
      {obstacle === 'address' && <PasskeyAddress />}
    </Form>
  )
}

const actOf: Record<OpenedLink['kind'], string> = {
  set_up: 'Create your account',
  invite: 'Join',
  recovery: 'Save and sign in',
}

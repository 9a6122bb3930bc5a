import { Suspense, useState } from 'react'
import type { Session } from '../api/generated/types.ts'
import { passkeyObstacle } from '../api/passkeys.ts'
import { lazyPart } from '../routing/lazy-part.ts'
import { PasskeyAddress } from './passkey-address.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { PasswordSignIn } from './password-sign-in.tsx'
import { OrDivider } from './sign-in-frame.tsx'

// Few people need it, and the first page stays small.
const SecondFactorForm = lazyPart(() => import('./second-factor-form.tsx'), 'SecondFactorForm')

/**
 * Signs a person in, with a second factor if needed. `email` is known at a repeated sign-in.
 * `returnTo` and `onLeave` are for a single sign-on, which leaves the page.
 */
export function SignInForm({
  email = '',
  returnTo,
  onLeave,
  onSession,
}: {
  email?: string
  returnTo?: string | undefined
  onLeave?: (() => void) | undefined
  onSession: (session: Session) => void
}) {
  const [isHalf, setHalf] = useState(false)
  const obstacle = passkeyObstacle()
  const receive = (session: Session) => {
    if (session.second_factor.length > 0) setHalf(true)
    else onSession(session)
  }
  if (isHalf)
    return (
      <Suspense>
        <SecondFactorForm onSession={onSession} onBack={() => setHalf(false)} />
      </Suspense>
    )
  return (
    <div className="stack g24">
      {obstacle === null && (
        <>
          <PasskeySignIn onSession={receive} />
          <OrDivider />
        </>
      )}
      <PasswordSignIn
        email={email}
        isFirst={obstacle !== null}
        returnTo={returnTo}
        onLeave={onLeave}
        onSession={receive}
      />
      {obstacle === 'address' && <PasskeyAddress />}
    </div>
  )
}

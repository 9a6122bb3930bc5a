import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OpenedLink, UsedLink } from '../../api/generated/types.ts'
import { beginSession, sessionQuery } from '../../api/session.ts'
import { signInApi } from '../../api/sign-in-api.ts'
import { Button } from '../../parts/button.tsx'
import { Note } from '../../parts/note.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { Link } from '../../routing/link.tsx'
import { SignInForm } from '../../sign-in/sign-in-form.tsx'
import { JoinWithPassword } from './join-with-password.tsx'
import { returnToLink } from './kept-token.ts'

/** Accepts an invitation for a person with an account: they sign in, then join. */
export function JoinForm({
  token,
  link: { email },
  onUsed,
}: {
  token: string
  link: OpenedLink
  onUsed: (used: UsedLink) => void
}) {
  const { data: session } = useQuery(sessionQuery)
  const [other, setOther] = useState<string | null>(null)
  const isInvited = (address: string) => address.toLowerCase() === email?.toLowerCase()
  const { submit, isBusy, rest } = useSubmit(() => signInApi.links.use({ token }), { onDone: onUsed })
  if (session && session.second_factor.length === 0 && isInvited(session.member.email))
    return session.sso_org_id && !session.member.has_password ? (
      <p className="two">
        Your single sign-on counts only for the organization that it belongs to, and your account has no
        password. Add one under{' '}
        <Link className="link" to="/o/$orgId/settings/security" params={{ orgId: session.sso_org_id }}>
          Settings, Security
        </Link>
        , then open this link again. If you have a passkey, you can sign in with it instead.
      </p>
    ) : session.sso_org_id ? (
      <JoinWithPassword token={token} email={session.member.email} onUsed={onUsed} />
    ) : (
      <div className="stack g12">
        <p className="two">You are signed in as {session.member.name}.</p>
        {rest && <Note kind="bad">{rest}</Note>}
        <Button kind="main" wide tall isBusy={isBusy} onClick={() => submit()} autoFocus>
          Join
        </Button>
      </div>
    )
  return (
    <div className="stack g16">
      <p className="two">You have an account with this e-mail address. Sign in to join.</p>
      {other && (
        <Note kind="bad">
          You signed in as {other}, but the invitation is for {email}. Sign in as {email}.
        </Note>
      )}
      <SignInForm
        email={email ?? ''}
        {...returnToLink(token)}
        onSession={(signedIn) => {
          beginSession(signedIn)
          if (isInvited(signedIn.member.email)) submit()
          else setOther(signedIn.member.email)
        }}
      />
    </div>
  )
}

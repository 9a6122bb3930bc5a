import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { beginSession } from '../../api/session.ts'
import { lastSsoOrg, readSsoFragment } from '../../api/sso.ts'
import { Note } from '../../parts/note.tsx'
import { useTitle } from '../../shell/use-title.ts'
import { SignInForm } from '../../sign-in/sign-in-form.tsx'
import { SignInFrame } from '../../sign-in/sign-in-frame.tsx'
import { SsoOffers } from '../../sign-in/sso-offers.tsx'

/** Signs in, then goes to the page that required it. */
export function SignInPage() {
  useTitle('Sign in')
  const { next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const [{ fault, orgId }] = useState(() => readSsoFragment(location.hash))
  const ssoOrg = orgId ?? lastSsoOrg()
  return (
    <SignInFrame title="Sign in">
      {fault && <Note kind="bad">{fault}</Note>}
      {ssoOrg && (
        <SsoOffers
          offers={[{ org_id: ssoOrg, org_name: null }]}
          returnTo={next && `/console${next}`}
          isMain={orgId !== null}
        />
      )}
      <SignInForm
        onSession={(session) => {
          beginSession(session)
          void navigate({ to: next ?? '/' })
        }}
      />
    </SignInFrame>
  )
}

import { lazy, Suspense, useState } from 'react'
import { beginSession } from '../../api/session.ts'
import { lastSsoOrg, readSsoFragment } from '../../api/sso.ts'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { useTitle } from '../../shell/use-title.ts'
import { SignInForm } from '../../sign-in/sign-in-form.tsx'
import { SignInFrame } from '../../sign-in/sign-in-frame.tsx'
import { SsoOffers } from '../../sign-in/sso-offers.tsx'

const SsoFault = lazy(() =>
  import('../../sign-in/sso-fault.tsx').then(({ SsoFault }) => ({ default: SsoFault })),
)

/** Signs in, then goes to the page that required it. */
export function SignInPage() {
  useTitle('Sign in')
  const { next } = useSearch('/sign-in')
  const navigate = useNavigate()
  const [{ faultCode, orgId }] = useState(() => readSsoFragment(location.hash))
  const ssoOrg = orgId ?? lastSsoOrg()
  const returnTo = next && `/console${next}`
  return (
    <SignInFrame title="Sign in">
      {faultCode && (
        <Suspense>
          <SsoFault code={faultCode} />
        </Suspense>
      )}
      {ssoOrg && (
        <SsoOffers
          offers={[{ org_id: ssoOrg, org_name: null }]}
          returnTo={returnTo}
          isMain={orgId !== null}
        />
      )}
      <SignInForm
        returnTo={returnTo}
        onSession={(session) => {
          beginSession(session)
          void navigate({ href: next ?? '/' })
        }}
      />
    </SignInFrame>
  )
}

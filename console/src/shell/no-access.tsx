import { queries } from '../api/session.ts'
import { signInApi } from '../api/sign-in-api.ts'
import { useSession } from '../api/use-session.ts'
import { Button, buttonLook } from '../parts/button.tsx'
import { Note } from '../parts/note.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { Link } from '../routing/link.tsx'
import { useNavigate } from '../routing/use-router.ts'
import { SignInFrame } from '../sign-in/sign-in-frame.tsx'
import { SsoOffers } from '../sign-in/sso-offers.tsx'
import { useTitle } from './use-title.ts'

/** Shown for an address without a page. */
export function NoPage() {
  useTitle('No such page')
  return (
    <SignInFrame
      title="There is no page with this address"
      about="The address may be mistyped, or from another version of Crosswalk."
    >
      <Link to="/" {...buttonLook({})}>
        Go to Home
      </Link>
    </SignInFrame>
  )
}

/** Shown to a person who belongs to no organization any more. */
export function NoOrganization() {
  useTitle('No organization')
  const navigate = useNavigate()
  const { submit, isBusy, rest } = useSubmit(() => signInApi.session.signOut(), {
    onDone: () => {
      queries.clear()
      void navigate({ to: '/sign-in', search: {} })
    },
  })
  return (
    <SignInFrame
      title="You are a member of no organization"
      about="Ask an owner or admin for an invitation, and open its link in this browser."
    >
      {rest && <Note kind="bad">{rest}</Note>}
      <Button isBusy={isBusy} onClick={() => submit()}>
        Sign out
      </Button>
    </SignInFrame>
  )
}

/** Shown in place of an organization that the person may not open, even if they could a moment ago. */
export function NoAccess({ orgId }: { orgId: string }) {
  const required = useSession().sso_required.find(({ org_id }) => org_id === orgId)
  if (required)
    return (
      <SignInFrame
        title={`${required.org_name} requires single sign-on`}
        about="A password or a passkey does not reach it. Sign in with your company account."
      >
        <SsoOffers offers={[required]} returnTo={`${location.pathname}${location.search}`} isMain />
      </SignInFrame>
    )
  return (
    <SignInFrame
      title="You are not a member of this organization"
      about="An owner or admin may have removed you, or the link to your agency was cut. Ask them if you need access."
    >
      <Link to="/" {...buttonLook({})}>
        Go to your organizations
      </Link>
    </SignInFrame>
  )
}

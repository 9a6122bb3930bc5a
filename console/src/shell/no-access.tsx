import type { Session } from '../api/generated/types.ts'
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

const needsProvider = 'A password or a passkey does not reach it. Sign in with your company account.'

/** Shown to a person who reaches no organization: all require single sign-on, or the person belongs to none any more. */
export function NoOrganization() {
  useTitle('No organization')
  const required = useSession().sso_required
  const navigate = useNavigate()
  const { submit, isBusy, rest } = useSubmit(() => signInApi.session.signOut(), {
    onDone: () => {
      queries.clear()
      void navigate({ to: '/sign-in', search: {} })
    },
  })
  return (
    <SignInFrame {...reasonOf(required)}>
      <SsoOffers offers={required} isMain />
      {rest && <Note kind="bad">{rest}</Note>}
      <Button isBusy={isBusy} onClick={() => submit()}>
        Sign out
      </Button>
    </SignInFrame>
  )
}

function reasonOf([first, ...more]: Session['sso_required']): { title: string; about: string } {
  if (!first)
    return {
      title: 'You are a member of no organization',
      about: 'Ask an owner or admin for an invitation, and open its link in this browser.',
    }
  if (more.length === 0) return { title: `${first.org_name} requires single sign-on`, about: needsProvider }
  return {
    title: 'Your organizations require single sign-on',
    about: 'A password or a passkey does not reach them. Sign in with the company account of one of them.',
  }
}

/** Shown in place of an organization that the person may not open, even if they could a moment ago. */
export function NoAccess({ orgId }: { orgId: string }) {
  const { sso_required: offers, memberships } = useSession()
  const required = offers.find(({ org_id }) => org_id === orgId)
  if (required)
    return (
      <SignInFrame title={`${required.org_name} requires single sign-on`} about={needsProvider}>
        <SsoOffers offers={[required]} returnTo={`${location.pathname}${location.search}`} isMain />
      </SignInFrame>
    )
  if (offers.length > 0)
    return (
      <SignInFrame
        title="You have no access to this organization"
        about="If you reach it through another organization that requires single sign-on, sign in there first."
      >
        <SsoOffers offers={offers} returnTo={`${location.pathname}${location.search}`} isMain />
        {memberships.length > 0 && toOrganizations}
      </SignInFrame>
    )
  if (memberships.some(({ record_access }) => record_access !== 'all'))
    return (
      <SignInFrame
        title="You have no access to this organization"
        about="An owner or admin may have removed you. In an agency, members who see only some records do not act on its clients. Ask them if you need access."
      >
        {toOrganizations}
      </SignInFrame>
    )
  return (
    <SignInFrame
      title="You have no access to this organization"
      about="An owner or admin may have removed you, or the link to your agency was cut. Ask them if you need access."
    >
      {toOrganizations}
    </SignInFrame>
  )
}

const toOrganizations = (
  <Link to="/" {...buttonLook({})}>
    Go to your organizations
  </Link>
)

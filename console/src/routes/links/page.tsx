import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../sdk/src/errors.ts'
import type { OpenedLink, Session, UsedLink as Used } from '../../api/generated/types.ts'
import { beginSession } from '../../api/session.ts'
import { signInApi } from '../../api/sign-in-api.ts'
import { Code } from '../../parts/code.tsx'
import { addIcons } from '../../parts/icon.tsx'
import { innerIcons } from '../../parts/inner-icons.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Link } from '../../routing/link.tsx'
import { useNavigate } from '../../routing/use-router.ts'
import { useTitle } from '../../shell/use-title.ts'
import { SecondFactorForm } from '../../sign-in/second-factor-form.tsx'
import { SignInFrame } from '../../sign-in/sign-in-frame.tsx'
import { SsoOffers } from '../../sign-in/sso-offers.tsx'
import { AccountForm } from './account-form.tsx'
import { AgencyInvitation, agencyTokenStart } from './agency-invitation.tsx'
import { JoinForm } from './join-form.tsx'
import { readToken } from './kept-token.ts'

addIcons(innerIcons)

const words: Record<OpenedLink['kind'], string> = {
  set_up: 'Set up Crosswalk',
  invite: 'Join',
  recovery: 'Recover your account',
}

/** The page of a link. The token is in the fragment, which browsers do not send. */
export function LinkPage() {
  const [token] = useState(readToken)
  return token.startsWith(agencyTokenStart) ? (
    <AgencyInvitation token={token} />
  ) : (
    <MemberLink token={token} />
  )
}

/** A set-up, invitation or recovery link of a person. */
function MemberLink({ token }: { token: string }) {
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: ({ signal }) => signInApi.links.open({ token }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  useTitle(link.data ? words[link.data.kind] : 'Link')
  if (isRefused(link.error)) return <UnusableLink />
  return <Loaded query={link}>{(opened) => <UseLink token={token} link={opened} />}</Loaded>
}

/** Whether the server refused the link. If it could not answer, the link may be valid. */
const isRefused = (error: unknown) => error instanceof ApiError && error.status < 500 && error.status !== 429

const UnusableLink = () => (
  <SignInFrame
    title="This link does not work"
    about="It was used, revoked or replaced, or it is too old or incomplete."
  >
    <p className="two">
      Ask the person who sent it for a new link. The operator of this installation can make one too:
    </p>
    <Code label="Command of the operator">
      {'npm run crosswalk -- members link \\\n  <e-mail> --org <organization id>'}
    </Code>
    <p>
      <Link className="link" to="/sign-in" search={{}}>
        Sign in
      </Link>
    </p>
  </SignInFrame>
)

function UseLink({ token, link }: { token: string; link: OpenedLink }) {
  const { kind, org_name, email, role, has_account, sso_org_id } = link
  const navigate = useNavigate()
  /** The organization of the used link, while the second factor is missing. */
  const [pendingOrgId, setPendingOrgId] = useState<string | null>(null)
  const enter = (session: Session, orgId: string) => {
    beginSession(session)
    const isReached = session.memberships.some(({ org_id }) => org_id === orgId)
    if (isReached) void navigate({ to: '/o/$orgId', params: { orgId } })
    else void navigate({ to: '/' })
  }
  const receive = ({ link_org_id: orgId, ...session }: Used) =>
    session.second_factor.length > 0 ? setPendingOrgId(orgId) : enter(session, orgId)
  const about = {
    set_up:
      'You opened the link that npm start printed. The person who completes this page owns the installation.',
    invite: `You were invited as ${role}${email ? `, with ${email}` : ''}.${
      sso_org_id ? ' The organization requires single sign-on for this address.' : ''
    }`,
    recovery: `For ${email}. Your old password and your passkeys stop working, and all your sessions end.`,
  }[kind]
  const props = { token, link, onUsed: receive }
  return (
    <SignInFrame title={kind === 'invite' ? `Join ${org_name}` : words[kind]} about={about}>
      {pendingOrgId ? (
        <SecondFactorForm
          onSession={(session) => enter(session, pendingOrgId)}
          onBack={() => void navigate({ to: '/sign-in', search: {} })}
        />
      ) : sso_org_id ? (
        <SsoOffers offers={[{ org_id: sso_org_id, org_name }]} returnTo={`/console/o/${sso_org_id}`} isMain />
      ) : kind === 'invite' && has_account ? (
        <JoinForm {...props} />
      ) : (
        <AccountForm {...props} />
      )}
    </SignInFrame>
  )
}

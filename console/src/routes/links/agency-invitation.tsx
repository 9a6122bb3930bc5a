import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../sdk/src/errors.ts'
import { apiFor } from '../../api/client.ts'
import { distinctNames } from '../../api/distinct-names.ts'
import type { Membership, Session } from '../../api/generated/types.ts'
import { beginSession, sessionQuery } from '../../api/session.ts'
import { AgencyRights } from '../../parts/agency-rights.tsx'
import { Button } from '../../parts/button.tsx'
import { FieldError, Select } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { Link } from '../../routing/link.tsx'
import { useNavigate } from '../../routing/use-router.ts'
import { useTitle } from '../../shell/use-title.ts'
import { DemandPlace } from '../../sign-in/demand.tsx'
import { SignInForm } from '../../sign-in/sign-in-form.tsx'
import { SignInFrame } from '../../sign-in/sign-in-frame.tsx'
import { returnToLink } from './kept-token.ts'

/** How the token of an agency's invitation begins. Other links have other tokens. */
export const agencyTokenStart = 'svc_invite_'

const title = 'Invitation of an agency'

/** The page of a link with which an organization becomes the client of an agency. */
export function AgencyInvitation({ token }: { token: string }) {
  useTitle(title)
  const session = useQuery(sessionQuery)
  const isSignedOut = session.error instanceof ApiError && session.error.status === 401
  if (isSignedOut || (session.data && session.data.second_factor.length > 0))
    return (
      <SignInFrame
        title={title}
        about="An agency wants to act on your organization for you. To answer, sign in as an owner of the organization."
      >
        <SignInForm {...returnToLink(token)} onSession={beginSession} />
      </SignInFrame>
    )
  return (
    <>
      <Loaded query={session}>{(current) => <Answer token={token} session={current} />}</Loaded>
      <DemandPlace />
    </>
  )
}

function Answer({ token, session: { member, memberships } }: { token: string; session: Session }) {
  const owned = memberships.filter(
    ({ role, via, permissions }) => role === 'owner' && via === 'member' && permissions === null,
  )
  const leave = (
    <Link className="link" to="/">
      {owned.length > 0 ? 'Not now' : 'Open the console'}
    </Link>
  )
  return owned.length > 0 ? (
    <SignInFrame title={title} about={`You are signed in as ${member.name}.`}>
      <AcceptForm token={token} owned={owned} />
      <p>{leave}</p>
    </SignInFrame>
  ) : (
    <SignInFrame
      title={title}
      about={`Only an owner can accept it. ${member.name}, you own no organization: send the link to an owner.`}
    >
      <p>{leave}</p>
    </SignInFrame>
  )
}

function AcceptForm({ token, owned }: { token: string; owned: readonly Membership[] }) {
  const [orgId, setOrgId] = useState(owned[0]?.org_id ?? '')
  const { org_name: org = '', is_agency: hasClients = false } =
    owned.find(({ org_id }) => org_id === orgId) ?? {}
  const preview = useQuery({
    queryKey: ['agency-invitation', orgId, token],
    queryFn: ({ signal }) => apiFor(orgId, 'live').organization.agencies.preview({ token }, { signal }),
  })
  const navigate = useNavigate()
  const { submit, isBusy, rest } = useSubmit(
    async () => apiFor(orgId, 'live').organization.agencies.accept({ token }),
    {
      onDone: ({ name }) => {
        void navigate({ to: '/o/$orgId/settings/organization', params: { orgId } })
        showToast(`${name} can act on ${org} now.`)
      },
    },
  )
  return (
    <form className="stack g16" onSubmit={submit}>
      {owned.length > 1 ? (
        <Select
          label="Organization"
          value={orgId}
          options={[...distinctNames(owned.map(({ org_id, org_name: name }) => ({ org_id, name })))]}
          onChange={setOrgId}
        />
      ) : (
        <p>
          Organization: <span className="strong">{org}</span>
        </p>
      )}
      <Loaded query={preview}>
        {(agency) => (
          <>
            <p>
              Agency: <span className="strong">{agency.name}</span>
            </p>
            <div className="stack two">
              <AgencyRights agency={agency.name} org={org} hasClients={hasClients} />
            </div>
            {rest && <FieldError>{rest}</FieldError>}
            <Button kind="main" type="submit" wide tall isBusy={isBusy}>
              Accept the invitation
            </Button>
          </>
        )}
      </Loaded>
    </form>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Sso } from '../../../api/generated/types.ts'
import { sessionQuery } from '../../../api/session.ts'
import { useSession } from '../../../api/use-session.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { LatestForm } from '../../../parts/latest-form.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Note } from '../../../parts/note.tsx'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { State } from '../../../parts/state.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { SsoForm } from './sso-form.tsx'

/** Single sign-on of the organization. Only owners see it. */
export function SsoSection() {
  const { orgId, api, membership } = useScope()
  const { member, sso_org_id: ssoOrgId } = useSession()
  const isOwn = ssoOrgId === orgId
  const queries = useQueryClient()
  const [isRemoving, setRemoving] = useState(false)
  const queryKey = ['sso', orgId]
  const sso = useQuery({ queryKey, queryFn: ({ signal }) => api.sso.get({ signal }) })
  const connection = sso.data?.connection ?? null
  return (
    <Section
      title={`Single sign-on of ${membership.org_name}`}
      about="People sign in with their company account at an OpenID provider, such as Google Workspace, Entra ID, Okta or Keycloak."
      act={
        connection && (
          <>
            {connection.is_tested ? (
              <State kind="ok">in use</State>
            ) : (
              <State kind="warn">nobody has signed in yet</State>
            )}
            <Button danger onClick={() => setRemoving(true)}>
              Remove
            </Button>
          </>
        )
      }
    >
      <Loaded query={sso}>
        {(found) => (
          <SectionBody>
            <LatestForm latest={found}>
              {(shown, unsaved) => (
                <SsoForm
                  key={shown.connection?.version ?? 0}
                  sso={shown}
                  isTested={found.connection?.is_tested ?? false}
                  unsaved={unsaved}
                  onSaved={(saved: Sso) => {
                    queries.setQueryData(queryKey, saved)
                    showToast('Single sign-on was saved.')
                    // This session may not reach the organization any more.
                    void queries.invalidateQueries(sessionQuery)
                  }}
                />
              )}
            </LatestForm>
          </SectionBody>
        )}
      </Loaded>
      {isRemoving && (
        <Confirmation
          title="Remove single sign-on?"
          act="Remove"
          work={async () => api.sso.remove()}
          onClose={() => setRemoving(false)}
          onDone={() => {
            setRemoving(false)
            showToast('Single sign-on was removed.')
            void queries.invalidateQueries({ queryKey })
          }}
        >
          <p>The sessions of everybody who signed in with it end at once{isOwn && ', also yours'}.</p>
          <p>
            People who have neither a password nor a passkey can no longer sign in. An owner or admin can make
            recovery links for them.
          </p>
          <p>
            People who joined with single sign-on, but had an account before, can no longer open this
            organization. Remove and invite them again.
          </p>
          {isOwn && !member.has_password && member.passkeys === 0 && (
            <Note kind="warn">You have neither a password nor a passkey. Add one first.</Note>
          )}
        </Confirmation>
      )}
    </Section>
  )
}

import { useSession } from '../../../api/use-session.ts'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsHead } from '../../../shell/settings-head.tsx'
import { AuthenticatorSection } from './authenticator.tsx'
import { PasskeysSection } from './passkeys.tsx'
import { PasswordSection } from './password.tsx'
import { SessionsSection } from './sessions.tsx'
import { SsoSection } from './sso.tsx'

/** How the person signs in, and where they are signed in. */
export function SecurityPage() {
  const { member } = useSession()
  const { membership } = useScope()
  return (
    <>
      <SettingsHead title="Security">
        How you sign in as {member.email}. This applies to all your organizations.
      </SettingsHead>
      <PasskeysSection />
      <PasswordSection />
      <AuthenticatorSection />
      <SessionsSection />
      {membership.role === 'owner' && membership.via === 'member' && <SsoSection />}
    </>
  )
}

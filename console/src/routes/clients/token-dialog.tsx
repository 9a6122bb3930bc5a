import type { CreatedAgencyInvitation } from '../../../../sdk/src/generated/types.ts'
import { Code } from '../../parts/code.tsx'
import { curl } from '../../parts/curl.ts'
import { Note } from '../../parts/note.tsx'
import { OnceDialog } from '../../parts/once-dialog.tsx'
import { Secret } from '../../parts/secret.tsx'
import { fullTime } from '../../parts/times.ts'

/** Shows the token of an invitation the only time that anyone sees it. */
export const TokenDialog = ({
  invitation: { token, expires_at },
  onClose,
}: {
  invitation: CreatedAgencyInvitation
  onClose: () => void
}) => (
  <OnceDialog
    title="Copy the invitation now"
    tick="I have copied it"
    reminder="Copy the token first, then tick “I have copied it”. If it is lost, create another invitation."
    onClose={onClose}
  >
    <p>
      Send the token to the client, over a channel that only the client reads. The client accepts with an API
      key of its own that has all permissions:
    </p>
    <Secret label="Token of the invitation" value={token} />
    <Code label="How the client accepts">
      {curl('/organization/agencies', { method: 'POST', body: { token: 'svc_invite_…' } })}
    </Code>
    <Note>The token works once, until {fullTime(expires_at)}. Nobody can see it again.</Note>
  </OnceDialog>
)

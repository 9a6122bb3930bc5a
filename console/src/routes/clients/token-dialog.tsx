import type { CreatedAgencyInvitation } from '../../../../sdk/src/generated/types.ts'
import { Code } from '../../parts/code.tsx'
import { curl } from '../../parts/curl.ts'
import { Note } from '../../parts/note.tsx'
import { OnceDialog } from '../../parts/once-dialog.tsx'
import { Secret } from '../../parts/secret.tsx'
import { fullTime } from '../../parts/times.ts'

/** Shows the link of an invitation the only time that anyone sees it. */
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
    reminder="Copy the link first, then tick “I have copied it”. If it is lost, create another invitation."
    onClose={onClose}
  >
    <p>
      Send the link to an owner of the organization, over a channel that only this person reads. The owner
      opens it, and accepts.
    </p>
    <Secret label="Link for the client" value={`${location.origin}/console/invite#${token}`} />
    <p>A program of the client can accept, too, with an API key that has all permissions:</p>
    <Code label="How a program of the client accepts">
      {curl('/organization/agencies', { method: 'POST', body: { token } })}
    </Code>
    <Note>The link works once, until {fullTime(expires_at)}. Nobody can see it again.</Note>
  </OnceDialog>
)

import type { MadeLink } from '../../../api/generated/types.ts'
import { Note } from '../../../parts/note.tsx'
import { OnceDialog } from '../../../parts/once-dialog.tsx'
import { Secret } from '../../../parts/secret.tsx'
import { fullTime } from '../../../parts/times.ts'

/** Shows a link the only time that anyone sees it. */
export const LinkDialog = ({
  link: { url, expires_at },
  about,
  onClose,
}: {
  link: MadeLink
  about: string
  onClose: () => void
}) => (
  <OnceDialog
    title="Copy the link now"
    tick="I have copied it"
    reminder="Copy the link first, then tick “I have copied it”. If it is lost, make a new one."
    onClose={onClose}
  >
    <p>Crosswalk sends no mail: send it yourself, over a channel that only this person reads.</p>
    <Secret label={about} value={url} />
    <Note>The link works once, until {fullTime(expires_at)}. Nobody can see it again.</Note>
  </OnceDialog>
)

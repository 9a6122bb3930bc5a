import { useState } from 'react'
import type { Mailbox, SignatureTemplatePreview } from '../../../../../sdk/src/generated/types.ts'
import fieldStyles from '../../../parts/field.module.css'
import { Segments } from '../../../parts/field.tsx'
import { Frame } from './frame.tsx'
import { type Look, letterOf } from './letter.ts'
import styles from './preview.module.css'

const looks = [
  ['desktop', 'Desktop'],
  ['phone', 'Phone'],
  ['dark', 'Dark'],
  ['text', 'Text'],
] as const

/** What a mail with the signature looks like, for a chosen mailbox. */
export function Preview({
  preview,
  mailboxes,
  mailbox,
  onMailbox,
}: {
  preview: SignatureTemplatePreview | undefined
  mailboxes: readonly Mailbox[]
  mailbox: Mailbox | null
  onMailbox: (mailboxId: number | null) => void
}) {
  const [look, setLook] = useState<Look>('desktop')
  return (
    <section className={styles.pane} aria-label="Preview">
      <div className={styles.bar}>
        <MailboxSelect mailboxes={mailboxes} mailbox={mailbox} onMailbox={onMailbox} />
        <Segments label="Preview as" isLabelHidden value={look} options={looks} onChange={setLook} />
      </div>
      <div className={styles.stage} data-look={look}>
        {preview && look === 'text' && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it
          <section className={styles.text} tabIndex={0} aria-label="Plain text">
            {preview.text || 'The plain text is empty.'}
          </section>
        )}
        {preview && look !== 'text' && (
          <Frame title="Signature in a mail" html={letterOf(preview.html, senderOf(mailbox), look)} />
        )}
      </div>
    </section>
  )
}

const senderOf = (mailbox: Mailbox | null) =>
  mailbox ? [mailbox.display_name, mailbox.email].filter(Boolean).join(', ') : 'display_name, email'

const MailboxSelect = ({
  mailboxes,
  mailbox,
  onMailbox,
}: {
  mailboxes: readonly Mailbox[]
  mailbox: Mailbox | null
  onMailbox: (mailboxId: number | null) => void
}) => (
  <select
    className={`${fieldStyles.input} ${styles.select}`}
    aria-label="Data of"
    value={mailbox?.mailbox_id ?? ''}
    onChange={({ target }) => onMailbox(target.value === '' ? null : Number(target.value))}
  >
    <option value="">with names of fields</option>
    {mailboxes.map(({ mailbox_id, display_name, email }) => (
      <option key={mailbox_id} value={mailbox_id}>
        as {display_name ? `${display_name} (${email})` : email}
      </option>
    ))}
  </select>
)

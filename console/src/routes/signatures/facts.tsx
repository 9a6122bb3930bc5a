import { useState } from 'react'
import type { Mailbox, SignatureTemplate } from '../../../../sdk/src/generated/types.ts'
import { count } from '../../parts/numbers.ts'
import { showToast } from '../../parts/toast.tsx'
import { useScope } from '../../shell/scope.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import styles from './facts.module.css'
import { isUpToDate } from './install-state.ts'
import { mailboxWords } from './push/push-dialog.tsx'

const sizeMax = 10_000

/** The size of a template, who uses it, and where it is installed. */
export function TemplateFacts({
  template: { template_id, name, mailboxes: number },
  users,
  mailboxes,
  size,
  onChanged,
}: {
  template: SignatureTemplate
  users: readonly Mailbox[]
  mailboxes: readonly Mailbox[]
  size: number | null
  onChanged: () => Promise<unknown>
}) {
  const { can } = useScope()
  const [isAssigning, setAssigning] = useState(false)
  return (
    <>
      <dl className={styles.facts}>
        <dt>Size</dt>
        <dd>{size === null ? '–' : `${count(size)} of ${count(sizeMax)} characters`}</dd>
        <dt>Used by</dt>
        <dd>
          {number === 0 ? 'no mailbox yet' : mailboxWords(number)}
          {can('signatures:write') && (
            <button type="button" className="link" onClick={() => setAssigning(true)}>
              Choose mailboxes
            </button>
          )}
        </dd>
        <dt>Installed</dt>
        <dd>{installedWords(users)}</dd>
      </dl>
      {isAssigning && (
        <AssignDialog
          templateId={template_id}
          name={name}
          mailboxes={mailboxes}
          onClose={() => setAssigning(false)}
          onSaved={(changed) => {
            setAssigning(false)
            showToast(`${mailboxWords(changed)} changed. Push the template to install it there.`)
            void onChanged()
          }}
        />
      )}
    </>
  )
}

function installedWords(users: readonly Mailbox[]): string {
  if (users.length === 0) return 'nowhere'
  const current = users.filter(isUpToDate).length
  const failed = users.filter(({ deployment }) => deployment.status === 'failed').length
  const parts = [
    `this version in ${count(current)} of ${count(users.length)}`,
    ...(failed > 0 ? [`failed in ${count(failed)}`] : []),
  ]
  return parts.join(', ')
}

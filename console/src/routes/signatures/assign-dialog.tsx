import { useState } from 'react'
import type { Mailbox } from '../../../../sdk/src/generated/types.ts'
import { Checkbox } from '../../parts/field.tsx'
import { TextFilter } from '../../parts/filters.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import styles from './assign-dialog.module.css'

/** Chooses the mailboxes that use a template. */
export function AssignDialog({
  templateId,
  name,
  mailboxes,
  onClose,
  onSaved,
}: {
  templateId: string
  name: string
  mailboxes: readonly Mailbox[]
  onClose: () => void
  onSaved: (changed: number) => void
}) {
  const { api } = useScope()
  const [words, setWords] = useState('')
  const [wanted, setWanted] = useState<ReadonlyMap<number, boolean>>(new Map())
  const isUser = ({ mailbox_id, template_id }: Mailbox) =>
    wanted.get(mailbox_id) ?? template_id === templateId
  const changed = mailboxes.filter((mailbox) => isUser(mailbox) !== (mailbox.template_id === templateId))
  const shown = mailboxes.filter(({ email, display_name }) =>
    `${display_name ?? ''} ${email}`.toLowerCase().includes(words.toLowerCase()),
  )
  const set = (some: readonly Mailbox[], isWanted: boolean) =>
    setWanted(
      (before) => new Map([...before, ...some.map(({ mailbox_id }) => [mailbox_id, isWanted] as const)]),
    )
  const form = useSubmit(
    async () => {
      for (const mailbox of changed)
        await api.signatures.mailboxes.update(mailbox.mailbox_id, {
          template_id: isUser(mailbox) ? templateId : null,
        })
      return changed.length
    },
    { onDone: onSaved },
  )
  return (
    <FormDialog
      title={`Mailboxes with “${name}”`}
      act={changed.length === 0 ? 'Save' : `Change ${changed.length}`}
      form={form}
      isBlocked={changed.length === 0}
      onClose={onClose}
    >
      {mailboxes.length === 0 ? (
        <p className="two">There is no mailbox yet. Add one under Signatures → Mailboxes.</p>
      ) : (
        <>
          <TextFilter label="Find by name or address" value={words} onChange={setWords} />
          <Checkbox
            checked={shown.length > 0 && shown.every(isUser)}
            onChange={(isWanted) => set(shown, isWanted)}
          >
            {words ? 'All that are found' : 'All mailboxes'}
          </Checkbox>
          <ul className={styles.mailboxes}>
            {shown.map((mailbox) => (
              <li key={mailbox.mailbox_id}>
                <Checkbox checked={isUser(mailbox)} onChange={(isWanted) => set([mailbox], isWanted)}>
                  {mailbox.display_name ?? mailbox.email}{' '}
                  {mailbox.display_name && <span className="three">{mailbox.email}</span>}
                </Checkbox>
                {mailbox.template_id !== null && mailbox.template_id !== templateId && (
                  <span className="three t12">has another template</span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </FormDialog>
  )
}

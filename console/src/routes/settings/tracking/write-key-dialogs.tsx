import { useState } from 'react'
import type { WriteKey } from '../../../../../sdk/src/generated/types.ts'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { GraceField, type PageGrace, pageGraces } from '../../../parts/grace-field.tsx'
import { Note } from '../../../parts/note.tsx'
import { ago, fullTime } from '../../../parts/times.ts'
import { showToast } from '../../../parts/toast.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { WriteKeyDialog } from './write-key-dialog.tsx'

export type WriteKeyAction = 'edit' | 'rotate' | 'delete'

type Closing = { writeKey: WriteKey; onClose: () => void }

/** The dialog of one action on a write key. */
export function WriteKeyDialogs({
  open,
  writeKey,
  onClose,
  onChanged,
  onDeleted,
}: Closing & { open: WriteKeyAction; onChanged: () => void; onDeleted: () => void }) {
  const { api } = useScope()
  const shared = { writeKey, onClose }
  const saved = (text: string) => () => {
    showToast(text)
    onChanged()
  }
  if (open === 'edit') return <WriteKeyDialog {...shared} onSaved={saved('The write key was saved.')} />
  if (open === 'rotate') return <RotateDialog {...shared} onRotated={saved('The write key has a new key.')} />
  const { name, write_key_id: writeKeyId, last_seen_at: lastSeenAt } = writeKey
  return (
    <Confirmation
      title={`Delete “${name}”?`}
      act="Delete"
      work={async () => api.writeKeys.delete(writeKeyId)}
      onClose={onClose}
      onDone={() => {
        showToast(`The write key “${name}” was deleted.`)
        onDeleted()
      }}
    >
      <p>
        {lastSeenAt === null
          ? 'No event has come with it yet.'
          : `Its last event came ${ago(lastSeenAt)}. Pages that still have it lose their events from now on.`}{' '}
        Events that it sent stay. A deleted key cannot come back.
      </p>
    </Confirmation>
  )
}

function RotateDialog({ writeKey, onClose, onRotated }: Closing & { onRotated: () => void }) {
  const { api } = useScope()
  const [grace, setGrace] = useState<PageGrace>('604800')
  // Only two keys work at once: during a rotation, another one stops both older keys.
  const oldEnds = writeKey.old_key_expires_at
  const form = useSubmit(
    async () =>
      api.writeKeys.rotate(writeKey.write_key_id, {
        grace_seconds: oldEnds === null ? Number(grace) : 0,
      }),
    { onDone: onRotated },
  )
  return (
    <FormDialog
      title={`Rotate “${writeKey.name}”`}
      act="Rotate"
      icon="rotate"
      form={form}
      onClose={onClose}
      wide
    >
      {oldEnds === null ? (
        <>
          <p className="two">
            You get a new key with the same settings. The old key works for a while longer, because browsers
            and proxies cache pages.
          </p>
          <GraceField label="The old key works for" value={grace} options={pageGraces} onChange={setGrace} />
          {grace === '0' && <Note>Pages that still have the old key lose their events.</Note>}
        </>
      ) : (
        <Note kind="warn">
          The key was rotated before, and the old one works until {fullTime(oldEnds)}. If you rotate now, both
          older keys stop at once, and pages that have one of them lose their events. Otherwise wait until
          that time.
        </Note>
      )}
    </FormDialog>
  )
}

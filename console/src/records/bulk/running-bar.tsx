import { useEffect } from 'react'
import { Button } from '../../parts/button.tsx'
import type { RecordKind } from '../kinds.ts'
import { BulkProgress } from './bulk-progress.tsx'
import styles from './running-bar.module.css'
import { useBulkChange } from './use-bulk-change.ts'

/** A change of all records that goes on after its dialog was closed, or the page was loaded again. */
export function RunningBar({ kind, id, onSeen }: { kind: RecordKind; id: string; onSeen: () => void }) {
  const change = useBulkChange(kind, id)
  const { isGone } = change
  useEffect(() => {
    if (isGone) onSeen()
  })
  return (
    <section className={styles.bar} aria-label="Change of all records">
      <b className="strong">Change of all {kind.many}</b>
      <BulkProgress kind={kind} change={change} />
      {change.hasEnded && <Button kind="quiet" icon="close" aria-label="Close the result" onClick={onSeen} />}
    </section>
  )
}

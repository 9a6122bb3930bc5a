import { useEffect } from 'react'
import { Button } from '../../parts/button.tsx'
import { clockOf } from '../../parts/times.ts'
import styles from '../bar.module.css'
import type { RecordKind } from '../kinds.ts'
import { BulkProgress } from './bulk-progress.tsx'
import { useBulkChange } from './use-bulk-change.ts'

/** A change of all records that continues after its dialog was closed, or the page was loaded again. */
export function RunningBar({
  kind,
  id,
  place,
  onSeen,
}: {
  kind: RecordKind
  id: string
  /** Its place among the bars: 0 is the first one. */
  place: number
  onSeen: () => void
}) {
  const change = useBulkChange(kind, id)
  const { isGone, progress } = change
  // Several may run: their numbers and times tell them apart.
  const number = place === 0 ? '' : ` (${place + 1})`
  const title = `Change of all ${kind.many}${number}${progress ? `, ${clockOf(progress.created_at)}` : ''}`
  useEffect(() => {
    if (isGone) onSeen()
  })
  return (
    <section className={styles.bar} aria-label={title}>
      <b className="strong">{title}</b>
      <BulkProgress kind={kind} change={change} />
      {(change.hasEnded || change.problem) && (
        <Button
          kind="quiet"
          icon="close"
          aria-label={change.hasEnded ? 'Close the result' : 'Close'}
          onClick={onSeen}
        />
      )}
    </section>
  )
}

import { useEffect } from 'react'
import { useSession } from '../../api/use-session.ts'
import { Button } from '../../parts/button.tsx'
import { actorWords } from '../../parts/event-words.ts'
import { clockOf } from '../../parts/times.ts'
import styles from '../bar.module.css'
import type { RecordKind } from '../kinds.ts'
import { BulkProgress } from './bulk-progress.tsx'
import { changeWords } from './change-words.ts'
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
  const { member } = useSession()
  // Several may run: what they change, their numbers and their times tell them apart.
  const number = place === 0 ? '' : ` (${place + 1})`
  const by = progress?.created_by
  const author = !by || by.id === member.member_id ? '' : `, by ${actorWords(by)}`
  const started = progress ? `, ${clockOf(progress.created_at)}` : ''
  const what = progress ? changeWords(progress) : ''
  const title = `Change of all ${kind.many}${number}${what}${started}${author}`
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

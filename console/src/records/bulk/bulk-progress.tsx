import type { BulkChange } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Note } from '../../parts/note.tsx'
import { count } from '../../parts/numbers.ts'
import { countOf, type RecordKind } from '../kinds.ts'
import type { RunningChange } from './use-bulk-change.ts'

/** What is done of a change of all records, what is not, and a button that stops it. */
export function BulkProgress({
  kind,
  change: { progress, hasEnded, problem, isGone, stop },
}: {
  kind: RecordKind
  change: RunningChange
}) {
  return (
    <>
      <p role="status">{progress ? words(kind, progress) : isGone ? '' : 'Starting…'}</p>
      {!hasEnded && !isGone && (
        <Button isBusy={stop.isBusy} onClick={() => stop.submit()}>
          Stop
        </Button>
      )}
      {stop.rest && <Note kind="bad">Not stopped: {stop.rest}</Note>}
      {problem && (
        <Note kind="warn">
          The progress could not be read: {problem}
          {!isGone && ' The change continues. Its progress is read again every 5 s.'}
        </Note>
      )}
      {progress && progress.refused > 0 && (
        <Note kind="warn">
          {count(progress.refused)} refused: {progress.refusals[0]?.reason}
        </Note>
      )}
    </>
  )
}

function words(kind: RecordKind, progress: BulkChange): string {
  const { status, records, changed, unchanged, refused, error } = progress
  const passed = changed + unchanged + refused
  if (status === 'canceled') {
    const had = unchanged > 0 ? ` Had the value already: ${countOf(kind, unchanged)}.` : ''
    const left = Math.max(0, records - passed)
    return `It was stopped. Changed: ${countOf(kind, changed)}.${had} Not reached: ${countOf(kind, left)}.`
  }
  const done = `${count(passed)} of ${count(records)} done.`
  if (status === 'succeeded') return `${done} All done.`
  return error ? `${done} ${error.message}` : `${done} What is done stays if you stop it.`
}

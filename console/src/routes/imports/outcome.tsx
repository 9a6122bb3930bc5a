import type { Import } from '../../../../sdk/src/generated/types.ts'
import { type Figure, Figures } from '../../parts/figures.tsx'
import { Note } from '../../parts/note.tsx'
import { count, percent } from '../../parts/numbers.ts'
import { Progress } from '../../parts/progress.tsx'
import { durationWords } from '../../parts/times.ts'
import { countOf } from '../../records/kinds.ts'
import { isUnfinished, kindOf } from './import-words.ts'
import { useRate } from './use-rate.ts'

/**
 * What an import has done so far, or did.
 * @param expected the number of rows of the file; null: not known
 * @param readAt when the import was read, in milliseconds
 */
export function Outcome({
  found,
  expected,
  readAt,
}: {
  found: Import
  expected: number | null
  readAt: number
}) {
  const { error } = found
  return (
    <>
      {isUnfinished(found) ? <Moving {...{ found, expected, readAt }} /> : <Ended found={found} />}
      {error && error.code !== 'nothing_imported' && <Note kind="bad">{error.message}</Note>}
      <Figures figures={figuresOf(found)} />
    </>
  )
}

function Moving({ found, expected, readAt }: { found: Import; expected: number | null; readAt: number }) {
  const { status, counts } = found
  const isRevert = status === 'reverting'
  const [done, all] = isRevert
    ? [counts.reverted + counts.kept, counts.created + counts.updated]
    : [counts.rows_read, expected]
  const rate = useRate(done, readAt)
  if (status === 'queued') return <Head title="Waiting for its turn" about="The import begins by itself." />
  const part = all ? Math.min(1, done / all) : null
  const left = rate !== null && all !== null && all > done ? durationWords((all - done) / rate) : null
  const title = isRevert ? 'Reverting' : 'Importing'
  return (
    <>
      <div className="rail base">
        <h2 className="t20 strong" aria-live="polite">
          {title}: {count(done)} {all === null ? 'rows so far' : `of ${count(all)} rows`}
        </h2>
        {part !== null && <span className="end t20 strong">{percent(part)}</span>}
      </div>
      {part !== null && <Progress label={title} done={part} />}
      <div className="rail t12 three wrap">
        {rate !== null && <span>{count(Math.round(rate))} rows a second</span>}
        <span className={rate === null ? undefined : 'end'}>
          {left && `about ${left} left · `}continues if you leave
        </span>
      </div>
    </>
  )
}

function Ended({ found }: { found: Import }) {
  const { status, counts, dry_run: isCheck, error } = found
  const kind = kindOf(found)
  const done = counts.created + counts.updated
  const refused = counts.refused > 0 ? ` ${rowsWords(counts.refused)} refused.` : ''
  if (isCheck)
    return <Head title={`A check: ${countOf(kind, done)} would be imported.`} about="Nothing was written." />
  if (status === 'reverted')
    return (
      <Head
        title="The import is reverted."
        about={
          counts.kept === 0
            ? `Everything that it wrote was taken back: ${countOf(kind, counts.reverted)}.`
            : `${countOf(kind, counts.reverted)} taken back. ${countOf(kind, counts.kept)} kept, because somebody changed or merged them since. The survivors of merged ${kind.many} keep their values.`
        }
      />
    )
  if (status === 'canceled')
    return (
      <Head
        title="The import was canceled."
        about={
          done === 0
            ? 'Nothing was written.'
            : `Written before: ${countOf(kind, done)}. You can keep or revert what was written.`
        }
      />
    )
  if (status === 'failed')
    return (
      <Head
        title={error?.code === 'nothing_imported' ? 'No row was imported.' : 'The import failed.'}
        about={
          done === 0
            ? counts.rows_read === 0
              ? 'Nothing was written. The file has no rows below its header.'
              : 'Nothing was written.'
            : `Written before it failed: ${countOf(kind, done)}. You can revert what was written.`
        }
      />
    )
  return (
    <Head
      title={`${countOf(kind, done)} ${done === 1 ? 'is' : 'are'} imported.${refused}`}
      about={
        counts.refused > 0
          ? 'The download has the lines and reasons of the refused rows. Copy these rows to a new file, correct them, and import it.'
          : 'Crosswalk now looks for duplicates among them.'
      }
    />
  )
}

const Head = ({ title, about }: { title: string; about: string }) => (
  <div className="stack g4">
    <h2 className="t20 strong">{title}</h2>
    <p className="two">{about}</p>
  </div>
)

const rowsWords = (n: number) => `${count(n)} ${n === 1 ? 'row was' : 'rows were'}`

function figuresOf({ counts, match_on, status }: Import): Figure[] {
  const isReverted = status === 'reverting' || status === 'reverted'
  return [
    { name: 'Created', value: count(counts.created) },
    ...(match_on === null
      ? []
      : [
          { name: 'Updated', value: count(counts.updated) },
          { name: 'Already up to date', value: count(counts.unchanged) },
        ]),
    { name: 'Refused', value: count(counts.refused), isBad: counts.refused > 0 },
    ...(isReverted
      ? [
          { name: 'Taken back', value: count(counts.reverted) },
          { name: 'Kept', value: count(counts.kept) },
        ]
      : []),
  ]
}

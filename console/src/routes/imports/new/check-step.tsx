import { useQuery } from '@tanstack/react-query'
import type { Import } from '../../../../../sdk/src/generated/types.ts'
import { Figures } from '../../../parts/figures.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Note } from '../../../parts/note.tsx'
import { count } from '../../../parts/numbers.ts'
import { countOf } from '../../../records/kinds.ts'
import { useScope } from '../../../shell/scope.tsx'
import { importQuery } from '../import-queries.ts'
import { addressesOf, isUnfinished, kindOf } from '../import-words.ts'
import { RefusedRows } from '../refused-rows.tsx'
import styles from './new.module.css'

/** The number of rows that an import would write. */
export const readyRows = ({ counts }: Import): number => counts.created + counts.updated

/** The result of the check, as it is known now. */
export const useCheck = (importId: string | null) =>
  useQuery({ ...importQuery(useScope(), importId ?? ''), enabled: importId !== null })

/** The third step: what an import would do. Nothing is written yet. */
export function CheckStep({
  check,
  hasPhones,
  loose,
}: {
  check: ReturnType<typeof useCheck>
  /** Whether the columns have phone numbers. */
  hasPhones: boolean
  /** The columns whose values become extra values if they do not fit. */
  loose: readonly string[]
}) {
  return (
    <Loaded query={check}>
      {(found) =>
        isUnfinished(found) ? (
          <Checking found={found} />
        ) : (
          <Result found={found} hasPhones={hasPhones} loose={loose} />
        )
      }
    </Loaded>
  )
}

const Checking = ({ found }: { found: Import }) => (
  <div className={styles.block} role="status">
    <h2 className="t20 strong">Checking: {count(found.counts.rows_read)} rows so far</h2>
    <p className="two">Nothing is written.</p>
  </div>
)

function Result({
  found,
  hasPhones,
  loose,
}: {
  found: Import
  hasPhones: boolean
  loose: readonly string[]
}) {
  const { counts, error, match_on } = found
  const kind = kindOf(found)
  const ready = readyRows(found)
  const { refused } = counts
  const title =
    counts.rows_read === 0
      ? 'The file has no rows below its header.'
      : ready > 0
        ? `${countOf(kind, ready)} ${ready === 1 ? 'is' : 'are'} ready.${refused > 0 ? ` ${count(refused)} ${refused === 1 ? 'row is' : 'rows are'} not.` : ''}`
        : counts.unchanged > 0
          ? 'Nothing would change.'
          : 'No row can be imported.'
  return (
    <>
      <div className={styles.block}>
        <div className="stack g4" role="status">
          <h2 className="t20 strong">{title}</h2>
          <p className="two">
            Nothing is written yet.
            {ready > 0 &&
              refused > 0 &&
              ' The refused rows are left out. The download has their lines and reasons, so that you can correct your file.'}
            {ready === 0 && refused > 0 && ' The reasons are below. Often another choice for a column helps.'}
          </p>
        </div>
        {counts.unreadable > 0 && (
          <Note kind="warn">
            {countOf(kind, counts.unreadable)} {counts.unreadable === 1 ? 'has' : 'have'} {addressesOf(kind)}{' '}
            that cannot be read. The import keeps the text. Correct your file now, or the records later.
            {hasPhones &&
              ' If the numbers have no country code, go back to the columns and choose their country.'}
          </Note>
        )}
        {ready > 0 && loose.length > 0 && (
          <p className="two">
            If a value of {loose.map((header) => `“${header}”`).join(' or ')} does not fit its field, the
            import stores it as an extra value with the name of the column.
          </p>
        )}
        {match_on !== null && counts.created > 1 && (
          <p className="two">
            If rows of the file match each other, each of them counts as new here. The import makes one{' '}
            {kind.one} of them.
          </p>
        )}
        {error && error.code !== 'nothing_imported' && <Note kind="bad">{error.message}</Note>}
        <Figures
          figures={[
            { name: `New ${kind.many}`, value: count(counts.created) },
            ...(match_on === null
              ? []
              : [
                  { name: 'Updated', value: count(counts.updated) },
                  { name: 'Already up to date', value: count(counts.unchanged) },
                ]),
            { name: 'Refused', value: count(refused), isBad: refused > 0 },
          ]}
        />
      </div>
      {refused > 0 && <RefusedRows found={found} />}
    </>
  )
}

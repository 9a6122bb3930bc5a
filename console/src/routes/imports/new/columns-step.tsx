import { type Dispatch, type SetStateAction, useCallback, useMemo } from 'react'
import { Note } from '../../../parts/note.tsx'
import { count } from '../../../parts/numbers.ts'
import { type Column, Table } from '../../../parts/table.tsx'
import { useFields } from '../../../records/use-fields.ts'
import { ColumnRow } from './column-row.tsx'
import { columnProblems, type Draft, hasIdentity, withTarget } from './draft.ts'
import { ImportOptions } from './import-options.tsx'
import styles from './new.module.css'
import { identityWords, keyOf, targetsOf } from './targets.ts'
import { FileProblem } from './upload-progress.tsx'

const columns: Column[] = [
  { name: 'In the file', width: 240, phoneWidth: 130 },
  { name: 'Becomes', width: 300, phoneWidth: 230 },
  { name: 'Samples', optional: true },
]

/** A file with more columns fills the menus only when they are used. */
const lazyColumns = 40

/** The second step: what each column becomes, and how rows meet the records that exist. */
export function ColumnsStep({
  draft,
  error,
  onChange,
  onEncoding,
}: {
  draft: Draft
  /** Why the file could not be read with another encoding; null: it could. */
  error: unknown
  onChange: Dispatch<SetStateAction<Draft | null>>
  onEncoding: (encoding: string) => void
}) {
  const { kind, inspection, targets } = draft
  const fields = useFields(kind)
  const offered = useMemo(() => targetsOf(kind, fields), [kind, fields])
  const problems = columnProblems(draft)
  const known = inspection.columns.filter(({ field }) => field !== null).length
  const change = useCallback(
    (index: number, target: string) =>
      onChange((before) => before && withTarget(before, index, target, fields)),
    [onChange, fields],
  )
  return (
    <div className={styles.sheet}>
      <div className={styles.block}>
        <div className="stack g4">
          <h2 className="t20 strong">
            {known === inspection.columns.length
              ? known === 1
                ? 'The only column is recognized.'
                : `All ${count(known)} columns are recognized.`
              : `${count(known)} of ${count(inspection.columns.length)} columns are recognized.`}
          </h2>
          <p className="two">
            {known === inspection.columns.length
              ? 'You can change what they become.'
              : 'Choose what the others become.'}{' '}
            An extra value is stored with the {kind.one} under its name.
            {inspection.format === 'xlsx' && ' Of a workbook, only the first visible sheet is read.'}
            {inspection.source &&
              inspection.source !== 'crosswalk' &&
              ` The file is an export of ${sources[inspection.source]}.`}
          </p>
        </div>
        {!inspection.has_header && (
          <Note kind="warn">
            <b>The first row looks like values.</b> It is read as the names of the columns, and is not
            imported. If the file has no such row, add one and choose the file again.
          </Note>
        )}
        {inspection.has_header && !hasIdentity(draft) && (
          <Note kind="bad">
            <b>No column says whom a row is about.</b> Choose for at least one column that it becomes{' '}
            {identityWords(kind)}.
          </Note>
        )}
        {error !== null && <FileProblem error={error} />}
        <ImportOptions draft={draft} fields={fields} onChange={onChange} onEncoding={onEncoding} />
      </div>
      <Table label="Columns" columns={columns}>
        {inspection.columns.map((column, index) => (
          <ColumnRow
            key={column.position}
            index={index}
            column={column}
            target={targets[index] ?? ''}
            targets={offered}
            idField={kind.idField}
            problem={problems[index] ?? null}
            isLazy={inspection.columns.length > lazyColumns}
            onChange={change}
          />
        ))}
      </Table>
    </div>
  )
}

const sources = { hubspot: 'HubSpot', salesforce: 'Salesforce', twenty: 'Twenty' } as const

/** Whether the draft can be checked. */
export const isReady = (draft: Draft): boolean =>
  hasIdentity(draft) &&
  columnProblems(draft).every((problem) => problem === null) &&
  draft.targets.every((target) => keyOf(target, 'custom') !== '' && keyOf(target, 'external_id') !== '')

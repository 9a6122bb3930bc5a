import { type ReactNode, Suspense, useState } from 'react'
import type { RecordFilter } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import fieldStyles from '../../parts/field.module.css'
import { TextFilter } from '../../parts/filters.tsx'
import { lazyPart } from '../../routing/lazy-part.ts'
import { LateDialog } from '../../shell/late-dialog.tsx'
import { useKey } from '../../shell/use-key.ts'
import type { ListSearch } from '../list-search.ts'
import type { RecordField } from '../record-field.ts'
import { comparisonOf, conditionsOf, filterOf } from './conditions.ts'
import styles from './filter-bar.module.css'
import { inCurrency } from './in-currency.ts'

const ConditionChips = lazyPart(() => import('./condition-chips.tsx'), 'ConditionChips')
const ConditionDialog = lazyPart(() => import('./condition-dialog.tsx'), 'ConditionDialog')

/**
 * The filters of a list: words to search, a chip for each condition, and whether archived records are shown.
 * @param hasArchived false: the list never shows archived records
 * @param isReady false: the filters are not known yet
 * @param before what the beginning of the bar shows
 * @param children what the end of the bar shows
 */
export function RecordFilterBar({
  fields,
  search,
  hasArchived = true,
  isReady = true,
  before,
  onChange,
  children,
}: {
  fields: readonly RecordField[]
  search: ListSearch
  hasArchived?: boolean
  isReady?: boolean
  before?: ReactNode
  onChange: (next: ListSearch) => void
  children?: ReactNode
}) {
  const conditions = conditionsOf(search.filter)
  const focusRecords = () => document.querySelector<HTMLElement>('[role=grid], [data-deal]')?.focus()

  /** The index of the condition that is edited; the length of the list: a new one; null: none. */
  const [edited, setEdited] = useState<number | null>(null)
  useKey('f', () => setEdited(conditions.length))
  useKey('/', () => document.querySelector<HTMLInputElement>('#record-search input')?.focus())
  const put = (next: readonly RecordFilter[]) => onChange({ filter: filterOf(next) })
  const asked = edited === null ? undefined : conditions[edited]
  return (
    <search className={styles.bar} aria-label="Filters" inert={!isReady}>
      {before}
      <div className={styles.words} id="record-search">
        <TextFilter
          label="Search"
          placeholder="Search"
          value={search.q ?? ''}
          onChange={(q) => onChange({ q: q || undefined })}
          onKeyDown={({ key, currentTarget }) => {
            // The first Escape empties the field.
            if (key === 'Enter' || (key === 'Escape' && currentTarget.value === '')) focusRecords()
          }}
        />
      </div>
      {conditions.length > 0 && (
        <Suspense>
          <ConditionChips fields={fields} filter={search.filter} onEdit={setEdited} onChange={put} />
        </Suspense>
      )}
      <Button kind="quiet" icon="filter" shortcut="F" onClick={() => setEdited(conditions.length)}>
        Filter
      </Button>
      {hasArchived && (
        <label className={styles.archived}>
          <input
            type="checkbox"
            className={fieldStyles.tick}
            checked={search.archived ?? false}
            onChange={(event) => onChange({ archived: event.target.checked || undefined })}
          />
          Archived
        </label>
      )}
      {children}
      {edited !== null && (
        <LateDialog>
          <ConditionDialog
            fields={inCurrency(fields, search.filter)}
            condition={(asked && comparisonOf(asked)) ?? null}
            onClose={() => setEdited(null)}
            onDone={(condition) => {
              setEdited(null)
              put(conditions.toSpliced(edited, 1, condition))
            }}
          />
        </LateDialog>
      )}
    </search>
  )
}

import { type ReactNode, Suspense, useRef, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Grid } from '../../parts/grid/grid.tsx'
import { fittingColumns } from '../../parts/grid/layout.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Note } from '../../parts/note.tsx'
import { count } from '../../parts/numbers.ts'
import { useIsPhone } from '../../parts/use-media.ts'
import { useWidth } from '../../parts/use-width.ts'
import { lazyPart } from '../../routing/lazy-part.ts'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { LateDialog } from '../../shell/late-dialog.tsx'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import bar from '../bar.module.css'
import { ExportButton } from '../bulk/export-button.tsx'
import { useRunningChanges } from '../bulk/running-change.ts'
import { useSelection } from '../bulk/use-selection.ts'
import { defaultSort, isBroken } from '../filters/conditions.ts'
import { RecordFilterBar } from '../filters/filter-bar.tsx'
import { idOf, type RecordKind, type ShownRecord, titleOf } from '../kinds.ts'
import { queryOf } from '../list-query.ts'
import type { ListSearch } from '../list-search.ts'
import { reloadLists } from '../record-queries.ts'
import { SegmentMenu } from '../segments/segment-menu.tsx'
import { useSegment } from '../segments/use-segment.ts'
import { useFields } from '../use-fields.ts'
import { useColumns } from './columns.ts'
import { misfitOf } from './misfit.ts'
import styles from './page.module.css'
import { offsetOf } from './scroll-offset.ts'
import { useActiveRow } from './use-active-row.ts'
import { useGridColumns } from './use-grid-columns.ts'
import { useRecords } from './use-records.ts'

const SegmentChanges = lazyPart(() => import('../segments/segment-changes.tsx'), 'SegmentChanges')
const Peek = lazyPart(() => import('./peek.tsx'), 'Peek')
const SelectionBar = lazyPart(() => import('../bulk/selection-bar.tsx'), 'SelectionBar')
const RunningBar = lazyPart(() => import('../bulk/running-bar.tsx'), 'RunningBar')
const NoRecords = lazyPart(() => import('./no-records.tsx'), 'NoRecords')
const NoSegment = lazyPart(() => import('./no-records.tsx'), 'NoSegment')
const BadLink = lazyPart(() => import('./no-records.tsx'), 'BadLink')
const ColumnsDialog = lazyPart(() => import('./columns-dialog.tsx'), 'ColumnsDialog')

/** The bar loads before the first record is selected, so that its keys work at once. */
const loadBar = () => void SelectionBar.preload()

/**
 * All records of a type: a grid of any length, with filters, columns and a selection.
 * @param acts more actions of the page
 * @param actsOf actions on the record that is open beside the list
 */
export function RecordList({
  kind,
  acts,
  actsOf,
}: {
  kind: RecordKind
  acts?: ReactNode
  actsOf?: (record: ShownRecord) => ReactNode
}): ReactNode {
  const { orgId } = useScope()
  const search = useSearch() as ListSearch
  const navigate = useNavigate()
  const opened = useSegment(
    kind,
    search,
    (next, replace = false) =>
      void navigate({ to: '.', search: (all: object) => ({ ...all, ...next }), replace }),
  )
  const { shown, change } = opened
  const fields = useFields(kind)
  const { chosen, choose, widths, resize } = useColumns(kind, fields)
  const [asksColumns, setAsksColumns] = useState(false)
  const visible = useRef({ first: 0, last: 0 })
  const { list, rows, total, hasNews, key, isFailing } = useRecords(kind, search, visible)
  const listId = JSON.stringify(key)
  const selection = useSelection(listId)
  const running = useRunningChanges(kind)
  const { active, setActive } = useActiveRow(rows, (row) => idOf(kind, row), listId, search.peek)
  const isPhone = useIsPhone()
  const [box, width] = useWidth(search.peek !== undefined)
  const columns = useGridColumns(chosen, rows)
  const sort = sortOf(shown)
  const peek = (index: number) => {
    const row = rows[index]
    // The back button closes the peek, and does not walk through all records that it showed.
    if (row) change({ peek: idOf(kind, row) }, search.peek !== undefined)
  }
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(index, rows.length - 1))
    setActive(next)
    if (search.peek !== undefined) peek(next)
  }
  const focusGrid = () => document.querySelector<HTMLElement>('[role=grid]')?.focus()
  const close = () => {
    change({ peek: undefined })
    focusGrid()
  }
  const step = (by: number) => {
    moveTo(active + by)
    focusGrid()
  }
  const showNews = () => {
    offsetOf(listId).set(0)
    setActive(0)
    void reloadLists(kind, orgId)
  }
  useKey('j', () => step(1))
  useKey('k', () => step(-1))
  const name = titleOf(kind)
  return (
    <Page
      name={name}
      part={list.data ? count(total) : ''}
      acts={
        <>
          <span className={acts ? 'opt-phone' : undefined}>
            <ExportButton kind={kind} search={search} />
          </span>
          <span className="opt">
            <Button kind="quiet" icon="columns" onClick={() => setAsksColumns(true)}>
              Columns
            </Button>
          </span>
          {acts}
        </>
      }
    >
      <div className={styles.list}>
        <RecordFilterBar
          fields={fields}
          search={shown}
          isReady={opened.isRead}
          before={<SegmentMenu kind={kind} opened={opened} />}
          onChange={change}
        >
          {(opened.isChanged || shown.q !== undefined || shown.filter || opened.dialog) && (
            <Suspense>
              <SegmentChanges kind={kind} opened={opened} />
            </Suspense>
          )}
        </RecordFilterBar>
        {opened.segment?.problem && (
          <div className={bar.bar}>
            <Note kind="warn">{opened.segment.problem.message}</Note>
          </div>
        )}
        {hasNews && (
          <div className={bar.bar} role="status">
            Other rows were added, removed or moved.
            <Button kind="quiet" icon="rotate" onClick={showNews}>
              Show them
            </Button>
          </div>
        )}
        {isFailing && list.data && (
          <div className={bar.bar}>
            <Note kind="warn">
              {list.isPlaceholderData
                ? 'Your browser is offline. The rows are still those of the earlier search or filters.'
                : 'Crosswalk does not answer. This list may be old. It is read again every 5 s.'}
            </Note>
          </div>
        )}
        <div className={styles.columns}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: they only load a file */}
          <div
            className={styles.grid}
            ref={box}
            aria-busy={list.isPlaceholderData || undefined}
            onPointerEnter={loadBar}
            onFocus={loadBar}
          >
            <Suspense>
              {opened.isGone ? (
                <NoSegment kind={kind} onAll={() => opened.open(null)} />
              ) : isBroken(shown.filter) || misfitOf(list.error) ? (
                <BadLink kind={kind} search={shown} error={list.error} onChange={change} />
              ) : (
                <Loaded query={list} rows={5}>
                  {() =>
                    rows.length === 0 ? (
                      <NoRecords kind={kind} fields={fields} search={shown} onChange={change} />
                    ) : (
                      <Grid
                        key={listId}
                        label={name}
                        {...{ rows, total, active, isPhone, visible }}
                        isOpen={search.peek !== undefined}
                        columns={search.peek ? fittingColumns(columns, width, widths) : columns}
                        idOf={(row) => idOf(kind, row)}
                        nameOf={kind.nameOf}
                        hrefOf={(row) => `/console/o/${orgId}${kind.path}/${idOf(kind, row)}`}
                        secondLine={kind.secondLine}
                        rowHeight={isPhone ? 56 : 36}
                        offset={offsetOf(listId)}
                        sort={sort}
                        widths={widths}
                        onResize={resize}
                        onSort={(column) => change({ sort: nextSort(sort, column) })}
                        onActive={moveTo}
                        isSelected={selection.has}
                        selectedCount={selection.ids.size}
                        onToggle={selection.toggle}
                        onOpen={peek}
                        onAct={({ kind: act }) => {
                          const row = rows[active]
                          if (act === 'toggle' && row) {
                            const id = idOf(kind, row)
                            selection.toggle([id], !selection.has(id))
                          } else if (act === 'open-page' && row)
                            void navigate({
                              to: `/o/$orgId${kind.path}/$recordId` as '/o/$orgId/people/$recordId',
                              params: { orgId, recordId: idOf(kind, row) },
                            })
                          else if (act !== 'close') peek(active)
                          else if (search.peek !== undefined) close()
                          else selection.clear()
                        }}
                        onNearEnd={() => {
                          if (list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError)
                            void list.fetchNextPage()
                        }}
                      />
                    )
                  }
                </Loaded>
              )}
            </Suspense>
          </div>
          {search.peek !== undefined && (
            <Suspense>
              <Peek
                key={search.peek}
                kind={kind}
                fields={fields}
                id={search.peek}
                place={`${count(active + 1)} of ${count(total)}`}
                actsOf={actsOf}
                onStep={(by) => moveTo(active + by)}
                onClose={close}
              />
            </Suspense>
          )}
        </div>
        {selection.ids.size > 0 && (
          <Suspense>
            <SelectionBar
              {...{ kind, fields, selection, total, running }}
              asked={queryOf(search)}
              isArchived={search.archived ?? false}
            />
          </Suspense>
        )}
        {running.ids.map((id, place) => (
          <Suspense key={id}>
            <RunningBar {...{ kind, id, place }} onSeen={() => running.forget(id)} />
          </Suspense>
        ))}
        {list.isFetchNextPageError && (
          <div className={bar.bar}>
            <Note kind="bad">
              The next rows could not be read.{' '}
              <Button kind="quiet" onClick={() => void list.fetchNextPage()}>
                Try again
              </Button>
            </Note>
          </div>
        )}
      </div>
      {asksColumns && (
        <LateDialog>
          <ColumnsDialog
            fields={fields}
            chosen={chosen}
            onChange={choose}
            onClose={() => setAsksColumns(false)}
          />
        </LateDialog>
      )}
    </Page>
  )
}

const sortOf = ({ sort = defaultSort }: ListSearch) => ({
  name: sort.replace(/^-/, ''),
  isDescending: sort.startsWith('-'),
})

/** Times begin with the latest, and other columns with the first. The same column again gives the other order. */
function nextSort(sort: { name: string; isDescending: boolean }, name: string): string {
  const isDescending = sort.name === name ? !sort.isDescending : name.endsWith('_at')
  return isDescending ? `-${name}` : name
}

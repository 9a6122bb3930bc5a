import { useState } from 'react'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/numbers.ts'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { lazyPart } from '../../routing/lazy-part.ts'
import { LateDialog } from '../../shell/late-dialog.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { countOf, type RecordKind } from '../kinds.ts'
import { PushButton } from '../push-button.tsx'
import type { RecordField } from '../record-field.ts'
import { reloadLists } from '../record-queries.ts'
import { type BulkResult, batchMax, changeRecords, idsOfList } from './batches.ts'
import type { useRunningChanges } from './running-change.ts'
import styles from './selection-bar.module.css'
import type { Selection } from './use-selection.ts'
import { useSteps } from './use-steps.ts'

const TagDialog = lazyPart(() => import('./tag-dialog.tsx'), 'TagDialog')
const OwnerDialog = lazyPart(() => import('./owner-dialog.tsx'), 'OwnerDialog')
const BulkChangeDialog = lazyPart(() => import('./bulk-change-dialog.tsx'), 'BulkChangeDialog')
const MergeDialog = lazyPart(() => import('./merge-dialog.tsx'), 'MergeDialog')

/** A merge of the API has one survivor and at most 20 others. */
const mergeMax = 21
const selectMax = 10_000

/** The actions on the selected records. */
export function SelectionBar({
  kind,
  fields,
  selection,
  total,
  asked,
  isArchived,
  running,
}: {
  kind: RecordKind
  fields: readonly RecordField[]
  selection: Selection
  /** The number of all records of the list. */
  total: number
  /** What the list shows, as the API expects it. */
  asked: object
  /** Whether the list shows archived records. */
  isArchived: boolean
  running: ReturnType<typeof useRunningChanges>
}) {
  const { orgId, api, can } = useScope()
  const [open, setOpen] = useState<'tag' | 'owner' | 'merge' | 'all' | null>(null)
  const steps = useSteps()
  const ids = [...selection.ids]
  const mayWrite = can(`${kind.resource}:write`)
  const mayMerge = can('duplicates:write') && mayWrite && !isArchived
  const canMerge = mayMerge && ids.length >= 2 && ids.length <= mergeMax
  const report = (result: BulkResult, verb: string, undo?: () => unknown) => {
    void reloadLists(kind, orgId)
    const { failed, left } = result
    const stopped = left > 0 ? `. You stopped it: ${countOf(kind, left)} unchanged` : ''
    const words = `${countOf(kind, result.done.length)} ${verb}${stopped}`
    const act = undo && result.done.length > 0 ? { name: 'Undo', run: undo } : undefined
    if (failed.length === 0) showToast(`${words}.`, 'ok', act)
    else showToast(`${words}. ${count(failed.length)} refused: ${failed[0]?.why}`, 'bad', act)
  }
  const done = (...outcome: Parameters<typeof report>) => {
    selection.clear()
    report(...outcome)
  }
  const put = (action: 'archive' | 'restore', changed: readonly string[]) =>
    changeRecords(kind, api, changed, { action }, steps.begin()).catch((error: unknown) => {
      // A part may be done: show what the lists have now.
      void reloadLists(kind, orgId)
      throw error
    })
  const restore = useSubmit(() => put('restore', ids), { onDone: (result) => done(result, 'restored') })
  const undo = (archived: readonly string[]): unknown =>
    put('restore', archived).then(
      // The person may have selected others meanwhile.
      (restored) => report(restored, 'restored'),
      (error) =>
        showToast(`Not restored: ${problemOf(error).text} Archived records are under “Archived”.`, 'bad', {
          name: 'Undo',
          run: () => undo(archived),
        }),
    )
  const archive = useSubmit(() => put('archive', ids), {
    onDone: (result) => done(result, 'archived', () => undo(result.done)),
  })
  const selectAll = useSubmit(() => idsOfList(kind, api, asked, selectMax), {
    onDone: (all) => selection.toggle(all, true),
  })
  useKey('t', () => mayWrite && !isArchived && setOpen('tag'))
  useKey('o', () => mayWrite && !isArchived && setOpen('owner'))
  useKey('m', () => canMerge && setOpen('merge'))
  useKey('e', () => mayWrite && (isArchived ? restore : archive).submit())
  const close = () => setOpen(null)
  const closeDone = (result: BulkResult, verb: string) => {
    close()
    done(result, verb)
  }
  const isBusy = archive.isBusy || restore.isBusy
  const isLong = ids.length > batchMax && steps.handled !== null
  const problem = archive.rest ?? restore.rest ?? selectAll.rest
  return (
    <section className={styles.bar} aria-label="Selection">
      <b className="strong" role="status">
        {count(ids.length)} selected
      </b>
      {ids.length < total && ids.length < selectMax && (
        <Button kind="quiet" isBusy={selectAll.isBusy} onClick={() => selectAll.submit()}>
          Select {total > selectMax ? `the first ${count(selectMax)}` : `all ${count(total)}`}
        </Button>
      )}
      {mayWrite && !isArchived && total > 1 && (
        <Button kind="quiet" onClick={() => setOpen('all')}>
          Change all {count(total)}
        </Button>
      )}
      {mayWrite && !isArchived && (
        <Button kind="quiet" icon="tag" shortcut="T" onClick={() => setOpen('tag')}>
          Tag
        </Button>
      )}
      {mayWrite && !isArchived && (
        <Button kind="quiet" icon="people" shortcut="O" onClick={() => setOpen('owner')}>
          Owner
        </Button>
      )}
      {mayMerge && (
        <Button
          kind="quiet"
          icon="merge"
          shortcut="M"
          disabled={!canMerge}
          title={canMerge ? undefined : `Select 2 to ${mergeMax} ${kind.many}`}
          onClick={() => setOpen('merge')}
        >
          Merge
        </Button>
      )}
      {kind.entity === 'contact' && !isArchived && <PushButton ids={ids} />}
      {mayWrite && (
        <Button
          kind="quiet"
          icon={isArchived ? 'rotate' : 'archive'}
          shortcut="E"
          isBusy={isBusy}
          onClick={() => (isArchived ? restore : archive).submit()}
        >
          {isArchived ? 'Restore' : 'Archive'}
        </Button>
      )}
      <Button kind="quiet" icon="close" aria-label="Clear the selection" onClick={selection.clear} />
      {isBusy && isLong && (
        <Button kind="quiet" isBusy={steps.isStopping} onClick={steps.stop}>
          Stop
        </Button>
      )}
      {isLong && (isBusy || problem) && (
        <span role="status">
          {count(steps.handled ?? 0)} of {count(ids.length)} done
        </span>
      )}
      {problem && (
        <span className="bad" role="alert">
          {problem}
        </span>
      )}
      {open === 'tag' && (
        <LateDialog>
          <TagDialog {...{ kind, ids }} onClose={close} onDone={closeDone} />
        </LateDialog>
      )}
      {open === 'owner' && (
        <LateDialog>
          <OwnerDialog {...{ kind, ids }} onClose={close} onDone={closeDone} />
        </LateDialog>
      )}
      {open === 'all' && (
        <LateDialog>
          <BulkChangeDialog
            {...{ kind, asked, total }}
            onStarted={running.begin}
            onClose={(seenId) => {
              close()
              if (seenId !== null) running.forget(seenId)
            }}
          />
        </LateDialog>
      )}
      {open === 'merge' && (
        <LateDialog>
          <MergeDialog
            {...{ kind, fields, ids }}
            onClose={close}
            onDone={() => {
              close()
              selection.clear()
              void reloadLists(kind, orgId)
            }}
          />
        </LateDialog>
      )}
    </section>
  )
}

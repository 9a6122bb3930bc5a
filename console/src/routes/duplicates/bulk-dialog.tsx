import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { EntityType } from '../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useGuard } from '../../parts/guards.ts'
import { Note } from '../../parts/note.tsx'
import { count } from '../../parts/numbers.ts'
import { Progress } from '../../parts/progress.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { titleOf } from '../../records/kinds.ts'
import { useScope } from '../../shell/scope.tsx'
import { acceptProposals, type BulkAnswer, countProposals, undoMerges } from './bulk-accept.ts'
import { comparedTypes } from './compared-types.ts'

/** Merges the pairs of all proposals above a score. It says how many first, and shows its progress. */
export function BulkDialog({ type: first, onClose }: { type: EntityType; onClose: () => void }) {
  const { orgId, api, can } = useScope()
  const queries = useQueryClient()
  const [type, setType] = useState(first)
  const [score, setScore] = useState('0.99')
  const [done, setDone] = useState<BulkAnswer | null>(null)
  const isStopped = useRef(false)
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const wanted = { entity_type: type, min_score: Number(score) }
  const isValid = score.trim() !== '' && wanted.min_score >= 0 && wanted.min_score <= 1
  const found = useQuery({
    queryKey: ['proposal-count', orgId, wanted],
    queryFn: ({ signal }) => countProposals(api, wanted, signal),
    enabled: isValid,
  })
  const number = (isValid && found.data) || 0
  const reload = () => {
    for (const key of ['proposals', 'proposal-count', 'decided', 'record', 'records', 'waiting'])
      void queries.invalidateQueries({ queryKey: [key, orgId] })
  }
  const undoAll = async (applied: readonly string[]) => {
    if (applied.length > 1) showToast(`Undoing ${count(applied.length)} merges …`)
    const { undone, failed } = await undoMerges(api, applied)
    reload()
    if (failed.length === 0) showToast(`${count(undone)} ${undone === 1 ? 'merge is' : 'merges are'} undone.`)
    else
      showToast(`${count(undone)} undone. ${count(failed.length)} not undone: ${failed.at(-1)?.why}`, 'bad', {
        name: 'Undo',
        run: () => undoAll(failed.map(({ id }) => id)),
      })
  }
  const form = useSubmit(
    () => {
      setDone(null)
      return acceptProposals(api, wanted, number, {
        isStopped: () => isStopped.current,
        onProgress: setDone,
      }).finally(reload)
    },
    {
      onDone: ({ applied, failed }) => {
        // The dialog says how many were refused, unless the person pressed Stop, which closed it.
        if (failed.length > 0 && !isStopped.current) return
        const refused = failed.length > 0 ? ` Refused: ${count(failed.length)}.` : ''
        showToast(`${pairs(applied.length)} merged.${refused}`, 'ok', {
          name: 'Undo all',
          run: () => void undoAll(applied),
        })
        onClose()
      },
    },
  )
  useGuard({ isNeeded: () => form.isBusy, ask: async () => false })
  const isFinished = done !== null && !form.isBusy && done.failed.length > 0 && form.rest === null
  const size = done ? done.applied.length + done.failed.length : 0
  // The count of the list shrinks while the pairs are merged.
  const all = useRef(0)
  if (!form.isBusy) all.current = number
  return (
    <FormDialog
      title="Merge above a score"
      act={number === 1 ? 'Merge 1 pair' : `Merge ${count(form.isBusy ? all.current : number)} pairs`}
      cancel={form.isBusy ? 'Stop' : isFinished ? 'Close' : 'Cancel'}
      icon="merge"
      form={form}
      isBlocked={!form.isBusy && number === 0}
      isDraft={false}
      onClose={onClose}
    >
      <Select
        label="Records"
        value={type}
        options={(['contact', 'company', 'deal'] as const)
          .filter((each) => can(`${comparedTypes[each].resource}:write`))
          .map((each) => [each, titleOf(comparedTypes[each])] as const)}
        onChange={setType}
        disabled={form.isBusy}
      />
      <TextField
        label="Lowest score"
        value={score}
        onChange={setScore}
        inputMode="decimal"
        hint="From 0 to 1. The score is the probability that the two are the same."
        error={isValid ? null : 'Type a number from 0 to 1, such as 0.99.'}
        disabled={form.isBusy}
        style={{ maxWidth: 120 }}
        autoFocus
      />
      {!form.isBusy && isValid && found.data !== undefined && !isFinished && (
        <p role="status">
          {number === 0
            ? 'No proposal has this score.'
            : `${pairs(number)} merged as proposed. Each merge can be undone.`}
        </p>
      )}
      {!form.isBusy && isValid && found.error && <Note kind="bad">{problemOf(found.error).text}</Note>}
      {form.isBusy && (
        <>
          <p role="status">
            {count(size)} of {count(all.current)} pairs
          </p>
          <Progress label="Merged pairs" done={all.current ? size / all.current : 0} />
        </>
      )}
      {isFinished && (
        <Note kind="warn">
          {pairs(done.applied.length)} merged, and {count(done.failed.length)}{' '}
          {done.failed.length === 1 ? 'was' : 'were'} refused:{' '}
          {[...new Set(done.failed.map(({ why }) => why))].slice(0, 3).join('; ')}{' '}
          {done.applied.length > 0 && (
            <Button
              kind="quiet"
              onClick={() => {
                void undoAll(done.applied)
                onClose()
              }}
            >
              Undo all
            </Button>
          )}
        </Note>
      )}
    </FormDialog>
  )
}

/** For example “3 pairs are”. */
const pairs = (n: number) => `${count(n)} ${n === 1 ? 'pair is' : 'pairs are'}`

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../sdk/src/errors.ts'
import type { CloseReason, Deal } from '../../../../sdk/src/generated/types.ts'
import { Segments, Select } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Note } from '../../parts/note.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { authorSince } from '../../records/author-since.ts'
import { deals } from '../../records/deals/kind.ts'
import { reasonsQuery } from '../../records/deals/queries.ts'
import type { ShownRecord } from '../../records/kinds.ts'
import { storeRecords } from '../../records/record-queries.ts'
import { useScope } from '../../shell/scope.tsx'
import { useReopen } from './use-reopen.ts'

export type Ending = 'won' | 'lost'

const endings = [
  ['won', 'Won'],
  ['lost', 'Lost'],
] as const

/**
 * Closes a deal as won or lost, with a reason. If the organization has reasons for exactly this ending, one of them must
 * be chosen.
 */
export function CloseDialog({
  deal: opened,
  status: first,
  onClose,
  onDone,
}: {
  deal: Deal
  status: Ending
  onClose: () => void
  onDone: () => void
}) {
  const scope = useScope()
  const { orgId, api } = scope
  const queries = useQueryClient()
  const [deal, setDeal] = useState(opened)
  const [status, setStatus] = useState<Ending>(first)
  const [chosen, setChosen] = useState<CloseReason | null>(null)
  const [conflict, setConflict] = useState<string | null>(null)
  const reasons = useQuery(reasonsQuery(scope))
  const fitting = (reasons.data?.close_reasons ?? []).filter((reason) => fits(reason, status))
  const mustChoose = fitting.some(({ outcome }) => outcome === status)
  const chosenId = chosen?.close_reason_id ?? ''
  const reason = fitting.find(({ close_reason_id }) => close_reason_id === chosenId)
  // Somebody archived the reason, or changed its outcome. Without it, the deal would be closed for no reason.
  const isGone = reasons.data !== undefined && !reason && chosen !== null && fits(chosen, status)
  const store = (saved: Deal) => storeRecords(deals, orgId, [saved as unknown as ShownRecord])
  const reopen = useReopen(onDone)
  const form = useSubmit(
    async () => {
      try {
        const body = { status, ...(reason && { close_reason_id: reason.close_reason_id }) }
        return await api.deals.close(deal.deal_id, body, { ifMatch: deal.version })
      } catch (error) {
        // Somebody may have archived the reason, or changed its outcome.
        void queries.invalidateQueries({ queryKey: ['close-reasons', orgId] })
        if (!(error instanceof ApiError && error.code === 'version_conflict')) throw error
        const theirs = await api.deals.get(deal.deal_id)
        // The answer of an earlier try was lost.
        if (theirs.status === status && theirs.close_reason_id === (reason?.close_reason_id ?? null))
          return theirs
        setConflict(await authorSince(scope, deal.deal_id, deal.updated_at))
        setDeal(theirs)
        store(theirs)
        return null
      }
    },
    {
      onDone: (saved) => {
        if (saved === null) return
        store(saved)
        const undo = { name: 'Undo', run: () => void reopen(saved) }
        showToast(`“${saved.name}” is ${saved.status}.`, 'ok', undo, saved.deal_id)
        onClose()
        onDone()
      },
    },
  )
  const isClosed = deal.status !== 'open' && deal.status !== status
  return (
    <FormDialog
      title={`Close “${deal.name}”`}
      act={`${conflict ? 'Still close' : 'Close'} as ${status}`}
      form={isGone ? { ...form, rest: null } : form}
      isDraft={false}
      isBlocked={reasons.data === undefined || (mustChoose && !reason) || isGone || isClosed}
      onClose={onClose}
    >
      <Segments label="How it ended" value={status} options={endings} onChange={setStatus} />
      <Loaded query={reasons} rows={1}>
        {() =>
          fitting.length > 0 || isGone ? (
            <Select
              label="Reason"
              value={reason || isGone ? chosenId : ''}
              options={[
                ['', mustChoose ? 'Choose …' : 'No reason'] as const,
                ...[...fitting, ...(isGone ? [chosen] : [])].map(
                  ({ close_reason_id, label }) => [close_reason_id, label] as const,
                ),
              ]}
              onChange={(id) =>
                setChosen(fitting.find(({ close_reason_id }) => close_reason_id === id) ?? null)
              }
              required={mustChoose}
              error={
                isGone
                  ? `“${chosen.label}” is no longer a reason for ${status} deals. Choose another one.`
                  : null
              }
              hint={mustChoose && !reason ? 'The deal is closed with a reason. Choose one.' : undefined}
              data-autofocus
            />
          ) : (
            <p className="two">There is no close reason for {status} deals.</p>
          )
        }
      </Loaded>
      {conflict && (
        <Note kind="warn">
          {isClosed
            ? `${conflict} closed this deal as ${deal.status} meanwhile.`
            : `${conflict} changed this deal meanwhile. It is not closed yet.`}
        </Note>
      )}
    </FormDialog>
  )
}

const fits = ({ outcome }: CloseReason, status: Ending) => outcome === 'any' || outcome === status

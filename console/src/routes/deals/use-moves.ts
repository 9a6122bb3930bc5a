import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../sdk/src/errors.ts'
import type { Deal } from '../../../../sdk/src/generated/types.ts'
import { problemAt, problemOf } from '../../api/problem.ts'
import { showToast } from '../../parts/toast.tsx'
import { authorSince } from '../../records/author-since.ts'
import { deals } from '../../records/deals/kind.ts'
import { stagesQuery } from '../../records/deals/queries.ts'
import type { ShownRecord } from '../../records/kinds.ts'
import { storeRecords } from '../../records/record-queries.ts'
import { useScope } from '../../shell/scope.tsx'

/**
 * A deal that is on its way to another stage.
 * @property isSaved whether the server has moved it, and only the page must still read its lists
 */
export type Move = { deal: Deal; from: string; stage: string; isSaved: boolean }

/**
 * Moves deals to other stages. `moves` has the deals that pages show in their new stage before the server has answered.
 * If the server refuses, the deal is back, and a message says why.
 * @param refresh reads what the page shows again; the promise ends when the page shows it
 */
export function useMoves(refresh: () => Promise<unknown>) {
  const scope = useScope()
  const { orgId, api } = scope
  const queries = useQueryClient()
  const [moves, setMoves] = useState<ReadonlyMap<string, Move>>(new Map())

  const put = (deal: Deal, from: string, stage: string, isSaved: boolean) =>
    setMoves((all) => new Map(all).set(deal.deal_id, { deal, from, stage, isSaved }))

  /** Ends a move, unless the person has begun another one of the same deal. */
  const end = ({ deal_id: id }: Deal, stage: string) =>
    setMoves((all) => (all.get(id)?.stage === stage ? new Map([...all].filter(([one]) => one !== id)) : all))

  const store = (deal: Deal) => storeRecords(deals, orgId, [deal as unknown as ShownRecord])

  const move = async (deal: Deal, stage: string): Promise<void> => {
    const { deal_id: id, name, version, stage: before } = deal
    if (before === stage) return
    put(deal, before, stage, false)
    const done = (saved: Deal) => {
      put(saved, before, stage, true)
      store(saved)
      const undo = { name: 'Undo', run: () => void move(saved, before) }
      showToast(`“${name}” is in ${stage}.`, 'ok', undo, id)
    }
    try {
      done(await api.deals.update(id, { stage }, { ifMatch: version }))
      await refresh().catch(() => undefined)
      end(deal, stage)
    } catch (error) {
      end(deal, stage)
      await explain(error, deal, stage, done).catch(() =>
        showToast(`“${name}” is not moved: ${problemOf(error).text}`, 'bad', {
          name: `Move to ${stage}`,
          run: () => void move(deal, stage),
        }),
      )
      await refresh().catch(() => undefined)
      end(deal, stage)
    }
  }

  /** Says why a deal was not moved. */
  const explain = async (error: unknown, deal: Deal, stage: string, done: (saved: Deal) => void) => {
    const { deal_id: id, name, stage: before, updated_at } = deal
    if (problemAt(error, 'stage') !== null) {
      showToast(`${stage} is not a stage any more. “${name}” is back in ${before}.`, 'bad')
      await queries.invalidateQueries({ queryKey: stagesQuery(scope).queryKey })
      return
    }
    const isConflict = error instanceof ApiError && error.code === 'version_conflict'
    const isUnanswered = ['offline', 'failed'].includes(problemOf(error).kind)
    if (!isConflict && !isUnanswered) throw error
    const theirs = await api.deals.get(id)
    // The server moved the deal, but its answer was lost.
    if (theirs.stage === stage && theirs.status === 'open') return done(theirs)
    if (!isConflict) throw error
    const by = await authorSince(scope, id, updated_at)
    store(theirs)
    if (theirs.status !== 'open')
      return showToast(`${by} closed “${name}” as ${theirs.status} meanwhile.`, 'bad')
    const words =
      theirs.stage === before
        ? `${by} changed “${name}” meanwhile. It is back in ${before}.`
        : `${by} moved “${name}” to ${theirs.stage} meanwhile. It is there now.`
    showToast(words, 'bad', { name: `Move to ${stage}`, run: () => void move(theirs, stage) })
  }

  return { moves, move }
}

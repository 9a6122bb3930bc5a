import { z } from 'zod'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { takeTurn } from '../platform/db/turns.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { id } from '../platform/http/fields.ts'
import { ifMatch, withETag } from '../platform/http/if-match.ts'
import { recordAnswer } from '../records/endpoints/by-id.ts'
import { reloadRecord } from '../records/find.ts'
import { recordEndpoints } from '../records/routes.ts'
import { closeDeal, reopenDeal } from './closing.ts'
import { deals } from './deals.ts'
import { replaceStages } from './replace-stages.ts'
import { CloseDeal, Stages, StagesBody, Summary, SummaryQuery } from './schema.ts'
import { readStages } from './stages.ts'
import { periodOf, summarizeDeals } from './summary.ts'

const tag = 'Deals'
const params = z.object({ deal_id: id().describe('The id of the deal.') })
const headers = z.object({ 'if-match': ifMatch })

const closingEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/deals/{deal_id}/close',
    name: 'close_deal',
    sdk: 'deals.close',
    summary: 'Close a deal as won or lost',
    description:
      'Closing a deal again with the same status changes its reason, but not the time at which it was closed. To change won to lost or lost to won, reopen the deal first.',
    tag,
    permission: 'deals:write',
    params,
    headers,
    body: CloseDeal,
    shape: 'data',
    answerHeaders: ['ETag', 'Content-Location'],
    response: deals.response,
    errors: {
      400: 'The close reason is archived, or is not for this status, or the body is not UTF-8',
      404: 'No deal or close reason of this organization has this id',
      409: 'If-Match does not name the current version, or the deal is archived, or is closed with the other status',
    },
    example: { status: 'won' },
    handle: ({ org, params, headers, body }) =>
      org.transact(async (tx) => {
        const dealId = await closeDeal(tx, params.deal_id, body, headers['if-match'])
        return recordAnswer(deals, await reloadRecord(tx, deals, dealId), params.deal_id)
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/deals/{deal_id}/reopen',
    name: 'reopen_deal',
    sdk: 'deals.reopen',
    summary: 'Reopen a closed deal',
    description: 'The deal keeps its stage. If this stage no longer exists, the deal gets the first stage.',
    tag,
    permission: 'deals:write',
    params,
    headers,
    shape: 'data',
    answerHeaders: ['ETag', 'Content-Location'],
    response: deals.response,
    errors: {
      404: 'No deal of this organization has this id',
      409: 'If-Match does not name the current version, or the deal is archived',
    },
    handle: ({ org, params, headers }) =>
      org.transact(async (tx) => {
        const dealId = await reopenDeal(tx, params.deal_id, headers['if-match'])
        return recordAnswer(deals, await reloadRecord(tx, deals, dealId), params.deal_id)
      }),
  }),
]

const pipelineEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/deals/stages',
    name: 'get_deal_stages',
    sdk: 'deals.stages.get',
    summary: 'Read the stages of deals',
    tag,
    permission: 'deals:read',
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Stages,
    handle: async ({ org }) => withETag(await org.read((tx) => readStages(tx))),
  }),
  endpoint({
    method: 'PUT',
    path: '/deals/stages',
    name: 'replace_deal_stages',
    sdk: 'deals.stages.replace',
    summary: 'Replace the stages of deals',
    description:
      'Closed deals keep their stage, even if you remove it. A stage with open deals cannot be removed, unless `moves` says where they go.',
    tag,
    permission: 'deals:manage',
    headers,
    body: StagesBody,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Stages,
    errors: { 409: 'Open deals are in a removed stage, or If-Match does not name the current version' },
    example: { stages: ['New', 'Qualified', 'Demo', 'Proposal', 'Negotiation'] },
    handle: ({ org, headers, body }) =>
      org.transact(async (tx) => withETag(await replaceStages(tx, body, headers['if-match']))),
  }),
  endpoint({
    method: 'GET',
    path: '/deals/summary',
    name: 'summarize_deals',
    sdk: 'deals.summarize',
    summary: 'Summarize the deals',
    description:
      'The number and the total amount of open deals by stage, and of won and lost deals by month and by close reason. The sums are exact. Archived deals do not count.',
    tag,
    permission: 'deals:read',
    query: SummaryQuery,
    shape: 'data',
    response: Summary,
    handle: ({ org, caller, query }) => {
      const read = () => org.read((tx) => summarizeDeals(tx, periodOf(query, new Date())))
      // The totals of all deals are stored. For a limited member, the deals that the member sees are summed.
      return caller.recordAccess ? takeTurn(caller.payerId, read) : read()
    },
  }),
]

/** Clears what another feature stores about erased deals. The deals feature does not import those features. */
export type EraseDeals = (tx: OrgTx, dealIds: readonly string[]) => Promise<void>

/**
 * @param elsewhere the erasing function of each other feature that stores data about deals; an erasure runs them in its
 * transaction
 */
export const dealEndpoints = (elsewhere: readonly EraseDeals[]): Endpoint[] => [
  ...recordEndpoints({
    ...deals,
    async erase(tx, _stored, dealIds) {
      for (const erase of elsewhere) await erase(tx, dealIds)
    },
  }),
  ...closingEndpoints,
  ...pipelineEndpoints,
]

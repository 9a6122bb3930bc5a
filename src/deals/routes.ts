import { z } from 'zod'
import { Answer, type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { id } from '../platform/http/fields.ts'
import { ifMatch } from '../platform/http/if-match.ts'
import { reloadRecord } from '../records/find.ts'
import { recordEndpoints, shown } from '../records/routes.ts'
import { closeDeal, reopenDeal } from './closing.ts'
import { deals } from './deals.ts'
import { replaceStages } from './replace-stages.ts'
import { CloseDeal, Deal, Stages, StagesBody, Summary, SummaryQuery } from './schema.ts'
import { readStages } from './stages.ts'
import { periodOf, summarise } from './summary.ts'

const tag = 'Deals'
const params = z.object({ deal_id: id() })
const headers = z.object({ 'if-match': ifMatch })

/** The stages with their version as ETag. */
const shownStages = (stages: z.output<typeof Stages>) =>
  new Answer(stages, { headers: { etag: `"${stages.version}"` } })

const closingEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/deals/{deal_id}/close',
    name: 'close_deal',
    summary: 'Close a deal as won or lost',
    description:
      'One that is closed so already takes another reason, and keeps when it was closed. The other way round it has to be reopened first.',
    tag,
    permission: 'deals:write',
    params,
    headers,
    body: CloseDeal,
    shape: 'data',
    answerHeaders: ['ETag', 'Content-Location'],
    response: Deal,
    errors: {
      400: 'The close reason is archived, or not for such deals; or the body is not UTF-8',
      404: 'No deal, or no close reason, of this organization has this id',
      409: 'If-Match names another version, or the deal is archived or closed otherwise',
    },
    example: { status: 'won' },
    handle: ({ org, caller, params, headers, body }) =>
      org.transact(async (tx) => {
        const dealId = await closeDeal(tx, caller, params.deal_id, body, headers['if-match'])
        return shown(deals, await reloadRecord(tx, org.orgId, deals, dealId), params.deal_id)
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/deals/{deal_id}/reopen',
    name: 'reopen_deal',
    summary: 'Open a closed deal again',
    description: 'In its stage, or in the first one if its own is there no more.',
    tag,
    permission: 'deals:write',
    params,
    headers,
    shape: 'data',
    answerHeaders: ['ETag', 'Content-Location'],
    response: Deal,
    errors: {
      404: 'No deal of this organization has this id',
      409: 'If-Match names another version, or the deal is archived',
    },
    handle: ({ org, caller, params, headers }) =>
      org.transact(async (tx) => {
        const dealId = await reopenDeal(tx, caller, params.deal_id, headers['if-match'])
        return shown(deals, await reloadRecord(tx, org.orgId, deals, dealId), params.deal_id)
      }),
  }),
]

const pipelineEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/deals/stages',
    name: 'get_deal_stages',
    summary: 'Read the stages of deals',
    tag,
    permission: 'deals:read',
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Stages,
    handle: async ({ org }) => shownStages(await org.read((tx) => readStages(tx, org.orgId))),
  }),
  endpoint({
    method: 'PUT',
    path: '/deals/stages',
    name: 'replace_deal_stages',
    summary: 'Replace the stages of deals',
    description: 'Closed deals keep theirs, also one that is dropped.',
    tag,
    permission: 'deals:manage',
    headers,
    body: StagesBody,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Stages,
    errors: { 409: 'Open deals are in a stage that is dropped, or If-Match names another version' },
    example: { stages: ['New', 'Qualified', 'Demo', 'Proposal', 'Negotiation'] },
    handle: ({ org, caller, headers, body }) =>
      org.transact(async (tx) =>
        shownStages(await replaceStages(tx, caller, body.stages, headers['if-match'])),
      ),
  }),
  endpoint({
    method: 'GET',
    path: '/deals/summary',
    name: 'summarise_deals',
    summary: 'What deals are worth, and how they ended',
    description:
      'Open deals by stage; won and lost ones by month and by close reason. Exact, and as fast with many deals as with few. Archived deals are left out.',
    tag,
    permission: 'deals:read',
    query: SummaryQuery,
    shape: 'data',
    response: Summary,
    handle: ({ org, query }) => org.read((tx) => summarise(tx, org.orgId, periodOf(query, new Date()))),
  }),
]

export const dealEndpoints: Endpoint[] = [
  ...recordEndpoints(deals),
  ...closingEndpoints,
  ...pipelineEndpoints,
]

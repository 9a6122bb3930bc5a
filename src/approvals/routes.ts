import { z } from 'zod'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { decideApprovals, listApprovals } from './approvals.ts'
import { Approval, ApprovalDecision, DecideApprovals } from './schema.ts'

const common = { tag: 'Approvals', audience: 'console', effect: 'none', permission: null } as const

/** Only the console's API has these endpoints: a person must decide, not a program. */
export const approvalEndpoints: readonly Endpoint[] = [
  endpoint({
    ...common,
    method: 'GET',
    path: '/approvals',
    name: 'list_approvals',
    sdk: 'approvals.list',
    summary: 'List the calls of tools that wait for the person',
    shape: 'data',
    response: z.array(Approval),
    handle: ({ org, caller }) => listApprovals(org, caller),
  }),
  endpoint({
    ...common,
    method: 'POST',
    path: '/approvals/decide',
    name: 'decide_approvals',
    sdk: 'approvals.decide',
    summary: 'Approve or decline calls of tools',
    body: DecideApprovals,
    shape: 'data',
    response: z.array(ApprovalDecision),
    handle: ({ org, caller, body }) =>
      org.transact((tx) => decideApprovals(tx, caller, body.effect_ids, body.approved)),
  }),
]

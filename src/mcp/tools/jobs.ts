import { z } from 'zod'
import { tool } from '../tool.ts'
import { id } from './input.ts'

const jobs = {
  crm_job: { get: 'get_crm_job', cancel: 'cancel_crm_job', id: 'job_id' },
  import: { get: 'get_import', cancel: 'cancel_import', id: 'import_id' },
  scan: { get: 'get_scan', cancel: null, id: 'scan_id' },
  call: { get: 'get_call', cancel: 'cancel_call', id: 'call_id' },
  signature_push: { get: 'get_signature_push', cancel: null, id: 'push_id' },
  signature_rollout: { get: 'get_signature_rollout', cancel: null, id: 'rollout_id' },
} as const

type Kind = keyof typeof jobs
const kinds = Object.keys(jobs) as [Kind, ...Kind[]]
const cancelable = kinds.filter((kind) => jobs[kind].cancel !== null) as [Kind, ...Kind[]]

export const jobTools = [
  tool({
    name: 'get_job',
    title: 'Follow background work',
    description:
      'Returns the state of work that another tool started: a CRM push, a call, a signature, an import or a scan. Ask again after some seconds until it is finished.',
    kind: 'read',
    scopes: [
      'crm:read',
      'contacts:read',
      'companies:read',
      'duplicates:read',
      'voice:read',
      'signatures:read',
    ],
    input: z.object({ kind: z.enum(kinds), id: id('The id that the starting tool returned.') }),
    run: async ({ kind, id: jobId }, { call }) =>
      (await call(jobs[kind].get, { params: { [jobs[kind].id]: jobId } })).data,
  }),
  tool({
    name: 'cancel_job',
    title: 'Cancel background work',
    description:
      'Cancels a CRM push, an import or a call. People who were already pushed stay in the CRM, and imported records stay; a call that has ended does not change.',
    kind: 'idempotent write',
    scopes: ['crm:write', 'contacts:write', 'companies:write', 'voice:write'],
    input: z.object({ kind: z.enum(cancelable), id: id('The id of the work.') }),
    run: async ({ kind, id: jobId }, { call, idempotencyKey }) =>
      (await call(jobs[kind].cancel ?? '', { params: { [jobs[kind].id]: jobId }, idempotencyKey })).data,
  }),
]

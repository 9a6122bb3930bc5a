import { authorOf } from '../platform/jobs/actor-payload.ts'
import { type Job, job } from '../platform/jobs/job.ts'
import { runTurn } from '../platform/jobs/run-turn.ts'
import { type ConversionPayload, convertFieldJob } from './conversions.ts'
import { convertNext, failConversion } from './convert.ts'
import { failIndex, type IndexPayload, indexFieldJob, indexSteps } from './indexes.ts'

/** Builds or deletes the index of a defined field, in turns of a second. */
export const indexField: Job<IndexPayload> = job({
  ...indexFieldJob,
  run: (work) => {
    const { org_id: orgId, index_id: indexId } = work.payload
    return runTurn(work, indexSteps(work.org(orgId), indexId, work.signal))
  },
  abandoned: async ({ payload: { org_id: orgId, index_id: indexId }, context }) => {
    await context.database.org(orgId).transact((tx) => failIndex(tx, indexId))
  },
})

/** Converts the values of a field whose type or options changed, in turns of a second. */
export const convertField: Job<ConversionPayload> = job({
  ...convertFieldJob,
  run: async (work) => {
    const { org_id: orgId, field_id: fieldId, ...actor } = work.payload
    const org = work.org(orgId, authorOf(actor))
    await runTurn(work, () => org.transact((tx) => convertNext(tx, fieldId)))
  },
  abandoned: async ({ payload: { org_id: orgId, field_id: fieldId }, context }) => {
    await context.database.org(orgId).transact((tx) => failConversion(tx, fieldId))
  },
})

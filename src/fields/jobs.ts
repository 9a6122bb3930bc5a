import { type Job, job } from '../platform/jobs/job.ts'
import { type ConversionPayload, convertFieldJob } from './conversions.ts'
import { convertValues, failConversion } from './convert.ts'
import { failIndex, type IndexPayload, indexFieldJob, runIndexJob } from './indexes.ts'

/** Builds or deletes the index of a defined field. */
export const indexField: Job<IndexPayload> = job({
  ...indexFieldJob,
  run: ({ payload: { org_id: orgId, index_id: indexId }, context, signal }) =>
    runIndexJob(context.database.org(orgId), indexId, signal),
  abandoned: async ({ payload: { org_id: orgId, index_id: indexId }, context }) => {
    await context.database.org(orgId).transact((tx) => failIndex(tx, indexId))
  },
})

/** Converts the values of a field whose type or options changed. */
export const convertField: Job<ConversionPayload> = job({
  ...convertFieldJob,
  run: ({ payload: { field_id: fieldId, ...payload }, context, signal }) =>
    convertValues(
      context.database.org(payload.org_id, {
        mode: payload.mode,
        apiKeyId: payload.api_key_id,
        memberId: payload.member_id,
        ...(payload.connected_app_id === null ? {} : { connectedAppId: payload.connected_app_id }),
      }),
      fieldId,
      signal,
    ),
  abandoned: async ({ payload: { org_id: orgId, field_id: fieldId }, context }) => {
    await context.database.org(orgId).transact((tx) => failConversion(tx, fieldId))
  },
})

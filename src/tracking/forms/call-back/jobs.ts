import type { z } from 'zod'
import { type Job, job } from '../../../platform/jobs/job.ts'
import { leaveToPerson, placeScheduled } from './place-scheduled.ts'
import { placeCallBackJob } from './scheduled.ts'

/** Calls the people of scheduled requests. */
export const placeCallBacks: Job<z.output<(typeof placeCallBackJob)['payload']>> = job({
  ...placeCallBackJob,
  run: ({ payload, context, outside }) =>
    outside(placeScheduled(context, payload.org_id, payload.request_id)),
  abandoned: ({ payload, context }) => leaveToPerson(context, payload.org_id, payload.request_id),
})

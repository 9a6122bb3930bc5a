import { z } from 'zod'
import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import { type Job, type JobRun, job } from '../../platform/jobs/job.ts'
import { waitAfter } from '../../platform/jobs/retry.ts'
import { AccessRefused, Unavailable, Unusable } from '../adapters/adapter.ts'
import { openAdapter } from '../adapters/adapters.ts'
import { noteAccess, serialKeyOf } from '../connections.ts'
import { fieldMapOf, unfitFields } from '../field-map.ts'
import type { JobError } from '../schema.ts'
import {
  beginJob,
  breakOff,
  finishJob,
  notePushedTo,
  noteWaiting,
  type RunningJob,
  readRunning,
} from './life.ts'
import { pushSlice, type Reached } from './slice.ts'

const payload = z.object({ org_id: z.string(), job_id: z.string(), connection_id: z.string() })
type Payload = z.output<typeof payload>

/**
 * Pushes the people of a job, for about a second at a time: then it is the next job's turn, whoever's that is. Jobs of one
 * connection take turns, and are never at work at once. Started again after a crash, it goes on with those that have no
 * outcome yet.
 */
export const pushPeople: Job<Payload> = job({
  name: 'crm_push',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ connection_id: connectionId }) => serialKeyOf(connectionId),
  concurrency: 4,
  run: async (work) => {
    try {
      await takeTurn(work)
    } catch (error) {
      const { org_id, job_id: crm_job_id, connection_id } = work.payload
      // The queue's own lines have an id of the queue's.
      if (!work.signal.aborted)
        work.context.log.warn({ err: error, org_id, crm_job_id, connection_id }, 'a push broke off')
      throw error
    }
  },
  abandoned: async ({ payload: { org_id: orgId, job_id: jobId }, context }) => {
    await context.database.org(orgId).transact((tx) => breakOff(tx, orgId, jobId, brokenOff))
  },
})

const brokenOff: JobError = {
  code: 'internal_error',
  message:
    'The push broke off again and again; the server’s log says why. Those without an outcome can be retried.',
}

/** Begins a job, or goes on with it, for a turn; no effect on one that has ended. */
async function takeTurn(work: JobRun<Payload>): Promise<void> {
  const { payload, context } = work
  const org = context.database.org(payload.org_id)
  await beginJob(org, payload.job_id)
  const running = await org.read((tx) => readRunning(tx, payload.org_id, payload.job_id))
  if (!running) return
  try {
    const { isDone, pushedTo } = await pushOn(org, running, work)
    await org.transact(async (tx) => {
      if (isDone) return finishJob(tx, running, null)
      await Promise.all([notePushedTo(tx, running, pushedTo), context.jobs.enqueue(tx, pushPeople, payload)])
    })
  } catch (error) {
    await answerTo(error, org, running, context, payload)
  }
}

/** How far it comes: it is done once everybody has an outcome, or nobody is to get one any more. */
async function pushOn(org: Org, running: RunningJob, { context, signal }: JobRun<Payload>): Promise<Reached> {
  // Its connection may be gone.
  if (running.isCanceled) return { isDone: true, pushedTo: running.pushedTo }
  const adapter = await openAdapter(context, org, running.connection, running.mode)
  if (running.isFresh) {
    const { kind, connection } = running
    const { fields } = await adapter.describe(kind)
    const map = fieldMapOf(connection.provider, kind, connection.field_map)
    const problems = [...(await adapter.problems(kind)), ...unfitFields(fields, map)]
    if (problems.length > 0) throw new Unusable(problems.join(' '))
  }
  return pushSlice(org, adapter, running, signal)
}

/** What follows from an error: the job waits, or fails with words that say what to do. @throws error if it is none of the CRM's */
async function answerTo(
  error: unknown,
  org: Org,
  running: RunningJob,
  context: Context,
  payload: Payload,
): Promise<void> {
  const { message } = error as Error
  if (error instanceof AccessRefused || error instanceof Unusable) {
    await org.transact(async (tx) => {
      if (error instanceof AccessRefused) await noteAccess(tx, org.orgId, running.connection, message)
      const code = error instanceof AccessRefused ? 'access_refused' : 'crm_unusable'
      await finishJob(tx, running, { code, message })
    })
    return
  }
  if (!(error instanceof Unavailable)) throw error
  const code = 'crm_unavailable'
  const tries = (await org.read((tx) => readRunning(tx, org.orgId, running.jobId)))?.tries ?? running.tries
  const wait = waitAfter(tries + 1, error.afterSeconds)
  await org.transact(async (tx) => {
    if (wait === null)
      return finishJob(tx, running, { code, message: `${message} (tried ${tries + 1} times in a row)` })
    await Promise.all([
      noteWaiting(tx, running, { code, message: `${message}; it goes on by itself` }),
      context.jobs.enqueue(tx, pushPeople, payload, { startAfter: new Date(Date.now() + wait) }),
    ])
  })
}

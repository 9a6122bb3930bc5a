import { z } from 'zod'
import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import { type Job, type JobRun, job } from '../../platform/jobs/job.ts'
import { waitAfter } from '../../platform/jobs/retry.ts'
import { cutText } from '../../platform/outbound/answers.ts'
import { AccessRefused, CrmSetupError, Unavailable } from '../adapters/adapter.ts'
import { openAdapter } from '../adapters/adapters.ts'
import { saveAccess, serialKeyOf } from '../connections.ts'
import { readMemberTypes } from '../defined-members.ts'
import { fieldMapOf, fieldMapProblems } from '../field-map.ts'
import type { JobError } from '../schema.ts'
import {
  beginJob,
  failInterruptedJob,
  finishJob,
  type RunningJob,
  readRunning,
  saveProgress,
  saveWaitReason,
} from './job-state.ts'
import { pushTurn, type TurnProgress } from './turn.ts'

const payload = z.object({ org_id: z.string(), job_id: z.string(), connection_id: z.string() })
type Payload = z.output<typeof payload>

/**
 * Pushes the people of a job in turns of a second, so that jobs of other organizations also run. After a crash, it
 * continues with the people who have no outcome.
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
      // Log the id of the CRM job: the queue logs only its own job id.
      if (!work.signal.aborted)
        work.context.log.warn({ err: error, org_id, crm_job_id, connection_id }, 'a push was interrupted')
      throw error
    }
  },
  abandoned: async ({ payload: { org_id: orgId, job_id: jobId }, context }) => {
    await context.database.org(orgId).transact((tx) => failInterruptedJob(tx, jobId, interruptedError))
  },
})

const interruptedError: JobError = {
  code: 'internal_error',
  message: 'The push was interrupted several times. See the server’s log, then retry the job.',
}

/** Begins or continues a job for one turn. Does nothing if the job has ended. */
async function takeTurn(work: JobRun<Payload>): Promise<void> {
  const { payload, context } = work
  const org = work.org(payload.org_id)
  await beginJob(org, payload.job_id)
  const running = await org.read((tx) => readRunning(tx, payload.job_id))
  if (!running) return
  try {
    const { isDone, pushedTo } = await pushSome(org, running, work)
    await org.transact((tx) => (isDone ? finishJob(tx, running, null) : saveProgress(tx, running, pushedTo)))
    if (!isDone) work.nextTurn(payload)
  } catch (error) {
    await endOrWait(error, org, running, context, payload)
  }
}

/** Checks the CRM at the start of a job, then pushes for one turn. */
async function pushSome(
  org: Org,
  running: RunningJob,
  { context, signal }: JobRun<Payload>,
): Promise<TurnProgress> {
  // A canceled job may have lost its connection.
  if (running.isCanceled) return { isDone: true, pushedTo: running.pushedTo }
  const { kind, connection, mode } = running
  const adapter = await openAdapter(context, org, connection, mode)
  if (running.isFresh) {
    const { fields } = await adapter.describe(kind)
    const map = fieldMapOf(connection.provider, kind, connection.field_map)
    const problems = [
      ...(await adapter.problems(kind)),
      ...fieldMapProblems(fields, map, await org.read(readMemberTypes)),
    ]
    if (problems.length > 0) throw new CrmSetupError(problems.join(' '))
    // The sandbox, which answers in test mode, proves nothing about the credentials.
    if (mode === 'live' && connection.status === 'needs_attention')
      await org.transact((tx) => saveAccess(tx, connection, null))
  }
  return pushTurn(org, adapter, running, signal)
}

/**
 * After an error of the CRM, makes the job wait or fail with a text that says what to do.
 * @throws any other error
 */
async function endOrWait(
  error: unknown,
  org: Org,
  running: RunningJob,
  context: Context,
  payload: Payload,
): Promise<void> {
  if (error instanceof AccessRefused || error instanceof CrmSetupError) {
    const message = cutText(error.message)
    await org.transact(async (tx) => {
      if (error instanceof AccessRefused) await saveAccess(tx, running.connection, message)
      const code = error instanceof AccessRefused ? 'access_refused' : 'crm_unusable'
      await finishJob(tx, running, { code, message })
    })
    return
  }
  if (!(error instanceof Unavailable)) throw error
  const { afterSeconds } = error
  const message = cutText(error.message)
  const code = 'crm_unavailable'
  const tries = (await org.read((tx) => readRunning(tx, running.jobId)))?.tries ?? running.tries
  const wait = waitAfter(tries + 1, afterSeconds)
  await org.transact(async (tx) => {
    if (wait === null)
      return finishJob(tx, running, { code, message: `${message} (tried ${tries + 1} times in a row)` })
    await Promise.all([
      saveWaitReason(tx, running, { code, message: `${message}; the push tries again automatically` }),
      context.jobs.enqueue(tx, pushPeople, payload, { startAfter: new Date(Date.now() + wait) }),
    ])
  })
}

import type { Context } from '../context.ts'
import type { Log } from '../log.ts'
import { type NewSpan, tracedAfter } from '../tracing/trace.ts'
import { heartbeatSeconds, type JobClaim, type JobClaims } from './engine/claims.ts'
import { installationLane } from './identity.ts'
import type { AnyJob, JobRun } from './job.ts'
import { PermanentFailure } from './retry.ts'
import { runStep } from './steps.ts'
import { splitTraceparent, withTraceparent } from './traced-payload.ts'

const heartbeatEveryMs = 3_000

type Runner = {
  job: AnyJob
  context: Context
  claims: JobClaims
  log: Log
  abort: AbortController
  outside: JobRun<unknown>['outside']
}

/** Runs one claimed job, renews its claim while it runs, and records how it ended. It never throws. */
export async function runJob(claim: JobClaim, runner: Runner): Promise<void> {
  const { claims, log, abort } = runner
  const about = { job: claim.name, job_id: claim.id }
  const startedAt = performance.now()
  const heart = setInterval(heartbeat(claim, claims, abort), heartbeatEveryMs)
  try {
    let next: object | null = null
    const failure = await perform(claim, runner, (data) => {
      next = data
    }).then(
      () => null,
      (error: unknown) => ({ error }),
    )
    if (!failure) {
      const isOurs = next === null ? await claims.done(claim) : await claims.again(claim, next)
      const ms = Math.round(performance.now() - startedAt)
      if (isOurs) log.info({ ...about, ms }, next === null ? 'job done' : 'turn of a job done')
      else log.warn({ ...about, ms }, 'job done, but another process has claimed it: it may run there again')
    } else if (abort.signal.aborted) {
      await claims.handBack(claim)
      log.info(
        { ...about, why: (abort.signal.reason as Error).message },
        'job aborted; another process will run it',
      )
    } else {
      log.warn({ ...about, err: failure.error, retries: claim.retryCount }, 'job failed')
      await claims.failed(claim, failure.error)
    }
  } catch (error) {
    log.warn({ ...about, err: error }, 'the end of a job could not be recorded; it will run again')
  } finally {
    clearInterval(heart)
  }
}

async function perform(
  { data, lane, name, payer, retryCount }: JobClaim,
  { job, context, abort: { signal }, outside }: Runner,
  setNext: (data: object) => void,
): Promise<void> {
  const { payload: stored, traceparent } = splitTraceparent(data)
  const payload = job.payload.parse(stored) as never
  // Check the payload's org: row-level security checked only the lane when the job was enqueued.
  if ((job.orgId(payload) ?? installationLane) !== lane)
    throw new PermanentFailure('The payload names another org than the job')
  const span = (): NewSpan => ({
    name: `job ${name}`,
    kind: 'job',
    attributes: { 'crosswalk.org_id': lane, 'crosswalk.job.retries': retryCount },
  })
  const org: JobRun<unknown>['org'] = (orgId, by) => {
    const payerId = payer === installationLane ? orgId : payer
    return context.database.org(orgId, { ...by, payerId }).inSteps((step) => runStep(payer, step, signal))
  }
  await tracedAfter(traceparent, span, () => {
    // In the span, so that the next turn belongs to the same trace.
    const nextTurn = (next: unknown) => setNext(withTraceparent(job.payload.parse(next) as object))
    return job.run({ payload, context, org, signal, outside, nextTurn })
  })
}

/** Renews the claim. Aborts the job if another process may be running it. */
function heartbeat(claim: JobClaim, claims: JobClaims, abort: AbortController): () => void {
  let lastHeartbeatAt = performance.now()
  return () => {
    const sentAt = performance.now()
    if (sentAt - lastHeartbeatAt > heartbeatSeconds * 1_000 - heartbeatEveryMs)
      abort.abort(new Error('the database is unavailable'))
    claims.keep(claim).then(
      (kept) => {
        if (kept) lastHeartbeatAt = sentAt
        else abort.abort(new Error('another process has claimed it'))
      },
      () => {},
    )
  }
}

import type { Context } from '../context.ts'
import type { Log } from '../log.ts'
import { type Claim, type Claims, heartbeatSeconds } from './claims.ts'
import { type AnyJob, installationLane, PermanentFailure } from './job.ts'

const keepMs = 3_000

type OrgDefaults = { queue: AnyJob; context: Context; claims: Claims; log: Log; abort: AbortController }

/** Runs one job that was taken, keeping it meanwhile, and writes down how it ended. Never throws. */
export async function runJob(claim: Claim, orgDefaults: OrgDefaults): Promise<void> {
  const { queue, context, claims, log, abort } = orgDefaults
  const about = { job: claim.name, job_id: claim.id }
  const startedAt = performance.now()
  const heart = setInterval(heartbeat(claim, claims, abort), keepMs)
  try {
    const failure = await perform(claim, queue, context, abort.signal).then(
      () => null,
      (error: unknown) => ({ error }),
    )
    if (!failure) {
      const isOurs = await claims.done(claim)
      const ms = Math.round(performance.now() - startedAt)
      if (isOurs) log.info({ ...about, ms }, 'job done')
      else
        log.warn(
          { ...about, ms },
          'job done, though another process had taken it over: it may run there once more',
        )
    } else if (abort.signal.aborted) {
      await claims.handBack(claim)
      log.info(
        { ...about, why: (abort.signal.reason as Error).message },
        'job broken off; it goes on elsewhere',
      )
    } else {
      log.warn({ ...about, err: failure.error, retries: claim.retryCount }, 'job failed')
      await claims.failed(claim, failure.error)
    }
  } catch (error) {
    log.warn({ ...about, err: error }, 'how a job ended could not be written down; it will run once more')
  } finally {
    clearInterval(heart)
  }
}

async function perform(
  { data, lane }: Claim,
  queue: AnyJob,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const payload = queue.payload.parse(data) as never
  // Row-level security has checked the lane, when the job was enqueued; a payload may say anything.
  if ((queue.orgId(payload) ?? installationLane) !== lane)
    throw new PermanentFailure('The payload names another org than the job')
  await queue.run({ payload, context, signal })
}

/** Keeps a job; aborts it once it may be at work in another process. */
function heartbeat(claim: Claim, claims: Claims, abort: AbortController): () => void {
  let keptAt = performance.now()
  return () => {
    const sentAt = performance.now()
    if (sentAt - keptAt > heartbeatSeconds * 1_000 - keepMs) abort.abort(new Error('the database is away'))
    claims.keep(claim).then(
      (kept) => {
        if (kept) keptAt = sentAt
        else abort.abort(new Error('another process has taken it over'))
      },
      () => {},
    )
  }
}

import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { TestClient } from '../support/app.ts'
import type { Answers, Flood } from './flood.ts'
import type { HeavyRequest } from './heaviest.ts'

/** How long a neighbor waited for its answers, in milliseconds, and its failed requests. */
export type Waits = { p50: number; p99: number; failures: string[] }

const everyMs = 60

/** Reads an org's contacts every 60 ms until `done` resolves. A wait starts when its request is due. */
async function waitsOf(neighbor: TestClient, done: Promise<unknown>): Promise<Waits> {
  let isDone = false
  done.finally(() => {
    isDone = true
  })
  const waits: number[] = []
  const failures: string[] = []
  const asked: Promise<void>[] = []
  const begun = performance.now()
  for (let number = 0; !isDone; number++) {
    const due = begun + number * everyMs
    await sleep(Math.max(0, due - performance.now()))
    asked.push(
      neighbor.get('/contacts?limit=5').then(
        ({ status, text }) => {
          waits.push(performance.now() - due)
          if (status !== 200) failures.push(`${status} ${text}`)
        },
        (error) => {
          failures.push(String(error.cause ?? error))
        },
      ),
    )
  }
  await Promise.all(asked)
  waits.sort((one, other) => one - other)
  const at = (share: number) =>
    waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? Infinity
  return { p50: at(0.5), p99: at(0.99), failures }
}

const idleWaits = (neighbor: TestClient, seconds: number): Promise<Waits> =>
  waitsOf(neighbor, sleep(seconds * 1000))

/**
 * The neighbor's waits during a flood, and the answers to the flood. The waits do not include the start of the
 * flooding thread.
 */
async function floodedWaits(neighbor: TestClient, flood: Flood): Promise<Waits & { answers: Answers }> {
  const worker = new Worker(new URL('./flood.ts', import.meta.url), { workerData: flood })
  await once(worker, 'message')
  const answered = once(worker, 'message')
  const waits = await waitsOf(neighbor, answered)
  const [answers] = (await answered) as [Answers]
  return { ...waits, answers }
}

const shown = ({ p50, p99 }: { p50: number; p99: number }) => `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`

/** What one run of a flood showed. `report` has the figures, and the first failure. */
type Run = { idleP99: number; p99: number; hasFailures: boolean; report: string }

async function runOf(neighbor: TestClient, name: string, flood: Flood): Promise<Run> {
  await idleWaits(neighbor, 1)
  const idle = await idleWaits(neighbor, 5)
  const { p50, p99, failures, answers } = await floodedWaits(neighbor, flood)
  const report = `${name}: idle ${shown(idle)}, flooded ${shown({ p50, p99 })}, flood ${JSON.stringify(answers)}, ${failures.length} failed`
  console.log(report)
  return {
    ...{ idleP99: idle.p99, p99, hasFailures: failures.length > 0 },
    report: `${report} ${failures[0] ?? ''}`,
  }
}

const minute = 60

/** To whom a flood is sent, with which key, and for how many seconds. */
export type Sending = { address: string; token: string; seconds: number }

/**
 * Runs a flood. Returns what is wrong with the neighbor's waits; null: nothing. In 20 s, the neighbor sends 330 requests, so
 * four pauses of the machine make it miss the target. A flood that misses it therefore runs again for the minute that the
 * target names, and this run counts. A failed request counts in both.
 */
export async function faultOf(
  neighbor: TestClient,
  { prepare, perSecond = 50, ...request }: HeavyRequest,
  { seconds, ...to }: Sending,
): Promise<string | null> {
  const run = async (length: number) => {
    const count = Math.round(perSecond * length)
    const variants = await prepare?.(count)
    return runOf(neighbor, request.name, {
      contentType: 'application/json',
      ...{ ...request, ...(variants && { variants }) },
      ...{ ...to, perSecond, count },
    })
  }
  const short = await run(seconds)
  if (short.hasFailures) return short.report
  if (isReached(short, short.idleP99)) return null
  if (seconds >= minute) return short.report
  const long = await run(minute)
  // The first run may have left work to do. It must not make the idle waits longer.
  const idleP99 = Math.min(short.idleP99, long.idleP99)
  return !long.hasFailures && isReached(long, idleP99) ? null : `${short.report}\n${long.report}`
}

const isReached = ({ p99 }: Run, idleP99: number) => p99 <= Math.min(150, 10 * idleP99)

/** The CPU seconds that a server has used, from its own metrics. */
export async function cpuSecondsOf(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
}

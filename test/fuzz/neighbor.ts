import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { TestClient } from '../support/app.ts'
import type { Answers, Flood } from './flood.ts'

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

/** Runs a flood. Returns what is wrong with the neighbor's waits; null: nothing. */
export async function faultOf(neighbor: TestClient, name: string, flood: Flood): Promise<string | null> {
  await idleWaits(neighbor, 1)
  const idle = await idleWaits(neighbor, 5)
  const { p50, p99, failures, answers } = await floodedWaits(neighbor, flood)
  const report = `${name}: idle ${shown(idle)}, flooded ${shown({ p50, p99 })}, flood ${JSON.stringify(answers)}, ${failures.length} failed`
  console.log(report)
  return p99 > Math.min(150, 10 * idle.p99) || failures.length > 0 ? `${report} ${failures[0] ?? ''}` : null
}

/** The CPU seconds that a server has used, from its own metrics. */
export async function cpuSecondsOf(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
}

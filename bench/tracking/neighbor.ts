// Reads a list of contacts every 20 ms, in a thread of its own, until it gets a message. Then it posts the p99 in milliseconds.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { load } from '../support/client.ts'

type Neighbor = { url: string; token: string }

/** The p99 in milliseconds of reading a list of contacts every 20 ms, from when `work` begins until it ends. */
export async function waitsDuring(neighbor: Neighbor, work: () => Promise<unknown>): Promise<number> {
  const thread = new Worker(new URL(import.meta.url), { workerData: neighbor })
  await once(thread, 'message')
  await work()
  thread.postMessage('stop')
  const [p99] = (await once(thread, 'message')) as [number]
  return p99
}

if (parentPort !== null) {
  const port = parentPort
  let isOver = false
  port.once('message', () => {
    isOver = true
  })
  const { url, token } = workerData as Neighbor
  const read = () => load({ url, token, connections: 1, stop: { answers: 1 } })
  await read()
  port.postMessage('ready')
  const times: number[] = []
  while (!isOver) {
    times.push((await read()).p50)
    await delay(20)
  }
  port.postMessage(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)])
}

import { drive, type Measured } from '../support/client.ts'
import type { Bench, Process } from '../support/installation.ts'
import { measureCpu } from '../support/usage.ts'
import { trackingRequests } from './events.ts'

/** `events`: how many events a second. CPU times are in microseconds per event. */
export type Round = Measured & { events: number; node: number; postgres: number }

type Target = { bench: Bench; server: Process; tokens: readonly string[] }

/** Sends `total` events, `each` in a request, and waits until all are stored. */
export async function sendEvents(
  { bench, server, tokens }: Target,
  { each, connections, total }: { each: number; connections: number; total: number },
): Promise<Round> {
  const requests = trackingRequests(server, tokens, total / each, each)
  const cpu = measureCpu(server.pid, bench.folder, 'crosswalk_app')
  const measured = await drive(
    server.address,
    connections,
    { answers: requests.length },
    {
      next: () => requests.pop() ?? null,
      isExpected: (answer) => answer.startsWith('HTTP/1.1 200'),
    },
  )
  return { ...measured, events: measured.rate * each, ...cpu(total) }
}

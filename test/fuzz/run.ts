import { seededRandom } from '../../src/demo/random.ts'
import { destinationOf } from '../support/openapi-document.ts'
import { kindOf } from './draft.ts'
import { faultsOf } from './oracle.ts'
import { type Planned, plan } from './plan.ts'
import type { ReachedStatuses } from './reached.ts'
import { type Answer, asText, type Wire } from './wire.ts'
import type { World } from './world.ts'

export type Failure = {
  number: number
  operationId: string
  faults: string[]
  request: string
  answer: string
  done: string[]
}

export type Run = { failures: Failure[]; slowest: { ms: number; request: string }[] }

/** The number of requests that run at once. Later requests can use the objects that they create. */
const atOnce = 8
const failuresMax = 60

type Options = {
  seed: number
  from?: number
  count: number
  world: World
  wire: Wire
  reached: ReachedStatuses
}

/** Sends `count` requests of a seed, and compares each answer with the document. */
export async function run({ seed, from = 0, count, world, wire, reached }: Options): Promise<Run> {
  const result: Run = { failures: [], slowest: [] }
  for (let next = from; next < from + count && result.failures.length < failuresMax; next += atOnce) {
    const lot = Array.from({ length: Math.min(atOnce, from + count - next) }, (_, at) =>
      plan(seed, next + at, world),
    )
    const answers = await Promise.all(lot.map(({ sent }) => wire.send(sent).catch((error: Error) => error)))
    lot.forEach((planned, at) => {
      take(planned, answers[at]!, { world, reached, result, seed })
    })
  }
  return result
}

type Taking = { world: World; reached: ReachedStatuses; result: Run; seed: number }

function take(planned: Planned, answer: Answer | Error, { world, reached, result, seed }: Taking): void {
  const { sent, number, done, operation } = planned
  const fail = (faults: string[], shown: string) =>
    result.failures.push({
      number,
      operationId: operation.operationId,
      faults,
      request: asText(sent),
      answer: shown,
      done,
    })
  if (answer instanceof Error) {
    fail([`no answer: ${answer.message}`], '')
    return
  }
  const faults = faultsOf(planned, answer, world)
  if (faults.length > 0) fail(faults, `${answer.status} ${answer.text.slice(0, 600)}`)
  note(answer.ms, asText(sent), result)
  const destination = destinationOf(sent.method, sent.target)
  if (destination.kind === 'operation') reached.add(destination.operation.operationId, answer.status)
  if (answer.status >= 300 || destination.kind !== 'operation') return
  keepUp(planned, answer, world, seed)
}

function keepUp(
  { operation, caller, number, sent }: Planned,
  answer: Answer,
  world: World,
  seed: number,
): void {
  const random = seededRandom(seed ^ number)
  const orgId = caller.orgId
  if (sent.headers.some(([name]) => name === 'x-target-org-id') && caller.headers.length === 0) return
  if (operation.method === 'DELETE' || operation.path.endsWith('/erase')) {
    const steps = operation.path.split('/')
    const at = steps.findIndex((step) => step.startsWith('{'))
    const id = sent.target.split(/[/?]/)[at]
    if (id !== undefined && answer.status === (operation.path.endsWith('/erase') ? 200 : 204))
      world.forget(orgId, kindOf(operation, steps[at]!.slice(1, -1)), id)
    return
  }
  if (answer.status === 201 || answer.status === 202) world.learn(orgId, JSON.parse(answer.text), random)
}

function note(ms: number, request: string, { slowest }: Run): void {
  if (slowest.length === 5 && ms <= slowest[4]!.ms) return
  slowest.push({ ms: Math.round(ms), request: request.split('\n')[0]!.slice(0, 150) })
  slowest.sort((one, other) => other.ms - one.ms)
  slowest.length = Math.min(5, slowest.length)
}

export function report(failures: readonly Failure[], seed: number): string {
  const kinds = new Map<string, Failure[]>()
  for (const failure of failures) {
    const kind = `${failure.faults.join('; ')} | ${failure.operationId}`
    kinds.set(kind, [...(kinds.get(kind) ?? []), failure])
  }
  return [...kinds.entries()]
    .map(([kind, [first, ...others]]) => {
      const { number, request, answer, done } = first!
      return `${kind}\n  FUZZ_SEED=${seed} FUZZ_ONLY=${number} (and ${others.length} more); done: ${done.join(', ')}\n  ${request}\n  → ${answer}`
    })
    .join('\n\n')
}

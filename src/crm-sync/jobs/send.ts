import { shorten } from '../../platform/outbound/answers.ts'
import {
  type Adapter,
  BatchRefused,
  type Kind,
  type Person,
  type RowOutcome,
  Unavailable,
} from '../adapters/adapter.ts'
import type { ItemError } from '../schema.ts'
import type { Ledger } from './ledger.ts'
import type { RunningJob } from './life.ts'
import type { Outgoing } from './next-people.ts'
import { Queue } from './queue.ts'
import type { Settled } from './settle.ts'

/** Batches that are under way together. */
export const batchesAtOnce = 3

/**
 * Sends people in batches, some at once, until the job is canceled; what becomes of each goes into the ledger. Throws as the
 * adapter does, once nothing is under way any more.
 */
export async function sendAll(
  adapter: Adapter,
  job: RunningJob,
  outgoing: readonly Outgoing[],
  ledger: Ledger,
  signal: AbortSignal,
): Promise<void> {
  const queue = new Queue(adapter, outgoing)
  let hasFailed = false
  const work = async () => {
    for (let batch = queue.take(); batch && !hasFailed && ledger.goesOn; batch = queue.take()) {
      signal.throwIfAborted()
      const outcomes = await sendBatch(adapter, job.kind, batch, signal)
      ledger.add(batch.map((person, index) => settledOf(person, outcomes[index]!)))
      queue.answered(batch)
    }
  }
  const results = await Promise.allSettled(
    Array.from({ length: batchesAtOnce }, () =>
      work().catch((error) => {
        hasFailed = true
        throw error
      }),
    ),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** Requests that may be refused for one batch, until those that are left fail without being tried alone. */
const refusalsMost = 40
/** People who are refused alone, where nobody was taken: so many say that it is not theirs. */
const refusedAloneMost = 3

/** Sends a batch; one that is refused as a whole in halves, until it is clear whose fault it is, or that it is nobody's. */
export function sendBatch(
  adapter: Pick<Adapter, 'upsert'>,
  kind: Kind,
  batch: readonly Person[],
  signal: AbortSignal,
): Promise<RowOutcome[]> {
  let [refusals, refusedAlone, isAnyTaken] = [0, 0, false]

  async function send(people: readonly Person[]): Promise<RowOutcome[]> {
    const isTheirs = isAnyTaken || refusedAlone < refusedAloneMost
    // What was said of the others may be about them.
    if (!isTheirs || refusals >= refusalsMost)
      return people.map(() => ({ outcome: 'failed', message: untried, isUntried: true }))
    try {
      const outcomes = await adapter.upsert(kind, people, signal)
      isAnyTaken = true
      return outcomes
    } catch (error) {
      if (!(error instanceof BatchRefused)) throw error
      refusals++
      if (people.length === 1) {
        refusedAlone++
        return [{ outcome: 'failed', message: error.message }]
      }
      const middle = Math.ceil(people.length / 2)
      const first = await send(people.slice(0, middle))
      return [...first, ...(await send(people.slice(middle)))]
    }
  }

  return send(batch)
}

const untried =
  'Not tried: the CRM refused so many others that were sent with this person. Mend what their errors say, and retry the job'

const codeOf = ({ isUntried, isDuplicate }: Extract<RowOutcome, { outcome: 'failed' }>): ItemError['code'] =>
  isUntried ? 'not_tried' : isDuplicate ? 'duplicate' : 'refused'

function settledOf(
  { itemId, contactId, key, hash, externalId, wasTried, isLastTry }: Outgoing,
  row: RowOutcome,
): Settled {
  if (row.outcome === 'failed') {
    const outcome = row.isDuplicate && !isLastTry ? null : 'failed'
    return { itemId, outcome, externalId, error: { code: codeOf(row), message: shorten(row.message) } }
  }
  if (!/^[\x21-\x7e]{1,255}$/.test(row.externalId))
    throw new Unavailable('The CRM answered with an id that can be none')
  return {
    ...{ itemId, contactId, externalId: row.externalId, error: null, pushed: { key, hash } },
    outcome: outcomeOf(row, externalId, wasTried),
  }
}

/**
 * One that was tried before, and whose id nobody heard of, was created by that try, unless the CRM had them before; one with
 * another id is made anew.
 */
function outcomeOf(
  row: Exclude<RowOutcome, { outcome: 'failed' }>,
  externalId: string | null,
  wasTried: boolean,
): 'created' | 'updated' {
  if (externalId === null && wasTried && !row.wasThere) return 'created'
  return row.externalId === externalId ? 'updated' : row.outcome
}

import { shorten } from '../../platform/outbound/answers.ts'
import {
  type Adapter,
  BatchRefused,
  type CrmKind,
  type CrmPerson,
  type RowOutcome,
  Unavailable,
} from '../adapters/adapter.ts'
import type { ItemError } from '../schema.ts'
import type { PersonToPush } from './next-people.ts'
import type { ItemResult } from './results.ts'

const refusalsMax = 40
/**
 * The number of people that may be refused one by one while nobody is accepted. With more, the cause is not the people.
 */
const refusedAloneMax = 3

/** Sends a batch. If the CRM refuses all of it, sends its halves, until the cause is found. */
export function sendBatch(
  adapter: Pick<Adapter, 'upsert'>,
  kind: CrmKind,
  batch: readonly CrmPerson[],
  signal: AbortSignal,
): Promise<RowOutcome[]> {
  let [refusals, refusedAlone, isAnyAccepted] = [0, 0, false]

  async function send(people: readonly CrmPerson[]): Promise<RowOutcome[]> {
    const isTheirFault = isAnyAccepted || refusedAlone < refusedAloneMax
    if (!isTheirFault || refusals >= refusalsMax)
      return people.map(() => ({ outcome: 'failed', message: notTried, isUntried: true }))
    try {
      const outcomes = await adapter.upsert(kind, people, signal)
      isAnyAccepted = true
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

const notTried =
  'Not tried: the CRM refused too many others of the same request. Correct what their errors name, then retry the job'

/** @throws Unavailable if the CRM did not answer for everyone, or gave an invalid id */
export function resultsOf(batch: readonly PersonToPush[], rows: readonly RowOutcome[]): ItemResult[] {
  return batch.map((person, index) => {
    const row = rows[index]
    if (!row) throw new Unavailable('The CRM’s answer is incomplete')
    return resultOf(person, row)
  })
}

function resultOf(
  { itemId, contactId, key, hash, externalId, wasTried, isLastTry }: PersonToPush,
  row: RowOutcome,
): ItemResult {
  if (row.outcome === 'failed') {
    const outcome = row.isDuplicate && !isLastTry ? null : 'failed'
    return { itemId, outcome, externalId, error: { code: codeOf(row), message: shorten(row.message) } }
  }
  if (!/^[\x21-\x7e]{1,255}$/.test(row.externalId))
    throw new Unavailable('The CRM answered with an invalid record id')
  return {
    ...{ itemId, contactId, externalId: row.externalId, error: null, pushed: { key, hash } },
    outcome: outcomeOf(row, externalId, wasTried),
  }
}

const codeOf = ({ isUntried, isDuplicate }: Extract<RowOutcome, { outcome: 'failed' }>): ItemError['code'] =>
  isUntried ? 'not_tried' : isDuplicate ? 'duplicate' : 'refused'

/**
 * The outcome of a person. If an earlier push got no answer, it may have created the record. If the external id differs
 * from the stored one, the record is new.
 */
function outcomeOf(
  row: Exclude<RowOutcome, { outcome: 'failed' }>,
  externalId: string | null,
  wasTried: boolean,
): 'created' | 'updated' {
  if (externalId === null && wasTried && !row.preexisting) return 'created'
  return row.externalId === externalId ? 'updated' : row.outcome
}

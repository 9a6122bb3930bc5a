import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { pointsOf, type StepRange, stepRangeOf } from '../../platform/http/time-steps.ts'
import { type EventCount, noWriteKey, readCounts } from '../store/counts.ts'
import { readSamples } from '../store/samples.ts'
import { dropReasons } from '../wire/event.ts'
import { refusedCodes } from '../wire/refused.ts'
import { hintOf } from './hints.ts'
import { type Outcome, outcomes, type TrackingUsage, type TrackingUsageQuery } from './schema.ts'

type Reason = TrackingUsage['problems'][number]['reason']

const reasons: readonly Reason[] = [...dropReasons, ...refusedCodes]
const refused: ReadonlySet<string> = new Set(refusedCodes)

/**
 * The numbers of stored, dropped and refused events of the organization, in each step of a range.
 * @throws ValidationError at from
 */
export async function readTrackingUsage(tx: OrgTx, query: TrackingUsageQuery): Promise<TrackingUsage> {
  const range = stepRangeOf(query)
  const { write_key_id: keyId, mode = tx.actor.mode } = query
  const counted = readCounts(tx, { ...range, mode, keyId })
  const sampled = readSamples(tx, mode, keyId)
  const named = tx.rows(sql<{ write_key_id: string; name: string }>`
    select write_key_id, name from write_key where org_id = ${tx.orgId}`)
  const [counts, samples, names] = await Promise.all([counted, sampled, named])
  return {
    totals: totalsOf(counts),
    series: seriesOf(range, counts),
    write_keys: keysOf(counts, new Map(names.map(({ write_key_id, name }) => [write_key_id, name]))),
    problems: problemsOf(counts, samples),
  }
}

function outcomeOf({ outcome }: EventCount): Outcome {
  const known = outcomes.find((each) => each === outcome)
  return known ?? (refused.has(outcome) ? 'refused' : 'dropped')
}

function totalsOf(counts: readonly EventCount[]): Record<Outcome, number> {
  const totals: Record<Outcome, number> = { accepted: 0, duplicate: 0, bot: 0, dropped: 0, refused: 0 }
  for (const count of counts) totals[outcomeOf(count)] += count.n
  return totals
}

function seriesOf(range: StepRange, counts: readonly EventCount[]): TrackingUsage['series'] {
  const numbers = new Map(outcomes.map((name) => [name, new Map<number, number>()]))
  for (const count of counts) {
    const series = numbers.get(outcomeOf(count))
    series?.set(count.at, (series.get(count.at) ?? 0) + count.n)
  }
  return outcomes.map((name) => ({ name, points: pointsOf(range, numbers.get(name)) }))
}

function keysOf(
  counts: readonly EventCount[],
  names: ReadonlyMap<string, string>,
): TrackingUsage['write_keys'] {
  return [...Map.groupBy(counts, ({ keyId }) => keyId)]
    .map(([keyId, ofKey]) => ({
      write_key_id: keyId === noWriteKey ? null : keyId,
      name: names.get(keyId) ?? null,
      counts: totalsOf(ofKey),
    }))
    .sort((one, other) => other.counts.accepted - one.counts.accepted)
}

function problemsOf(
  counts: readonly EventCount[],
  samples: Awaited<ReturnType<typeof readSamples>>,
): TrackingUsage['problems'] {
  const numbers = new Map<string, number>()
  for (const { outcome, n } of counts) numbers.set(outcome, (numbers.get(outcome) ?? 0) + n)
  return reasons
    .filter((reason) => numbers.has(reason))
    .map((reason) => {
      const found = samples.find((sample) => sample.reason === reason)
      return {
        outcome: refused.has(reason) ? ('refused' as const) : ('dropped' as const),
        reason,
        n: numbers.get(reason) ?? 0,
        hint: hintOf(reason),
        sample: found
          ? {
              ...{ at: Math.floor(found.at / 1000), type: found.type, name: found.name },
              ...{ library: found.library, origin: found.origin },
              write_key_id: found.keyId === noWriteKey ? null : found.keyId,
            }
          : null,
      }
    })
    .sort((one, other) => other.n - one.n)
}

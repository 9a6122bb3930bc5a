import { isStatementTimeout } from '../../platform/db/errors.ts'
import { FairLimiter } from '../../platform/db/fair-limiter.ts'
import type { Org } from '../../platform/db/org.ts'
import { takeTurn } from '../../platform/db/turns.ts'
import { invalid } from '../../platform/domain-error.ts'
import { refuse } from '../../platform/http/fields.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { countFunnel } from '../store/funnel.ts'
import type { Funnel, FunnelQuery } from './schema.ts'

const daySeconds = 86_400
const daysMax = 92
const msMax = 10_000
/** A funnel reads all events of its range, and keeps a core of PostgreSQL busy. */
const limiter = new FairLimiter({ max: 1, waitMs: 10_000, waitingMax: 4, total: 2 })

/**
 * Counts the visitors who did some steps in their order.
 * @param owner `payerId` of the caller: its funnels run one at a time. While this process also serves other
 * organizations, they take turns with other long reads of the organization
 * @throws ValidationError at from; DomainError invalid if the database stopped it; OrgBusy
 */
export function readFunnel(owner: string, org: Org, query: FunnelQuery): Promise<Funnel> {
  const { steps, to = Math.floor(Date.now() / 1000) + 1, window_days: windowDays } = query
  const { from = Math.max(0, to - 30 * daySeconds) } = query
  if (from >= to) throw refusal('`from` must be before `to`')
  if (to - from > daysMax * daySeconds)
    throw refusal(`at most ${daysMax} days: move \`from\` and \`to\` closer`)
  return limiter.run(owner, async () => {
    const range = { from, to, windowSeconds: windowDays * daySeconds }
    const read = () => org.read((tx) => countFunnel(tx, steps, range, msMax)).catch(tooSlow)
    const visitors = await takeTurn(owner, read)
    return { from, to, steps: steps.map((step, at) => ({ ...step, visitors: visitors[at] ?? 0 })) }
  })
}

const refusal = (text: string) => new ValidationError([detailAt(['body', 'from'], refuse(text))])

function tooSlow(error: unknown): never {
  if (!isStatementTimeout(error)) throw error
  throw invalid(
    'query_too_slow',
    `The database stopped this funnel after ${msMax / 1000} s. Move \`from\` and \`to\` closer, or send steps that match fewer events.`,
  )
}

import type { CompanyInput } from './companies.ts'
import { ownerEmails } from './members.ts'
import { chance, integer, pick, pickWeighted, seededRandom } from './random.ts'

export type DealInput = {
  name: string
  amount_cents?: number
  currency: string
  stage: string
  owner_email: string
  tags?: string[]
  external_ids: Record<string, string>
}

export type DemoDeal = {
  input: DealInput
  company: number
  contacts: number[]
  /** In how many days an open deal is expected to close. A few are late. null: not known. */
  closesIn: number | null
  /** How and when the deal was closed; null: it is open. */
  closed: { status: 'won' | 'lost'; daysAgo: number } | null
}

const currencies: Record<string, string> = {
  'United States': 'USD',
  Canada: 'CAD',
  'United Kingdom': 'GBP',
  Australia: 'AUD',
}
const dealNames = (
  'Annual license/Pilot project/Extension to all sites/Support contract/Migration/Training for the team/Renewal/' +
  'Starter package/Integration/Framework agreement/Consulting days/Replacement of the old system'
).split('/')
/** How frequent each stage is, relative to the others. */
const stageWeights = [40, 30, 20, 10]

/**
 * Makes deals; the same seed gives the same deals. About 40 % are open. The others were closed within the last year, a
 * third of them as won.
 * @param employer the index of each contact's company, or null
 */
export function demoDeals(
  { seed, deals }: { seed: number; deals: number },
  companies: readonly CompanyInput[],
  employer: readonly (number | null)[],
  stages: readonly string[],
): DemoDeal[] {
  const random = seededRandom(seed)
  const days = seededRandom(seed + 1)
  const jobs = employer.flatMap((company, contact) => (company === null ? [] : { company, contact }))
  const customers = [...Map.groupBy(jobs, ({ company }) => company)].flatMap(([company, staff]) => {
    const input = companies[company]
    return input ? { company, input, people: staff.map(({ contact }) => contact) } : []
  })
  const weights = Object.fromEntries(stages.map((stage, index) => [stage, stageWeights[index] ?? 10]))
  return Array.from({ length: customers.length > 0 ? deals : 0 }, (_, index) => {
    const { company, input: customer, people } = pick(random, customers)
    const contacts = [
      ...new Set([pick(random, people), ...(chance(random, 0.4) ? [pick(random, people)] : [])]),
    ]
    const input: DealInput = {
      name: `${pick(random, dealNames)} for ${customer.name}`,
      ...(chance(random, 0.92) ? { amount_cents: Math.round(2 ** (3 + random() * 9)) * 10_000 } : {}),
      currency: currencies[customer.country] ?? 'EUR',
      stage: pickWeighted(random, weights),
      owner_email: pick(random, ownerEmails),
      ...(chance(random, 0.2) ? { tags: [pick(random, ['upsell', 'new-business', 'strategic'])] } : {}),
      external_ids: { crm: `D-${String(index + 1).padStart(6, '0')}` },
    }
    const closed = chance(random, 0.6)
      ? ({ status: chance(random, 0.35) ? 'won' : 'lost', daysAgo: integer(random, 0, 364) } as const)
      : null
    const closesIn = closed === null && chance(days, 0.8) ? integer(days, -9, 75) : null
    return { input, company, contacts, closed, closesIn }
  })
}

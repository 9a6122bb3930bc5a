import type { CompanyInput } from './companies.ts'
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

/** A deal, whose it is, and how it ended. */
export type DemoDeal = {
  input: DealInput
  /** Index of its company. */
  company: number
  /** Indexes of its contacts, who work there. */
  contacts: number[]
  /** null: open. */
  closed: { status: 'won' | 'lost'; daysAgo: number } | null
}

const currencies: Record<string, string> = {
  'United States': 'USD',
  Canada: 'CAD',
  'United Kingdom': 'GBP',
  Australia: 'AUD',
}
const things = (
  'Annual licence/Pilot project/Extension to all sites/Support contract/Migration/Training for the team/Renewal/' +
  'Starter package/Integration/Framework agreement/Consulting days/Replacement of the old system'
).split('/')
const owners = ['maria', 'tom', 'aisha', 'jonas'].map((name) => `${name}@demo.example`)
/** How often deals of a stage there are, from the first to the last. */
const stageWeights = [40, 30, 20, 10]

/**
 * Believable deals of companies with people, the same for the same seed: about four in ten open, more of them early than
 * late, the others closed within a year, one in three won.
 * @param employer the index of the company of each contact, or null
 */
export function demoDeals(
  { seed, deals }: { seed: number; deals: number },
  companies: readonly CompanyInput[],
  employer: readonly (number | null)[],
  stages: readonly string[],
): DemoDeal[] {
  const random = seededRandom(seed)
  const staff = Map.groupBy(
    employer.keys().filter((contact) => employer[contact] !== null),
    (contact) => employer[contact]!,
  )
  const customers = [...staff.keys()]
  const weights = Object.fromEntries(stages.map((stage, index) => [stage, stageWeights[index] ?? 10]))
  return Array.from({ length: customers.length > 0 ? deals : 0 }, (_, index) => {
    const company = pick(random, customers)
    const people = staff.get(company)!
    const contacts = [
      ...new Set([pick(random, people), ...(chance(random, 0.4) ? [pick(random, people)] : [])]),
    ]
    const { name, country } = companies[company]!
    const input: DealInput = {
      name: `${pick(random, things)} for ${name}`,
      ...(chance(random, 0.92) ? { amount_cents: Math.round(2 ** (3 + random() * 9)) * 10_000 } : {}),
      currency: currencies[country] ?? 'EUR',
      stage: pickWeighted(random, weights),
      owner_email: pick(random, owners),
      ...(chance(random, 0.2) ? { tags: [pick(random, ['upsell', 'new-business', 'strategic'])] } : {}),
      external_ids: { crm: `D-${String(index + 1).padStart(6, '0')}` },
    }
    const closed = chance(random, 0.6)
      ? ({ status: chance(random, 0.35) ? 'won' : 'lost', daysAgo: integer(random, 0, 364) } as const)
      : null
    return { input, company, contacts, closed }
  })
}

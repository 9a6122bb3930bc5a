import type { TestOrg } from './app.ts'

const given = ['Ada', 'Grace', 'Rohan', 'Céline', 'Łukasz', 'Olivia', 'Declan', 'Niccolò', 'Fiona', 'Deepika']
const family = [
  'Kelly',
  'Banerjee',
  'Lefèvre',
  'Romano',
  'Campbell',
  'Wiśniewski',
  'Menon',
  'Walker',
  'Klein',
]
const titles = ['Buyer', 'Founder', 'Head of Sales', 'Supply Chain Manager', 'Chief Executive Officer']
const stages = ['subscriber', 'lead', 'qualified', 'opportunity', 'customer', null]
const cities = ['Berlin', 'London', 'Paris', 'Ottawa', 'Porto']
const batchMax = 500

/** The person with a number. Person 1 is created first, so lists show the highest number first. */
export const personNumbered = (n: number) => ({
  first_name: given[n % given.length],
  last_name: `${family[n % family.length]} ${n}`,
  email: `person-${n}@lantern.example`,
  phone: `+1415555${String(n % 10_000).padStart(4, '0')}`,
  company_name: `Company ${n % 40}`,
  job_title: titles[n % titles.length],
  lifecycle_stage: stages[n % stages.length],
  city: cities[n % cities.length],
  tags: n % 3 === 0 ? ['trade-show'] : [],
})

/** Creates people 1 to `count`, and returns their ids in this order. */
export async function createPeople(org: TestOrg, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let from = 1; from <= count; from += batchMax) {
    const length = Math.min(batchMax, count - from + 1)
    const items = Array.from({ length }, (_, index) => personNumbered(from + index))
    const { body } = await org.post('/contacts/batch', { items })
    ids.push(...body.data.map(({ contact_id }: { contact_id: string }) => contact_id))
  }
  return ids
}

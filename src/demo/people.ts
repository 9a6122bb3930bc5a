import { type CompanyInput, makeEmployer } from './companies.ts'
import { type ContactInput, makeContact, type World } from './contacts.ts'
import { makeDuplicate, makeLookalikes } from './duplicates.ts'
import { pick, seededRandom, shuffle } from './random.ts'

const duplicateShare = 0.08
const lookalikeShare = 0.02

/**
 * Realistic companies and contacts; the same seed gives the same companies and contacts. No person is real: domains end
 * in .example, and phone numbers are reserved for fiction. About 8 % of the contacts are duplicates, and about 2 % only
 * look like duplicates. `person[i]` and `employer[i]` (an index or null) belong to contact `i`.
 */
export function demoPeople(wanted: { seed: number; contacts: number; companies: number }): {
  companies: CompanyInput[]
  contacts: ContactInput[]
  person: number[]
  employer: (number | null)[]
} {
  const random = seededRandom(wanted.seed)
  const world: World = { random, supply: { phones: new Map(), taken: new Set() }, employers: [], sequence: 0 }
  for (let index = 0; index < wanted.companies; index += 1) {
    world.employers.push(makeEmployer(random, world.supply, index))
  }
  const records: { contact: ContactInput; person: number }[] = []
  let people = 0
  while (records.length < wanted.contacts) {
    const before = records.length === 0 ? undefined : pick(random, records)
    const luck = random()
    if (before !== undefined && luck < duplicateShare) {
      records.push({ contact: makeDuplicate(world, before.contact), person: before.person })
    } else if (before !== undefined && luck < duplicateShare + lookalikeShare) {
      for (const contact of makeLookalikes(world, before.contact)) {
        if (records.length < wanted.contacts) records.push({ contact, person: people++ })
      }
    } else records.push({ contact: makeContact(world), person: people++ })
  }
  shuffle(random, records)
  const companies = world.employers.map((employer) => employer.input)
  const indexes = new Map(companies.map((company, index) => [company.name, index]))
  return {
    companies,
    contacts: records.map((record) => record.contact),
    person: records.map((record) => record.person),
    employer: records.map(({ contact }) => indexes.get(contact.company_name ?? '') ?? null),
  }
}

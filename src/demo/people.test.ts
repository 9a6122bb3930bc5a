import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDomain } from '../normalize/domain.ts'
import { readEmail } from '../normalize/email.ts'
import { readPhone } from '../normalize/phone.ts'
import { demoPeople } from './people.ts'

const demo = demoPeople({ seed: 7, contacts: 5000, companies: 300 })

// The fictional numbers of North America, Ofcom, ACMA, Bundesnetzagentur and ARCEP.
const fiction =
  /^\+(1[2-9]\d{2}55501\d{2}|44(2079460|1[1-6]\d4960|1174960|1914980|2920180|2896496)\d{3}|61[2378](5550|7010)\d{4}|49(3023125|4066969|6990009|2214710|8999998)\d{3}|33(19900|26191|35301|46571|53649)\d{4})$/

test('the same seed makes the same people, and another seed makes other people', () => {
  expect(demoPeople({ seed: 7, contacts: 5000, companies: 300 })).toEqual(demo)
  expect(demoPeople({ seed: 8, contacts: 5000, companies: 300 }).contacts).not.toEqual(demo.contacts)
})

test('demoPeople makes exactly the wanted numbers of contacts and companies', () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(40), fc.nat(5), (seed, contacts, companies) => {
      const made = demoPeople({ seed, contacts, companies })
      expect(made.contacts).toHaveLength(contacts)
      expect(made.person).toHaveLength(contacts)
      expect(made.companies).toHaveLength(companies)
      for (const contact of made.contacts) {
        const { first_name, last_name, email, phone } = contact
        expect(first_name ?? last_name ?? email ?? phone).toBeTruthy()
      }
    }),
  )
})

describe('no demo record belongs to a real person', () => {
  test('e-mail addresses and domains end in .example', () => {
    for (const { email, emails = [] } of demo.contacts) {
      for (const address of [...emails, ...(email === undefined ? [] : [email])]) {
        expect(readEmail(address)).toHaveProperty('key', expect.stringMatching(/\.example$/))
      }
    }
    for (const { domain, website } of demo.companies) {
      expect(domain).toMatch(/^[a-z0-9-]+\.example$/)
      expect(readDomain(website)).toEqual({ domain })
    }
  })

  test('every phone number is reserved for fiction', () => {
    const phones = [...demo.contacts, ...demo.companies].flatMap(({ phone }) => phone ?? [])
    expect(phones.length).toBeGreaterThan(1500)
    for (const phone of phones) {
      expect(phone).toMatch(fiction)
      expect(readPhone(phone, null)).toEqual({ e164: phone })
    }
  })
})

describe('the duplicates', () => {
  const records = Map.groupBy(demo.contacts.keys(), (index) => demo.person[index])
  const groups = [...records.values()].filter((indexes) => indexes.length > 1)

  test('about 8 % of the demo contacts are duplicates', () => {
    const more = demo.contacts.length - records.size
    expect(more / demo.contacts.length).toBeGreaterThan(0.06)
    expect(more / demo.contacts.length).toBeLessThan(0.1)
  })

  test('duplicates in the demo never have two ids of one CRM, and differ in e-mail, names, company or phone', () => {
    const first = groups.flatMap(([one, two]) => {
      const [left, right] = [demo.contacts[one ?? -1], demo.contacts[two ?? -1]]
      return left === undefined || right === undefined ? [] : [{ left, right }]
    })
    for (const { left, right } of first) {
      expect([left.external_ids?.crm, right.external_ids?.crm]).toContain(undefined)
    }
    const some = (test: (pair: (typeof first)[number]) => boolean) => first.some(test)
    expect(some(({ left, right }) => left.email !== right.email && left.phone === right.phone)).toBe(true)
    expect(some(({ left, right }) => left.first_name === right.last_name)).toBe(true)
    expect(
      some(({ left, right }) => left.company_name !== right.company_name && left.company_name !== undefined),
    ).toBe(true)
    expect(some(({ left, right }) => left.phone === undefined && right.phone !== undefined)).toBe(true)
  })

  test('people who share a mailbox, and a father and his son, are different people in the demo', () => {
    const mailboxes = Map.groupBy(
      demo.contacts.keys().filter((index) => demo.contacts[index]?.email?.startsWith('info@')),
      (index) => demo.contacts[index]?.email,
    )
    const people = [...mailboxes.values()].map(
      (indexes) => new Set(indexes.map((index) => demo.person[index])).size,
    )
    expect(Math.max(...people)).toBeGreaterThan(1)
    expect(demo.contacts.some((contact) => contact.last_name?.endsWith(' Jr.'))).toBe(true)
  })
})

test('each contact with a company name works at a company of the demo, and company names are unique', () => {
  demo.contacts.forEach((contact, index) => {
    const employer = demo.employer[index]
    if (contact.company_name === undefined) expect(employer).toBeNull()
    else expect(demo.companies[employer ?? -1]?.name).toBe(contact.company_name)
  })
  expect(new Set(demo.companies.map((company) => company.name)).size).toBe(demo.companies.length)
  expect(new Set(demo.companies.map((company) => company.domain)).size).toBe(demo.companies.length)
})

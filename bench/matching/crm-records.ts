import { randomNumbers } from '../../src/matching/random.ts'
import * as words from './crm-words.ts'
import { Dice } from './dice.ts'

/** A record with the number of its person, company or deal. */
export type EntityRecord = { entity: number; record: Record<string, string | string[]> }

/**
 * How likely a duplicate differs from its original in each way, if people write into two systems. Only some names
 * have nicknames.
 */
const corruption = {
  nickname: 0.25,
  firstInitial: 0.03,
  firstMissing: 0.03,
  nameTypo: 0.04,
  lastChanged: 0.02,
  lastMissing: 0.02,
  swapped: 0.01,
  secondName: 0.03,
  emailMissing: 0.25,
  emailOther: 0.22,
  emailTypo: 0.02,
  phoneMissing: 0.4,
  phoneOther: 0.2,
  phoneTypo: 0.01,
  /** The share of people who have the office's number. */
  sharedPhone: 0.15,
  linkedinMissing: 0.6,
  linkedinOther: 0.02,
  companyMissing: 0.15,
  companyMoved: 0.1,
  companyOtherwise: 0.25,
  cityMissing: 0.3,
  cityOther: 0.08,
  countryMissing: 0.3,
  countryOther: 0.03,
  typo: 0.03,
  dateTypo: 0.04,
  dateMissing: 0.2,
  addressOther: 0.12,
  categoryOther: 0.1,
  /** The share of people who have their company's `info@` address. */
  sharedMailbox: 0.03,
  ownIdMissing: 0.3,
} as const

const duplicateShare = 0.12
const peoplePerCompany = 8

type Company = { name: string; domain: string; city: string; country: string; phone: string }

/**
 * Makes records of one kind. About an eighth of the `entities` have one to three duplicates. The same seed gives the
 * same records.
 */
export function makeContacts(entities: number, seed: number): EntityRecord[] {
  const dice = new Dice(randomNumbers(seed))
  const companies = makeCompanyList(dice, Math.ceil(entities / peoplePerCompany))
  return withDuplicates(dice, entities, (entity) => {
    const person = makePerson(dice, entity, dice.pick(companies))
    return { first: person, again: () => corruptPerson(dice, person, companies) }
  })
}

export function makeCompanies(entities: number, seed: number): EntityRecord[] {
  const dice = new Dice(randomNumbers(seed))
  const companies = makeCompanyList(dice, entities)
  return withDuplicates(dice, entities, (entity) => {
    const company = companies[entity]!
    const first = {
      name: company.name,
      domain: company.domain,
      phone: company.phone,
      linkedin_url: `https://www.linkedin.com/company/${slug(company.name)}-${entity}`,
      external_ids: [`crm:${entity}`],
      city: company.city,
      country: company.country,
    }
    return { first, again: () => corruptCompany(dice, first) }
  })
}

export function makeDeals(entities: number, seed: number): EntityRecord[] {
  const dice = new Dice(randomNumbers(seed))
  return withDuplicates(dice, entities, (entity) => {
    const first = {
      external_ids: [`crm:${entity}`],
      name: `${dice.pick(words.marks)} ${dice.pick(words.trades)} ${dice.pick(words.products)} ${2024 + dice.below(3)}`,
      amount: String(100 * dice.below(2000)),
      company_id: String(dice.below(Math.ceil(entities / 3))),
    }
    const again = () => ({
      external_ids: [dice.when(0.3) ? `crm:${entity}` : `shop:${entity}`],
      name: dice.when(0.3) ? dice.shorter(first.name) : dice.when(0.1) ? dice.typo(first.name) : first.name,
      amount: dice.when(0.2) ? String(100 * dice.below(2000)) : first.amount,
      company_id: dice.when(0.1) ? '' : first.company_id,
    })
    return { first, again }
  })
}

type Original = { first: EntityRecord['record']; again: () => EntityRecord['record'] }

function withDuplicates(dice: Dice, entities: number, make: (entity: number) => Original): EntityRecord[] {
  const made: EntityRecord[] = []
  for (let entity = 0; entity < entities; entity += 1) {
    const { first, again } = make(entity)
    made.push({ entity, record: first })
    const copies = dice.when(duplicateShare) ? 1 + (dice.when(0.25) ? 1 : 0) + (dice.when(0.08) ? 1 : 0) : 0
    for (let copy = 0; copy < copies; copy += 1) made.push({ entity, record: again() })
  }
  return dice.shuffle(made)
}

function makeCompanyList(dice: Dice, companies: number): Company[] {
  return Array.from({ length: companies }, (_, index) => {
    const own = dice.when(0.4) ? dice.pick(words.rareNames) : dice.pick(words.marks)
    const core = `${own} ${dice.pick(words.trades)}`
    return {
      name: `${core} ${dice.frequent(words.forms)}`,
      domain: `${slug(core)}${index % 97 === 0 ? '' : index}.${dice.pick(['com', 'de', 'co.uk', 'fr', 'io'])}`,
      city: dice.frequent(words.cities),
      country: dice.frequent(words.countries),
      phone: phoneNumber(dice),
    }
  })
}

function makePerson(dice: Dice, entity: number, company: Company) {
  const first = dice.frequent(words.firstNames)
  const last = dice.when(0.55) ? dice.frequent(words.lastNames) : dice.pick(words.rareNames)
  return {
    first_name: first,
    last_name: last,
    email: dice.when(corruption.sharedMailbox)
      ? `info@${company.domain}`
      : address(dice, first, last, company, entity),
    phone: dice.when(corruption.sharedPhone) ? company.phone : phoneNumber(dice),
    linkedin_url: `https://www.linkedin.com/in/${slug(first)}-${slug(last)}-${entity.toString(36)}`,
    external_ids: [`crm:${entity}`],
    company_name: company.name,
    city: company.city,
    country: company.country,
    job_title: dice.pick(words.titles),
    birth_date: `${1945 + dice.below(60)}-${dice.digits(1 + dice.below(12), 2)}-${dice.digits(1 + dice.below(28), 2)}`,
    national_id: dice.digits(dice.below(10_000_000), 7),
    street: `${1 + dice.below(200)} ${dice.pick(words.streets)} ${dice.pick(['Street', 'Road', 'Avenue', 'Lane'])}`,
    postcode: dice.digits(1000 + dice.below(9000), 4),
    domain: company.domain,
    amount: String(1000 * dice.below(300)),
  }
}

type Person = ReturnType<typeof makePerson>

function corruptPerson(dice: Dice, person: Person, companies: readonly Company[]): EntityRecord['record'] {
  const c = corruption
  const moved = dice.when(c.companyMoved) ? dice.pick(companies) : null
  let first = person.first_name
  if (dice.when(c.nickname)) first = words.nicknames[first] ?? first
  else if (dice.when(c.firstInitial)) first = first.slice(0, 1)
  else if (dice.when(c.secondName)) first = `${first} ${dice.pick(words.firstNames)}`
  if (dice.when(c.nameTypo)) first = dice.typo(first)
  let last = dice.when(c.lastChanged) ? dice.pick(words.rareNames) : person.last_name
  if (dice.when(c.nameTypo)) last = dice.typo(last)
  if (dice.when(c.swapped)) [first, last] = [last, first]
  const company = moved ?? { name: person.company_name, domain: person.domain, city: person.city }
  const email = dice.when(c.emailOther) ? otherAddress(dice, person, company.domain) : person.email
  return {
    first_name: dice.unless(c.firstMissing, first),
    last_name: dice.unless(c.lastMissing, last),
    email: dice.unless(c.emailMissing, dice.when(c.emailTypo) ? dice.typo(email) : email),
    phone: dice.unless(c.phoneMissing, otherPhone(dice, person.phone)),
    linkedin_url: dice.unless(
      c.linkedinMissing,
      dice.when(c.linkedinOther) ? `${person.linkedin_url}1` : person.linkedin_url,
    ),
    external_ids: dice.when(0.2) ? person.external_ids : [`shop:${person.external_ids[0]!.slice(4)}`],
    company_name: dice.unless(c.companyMissing, moved ? moved.name : otherwise(dice, company.name)),
    city: dice.unless(
      c.cityMissing,
      place(dice, dice.when(c.cityOther) ? dice.frequent(words.cities) : company.city),
    ),
    country: dice.unless(
      c.countryMissing,
      dice.when(c.countryOther) ? dice.frequent(words.countries) : person.country,
    ),
    job_title: dice.when(c.categoryOther) ? dice.pick(words.titles) : person.job_title,
    birth_date: dice.unless(
      c.dateMissing,
      dice.when(c.dateTypo) ? dice.otherDigit(person.birth_date) : person.birth_date,
    ),
    national_id: dice.unless(
      c.ownIdMissing,
      dice.when(c.typo) ? dice.otherDigit(person.national_id) : person.national_id,
    ),
    street: dice.when(c.addressOther)
      ? makePerson(dice, 0, companies[0]!).street
      : place(dice, person.street),
    postcode: dice.when(c.addressOther)
      ? dice.digits(1000 + dice.below(9000), 4)
      : place(dice, person.postcode),
    domain: company.domain,
    amount: dice.when(c.categoryOther) ? String(1000 * dice.below(300)) : person.amount,
  }
}

function corruptCompany(
  dice: Dice,
  company: Record<'name' | 'domain' | 'phone' | 'linkedin_url' | 'city' | 'country', string>,
) {
  return {
    name: dice.unless(0.02, otherwise(dice, company.name)),
    domain: dice.unless(
      0.25,
      dice.when(0.12) ? company.domain.replace(/\.[a-z.]+$/, '.net') : company.domain,
    ),
    phone: dice.unless(corruption.phoneMissing, otherPhone(dice, company.phone)),
    linkedin_url: dice.unless(
      corruption.linkedinMissing,
      dice.when(corruption.linkedinOther) ? `${company.linkedin_url}1` : company.linkedin_url,
    ),
    external_ids: [`shop:${slug(company.name)}`],
    city: dice.unless(
      corruption.cityMissing,
      dice.when(corruption.cityOther) ? dice.frequent(words.cities) : company.city,
    ),
    country: dice.unless(
      corruption.countryMissing,
      dice.when(corruption.countryOther) ? dice.frequent(words.countries) : company.country,
    ),
  }
}

function address(dice: Dice, first: string, last: string, company: Company, entity: number): string {
  const [f, l] = [slug(first), slug(last)]
  if (dice.when(0.25)) return `${f}.${l}${entity % 1000}@${dice.frequent(words.providers)}`
  const local = dice.pick([`${f}.${l}`, `${f[0]}.${l}`, `${f}${l[0]}`, `${f}`, `${f[0]}${l}`])
  return `${local}@${company.domain}`
}

function otherAddress(dice: Dice, { first_name, last_name }: Person, domain: string): string {
  const [f, l] = [slug(first_name), slug(last_name)]
  return dice.when(0.5)
    ? `${f}.${l}@${domain}`
    : `${f}${l}${dice.below(100)}@${dice.frequent(words.providers)}`
}

function otherwise(dice: Dice, company: string): string {
  if (dice.when(corruption.typo)) return dice.typo(company)
  if (!dice.when(corruption.companyOtherwise)) return company
  const withoutForm = company.replace(/ \w+$/, '')
  return dice.pick([
    withoutForm,
    company.toUpperCase(),
    `${withoutForm} ${dice.pick(words.forms)}`,
    `The ${company}`,
  ])
}

function otherPhone(dice: Dice, phone: string): string {
  if (dice.when(corruption.phoneOther)) return phoneNumber(dice)
  return dice.when(corruption.phoneTypo) ? dice.otherDigit(phone) : phone
}

const place = (dice: Dice, text: string): string => (dice.when(corruption.typo) ? dice.typo(text) : text)
const phoneNumber = (dice: Dice): string =>
  `+1${2 + dice.below(8)}${dice.digits(dice.below(100), 2)}${dice.digits(2_000_000 + dice.below(7_999_999), 7)}`

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
}

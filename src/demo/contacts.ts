import { asciiSlug, type Employer, makeUnique, nextPhone, pickCountry, type UsedValues } from './companies.ts'
import { type Culture, cultures } from './names.ts'
import type { DemoPlace } from './places.ts'
import { chance, integer, pick, pickWeighted, type Random } from './random.ts'

export type DemoConsent = 'granted' | 'denied' | 'unknown'
export type ContactInput = {
  first_name?: string
  last_name?: string
  email?: string
  emails?: string[]
  phone?: string
  company_name?: string
  job_title?: string
  linkedin_url?: string
  city?: string
  region?: string
  country?: string
  lifecycle_stage?: 'subscriber' | 'lead' | 'qualified' | 'opportunity' | 'customer' | 'other'
  consent?: { email: DemoConsent; phone: DemoConsent }
  tags?: string[]
  custom?: Record<string, string>
  external_ids?: Record<string, string>
}

/** The data from which all records are made. */
export type World = { random: Random; supply: UsedValues; employers: Employer[]; sequence: number }

const titles = (
  'Account Executive/Accountant/Buyer/Chief Executive Officer/Chief Financial Officer/Customer Success Manager/Designer/' +
  'Director of Operations/Engineer/Founder/Head of Marketing/Head of Sales/HR Manager/IT Manager/Managing Director/' +
  'Marketing Manager/Office Manager/Operations Manager/Owner/Plant Manager/Procurement Manager/Product Manager/' +
  'Project Manager/Sales Manager/Sales Representative/Software Engineer/Supply Chain Manager/VP Engineering/VP Sales'
).split('/')
const streets =
  'Mill Lane/Station Road/Church Street/Park Avenue/High Street/Garden Row/River Walk/Hill Crescent'.split(
    '/',
  )
const tags = 'newsletter webinar trade-show referral vip pricing-page churn-risk beta'.split(' ')
const mailHosts = ['mail.example', 'inbox.example', 'post.example', 'webmail.example']

/** Makes the record of a new person. */
export function makeContact(world: World): ContactInput {
  const { random, supply } = world
  const employer = world.employers.length > 0 && chance(random, 0.85) ? pick(random, world.employers) : null
  const country = pickCountry(random)
  const place = employer?.place ?? pick(random, country.places)
  const [first, last] = makeName(random, employer?.cultures ?? country.cultures)
  const phone = chance(random, 0.7) ? nextPhone(supply, place) : null
  const email = chance(random, 0.93) ? makeEmail(world, first, last, employer) : null
  return {
    first_name: first,
    last_name: last,
    ...(email === null ? {} : { email }),
    ...(phone === null ? {} : { phone }),
    ...makeEmployment(world, employer),
    ...makePlace(random, place),
    ...(chance(random, 0.35) ? { linkedin_url: makeProfile(random, first, last) } : {}),
    lifecycle_stage: pickWeighted(random, {
      subscriber: 25,
      lead: 35,
      qualified: 14,
      opportunity: 9,
      customer: 15,
      other: 2,
    }),
    consent: {
      email: pickWeighted(random, { granted: 60, unknown: 34, denied: 6 }),
      phone: pickWeighted(random, { granted: 25, unknown: 70, denied: 5 }),
    },
    ...(chance(random, 0.5) ? { tags: [...new Set([pick(random, tags), pick(random, tags)])] } : {}),
    external_ids: nextId(world, 'crm', 'C'),
  }
}

/** Picks a given and a family name of one culture. */
export function makeName(random: Random, weights: Partial<Record<Culture, number>>): [string, string] {
  const culture = cultures[pickWeighted(random, weights)]
  return [pick(random, culture.given), pick(random, culture.family)]
}

function makePlace(random: Random, place: DemoPlace): ContactInput {
  const custom: Record<string, string> = {}
  if (chance(random, 0.5)) custom.street = `${integer(random, 1, 180)} ${pick(random, streets)}`
  if (chance(random, 0.2)) custom.date_of_birth = makeBirthday(random)
  return {
    city: place.city,
    region: place.region,
    country: place.country,
    ...(Object.keys(custom).length === 0 ? {} : { custom }),
  }
}

/** A date of birth in ISO 8601. */
export function makeBirthday(random: Random, yearMin = 1960, yearMax = 2005): string {
  const [month, day] = [integer(random, 1, 12), integer(random, 1, 28)]
  return `${integer(random, yearMin, yearMax)}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** Makes a job at this employer. Some people without an employer have a job title too. */
export function makeEmployment(world: World, employer: Employer | null): ContactInput {
  const title = chance(world.random, employer === null ? 0.2 : 0.9)
    ? { job_title: pick(world.random, titles) }
    : {}
  return employer === null ? title : { company_name: employer.input.name, ...title }
}

/** Makes a unique address: at the employer, or at a mail provider if there is no employer. */
export function makeEmail(world: World, first: string, last: string, employer: Employer | null): string {
  const [given, family] = [asciiSlug(first).replaceAll('-', ''), asciiSlug(last).replaceAll('-', '')]
  const pattern =
    employer?.emailPattern ??
    pick(world.random, ['{first}.{last}', '{first}{last}', '{f}{last}{n}', '{first}{n}'])
  const local = pattern
    .replace('{first}', given)
    .replace('{last}', family)
    .replace('{f}', given.slice(0, 1))
    .replace('{n}', String(integer(world.random, 10, 99)))
  return makeUnique(world.supply, `${local}@${employer?.input.domain ?? pick(world.random, mailHosts)}`)
}

function makeProfile(random: Random, first: string, last: string): string {
  const tail = integer(random, 0x100000, 0xffffff).toString(16)
  return `https://www.linkedin.com/in/demo-${asciiSlug(`${first} ${last}`)}-${tail}`
}

/** Makes an external id that no other record of this source has. */
export function nextId(world: World, source: string, letter: string): Record<string, string> {
  world.sequence += 1
  return { [source]: `${letter}-${String(world.sequence).padStart(6, '0')}` }
}

import { asciiSlug } from './companies.ts'
import {
  type ContactInput,
  makeBirthday,
  makeEmail,
  makeEmployment,
  makeName,
  nextId,
  type World,
} from './contacts.ts'
import { nicknames } from './names.ts'
import { chance, integer, pick, type Random } from './random.ts'

type Change = (world: World, contact: ContactInput) => ContactInput | null

/** Another record of the same person, with one or two changes. */
export function makeDuplicate(world: World, contact: ContactInput): ContactInput {
  let again = fromOtherSource(world, contact)
  for (let count = chance(world.random, 0.3) ? 2 : 1; count > 0; count -= 1) {
    again = pick(world.random, changes)(world, again) ?? otherSpelling(world, again)
  }
  return again
}

/** Makes records of other people that look like duplicates of this one, or of each other. */
export function makeLookalikes(world: World, contact: ContactInput): ContactInput[] {
  const others = pick(world.random, [sharedMailbox, parentOrChild, namesake])(world, contact)
  return others.map((other) => ({ ...other, external_ids: nextId(world, 'crm', 'C') }))
}

/** Returns the record without its CRM id: a CRM does not list a person under two ids. */
function fromOtherSource(world: World, contact: ContactInput): ContactInput {
  const { external_ids: _ids, ...copy } = contact
  for (const field of optionalFields) if (chance(world.random, 0.35)) delete copy[field]
  const [source, letter] = pick(world.random, [
    ['newsletter', 'N'],
    ['webshop', 'W'],
    ['', ''],
  ] as const)
  return source === '' ? copy : { ...copy, external_ids: nextId(world, source, letter) }
}

const optionalFields = ['job_title', 'lifecycle_stage', 'tags', 'consent', 'custom', 'region'] as const

// Changes to a record. Each returns null if the record lacks the needed fields.
const changes: Change[] = [
  nickname,
  withTypo,
  swappedNames,
  otherEmail,
  otherEmail,
  fewerFields,
  newJob,
  otherSpelling,
  initials,
]

function nickname(world: World, contact: ContactInput): ContactInput | null {
  const known = nicknames[contact.first_name ?? '']
  return known === undefined ? null : { ...contact, first_name: pick(world.random, known) }
}

function withTypo(world: World, contact: ContactInput): ContactInput | null {
  const field = chance(world.random, 0.5) ? 'last_name' : 'first_name'
  const name = contact[field]
  return name === undefined || name.length < 4 ? null : { ...contact, [field]: addTypo(world.random, name) }
}

/** Adds a typo: two letters swapped, one left out or one doubled. The first letter stays. */
function addTypo(random: Random, name: string): string {
  const letters = [...name]
  const at = integer(random, 1, letters.length - 2)
  const [letter = '', next = ''] = [letters[at], letters[at + 1]]
  letters.splice(at, 2, ...pick(random, [[next, letter], [next], [letter, letter, next]]))
  return letters.join('')
}

function swappedNames(_world: World, contact: ContactInput): ContactInput | null {
  const { first_name: first, last_name: last } = contact
  return first === undefined || last === undefined ? null : { ...contact, first_name: last, last_name: first }
}

/** The private e-mail address in place of the one at work, and the same phone. */
function otherEmail(world: World, contact: ContactInput): ContactInput | null {
  const { first_name: first, last_name: last, phone, email } = contact
  if (first === undefined || last === undefined || phone === undefined || email === undefined) return null
  const personal = makeEmail(world, first, last, null)
  return { ...contact, email: personal, ...(chance(world.random, 0.3) ? { emails: [personal, email] } : {}) }
}

/** A record from a form: the names, and either an e-mail address or a phone number. */
function fewerFields(world: World, contact: ContactInput): ContactInput | null {
  const { first_name, last_name, email, phone, external_ids } = contact
  if (first_name === undefined || last_name === undefined) return null
  if (email === undefined && phone === undefined) return null
  const byEmail = email !== undefined && (phone === undefined || chance(world.random, 0.7))
  return {
    first_name,
    ...(chance(world.random, 0.8) ? { last_name } : {}),
    ...(byEmail ? { email } : phone !== undefined && { phone }),
    ...(external_ids && { external_ids }),
  }
}

/** Another company and its e-mail address. The phone and the profile stay. */
function newJob(world: World, contact: ContactInput): ContactInput | null {
  const { first_name: first, last_name: last, phone, linkedin_url: profile } = contact
  if (world.employers.length < 2 || first === undefined || last === undefined) return null
  if (phone === undefined && profile === undefined) return null
  const employer = pick(world.random, world.employers)
  if (employer.input.name === contact.company_name) return null
  const { company_name: _company, job_title: _title, ...rest } = contact
  return { ...rest, ...makeEmployment(world, employer), email: makeEmail(world, first, last, employer) }
}

/** Another spelling: all capitals, no accents, or an e-mail address in mixed case. */
function otherSpelling(world: World, contact: ContactInput): ContactInput {
  const { first_name: first, last_name: last, email } = contact
  const respell = pick(world.random, [upper, lower, withoutAccents])
  return {
    ...contact,
    ...(first === undefined ? {} : { first_name: respell(first) }),
    ...(last === undefined ? {} : { last_name: respell(last) }),
    ...(email === undefined ? {} : { email: chance(world.random, 0.5) ? capitalized(email) : email }),
  }
}

const upper = (text: string) => text.toUpperCase()
const lower = (text: string) => text.toLowerCase()
const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

function withoutAccents(text: string): string {
  return text
    .split(' ')
    .map((word) => capitalized(asciiSlug(word)))
    .join(' ')
}

/** Writes a first name as its initial: `Anna Lee` becomes `A. Lee`. */
function initials(_world: World, contact: ContactInput): ContactInput | null {
  const { first_name: first, email, phone } = contact
  if (first === undefined || (email === undefined && phone === undefined)) return null
  return { ...contact, first_name: `${first.slice(0, 1)}.` }
}

/** Gives two colleagues the common e-mail address of their company. */
function sharedMailbox(world: World, contact: ContactInput): ContactInput[] {
  const employer = world.employers.find((each) => each.input.name === contact.company_name)
  if (employer === undefined) return parentOrChild(world, contact)
  const { city, region, country, domain } = employer.input
  return [1, 2].map(() => {
    const [first_name, last_name] = makeName(world.random, employer.cultures)
    return {
      first_name,
      last_name,
      email: `info@${domain}`,
      ...makeEmployment(world, employer),
      city,
      region,
      country,
    }
  })
}

/** A parent or child: the same name at the same postal address. */
function parentOrChild(world: World, contact: ContactInput): ContactInput[] {
  const { first_name: first = 'Alex', last_name: last = 'Morgan', city, region, country } = contact
  return [
    {
      first_name: first,
      last_name: chance(world.random, 0.4) ? `${last} Jr.` : last,
      email: makeEmail(world, first, last, null),
      ...(city === undefined || region === undefined || country === undefined
        ? {}
        : { city, region, country }),
      custom: {
        street: contact.custom?.street ?? `${integer(world.random, 1, 180)} Mill Lane`,
        date_of_birth: makeBirthday(world.random, 1930, 1945),
      },
    },
  ]
}

function namesake(world: World, contact: ContactInput): ContactInput[] {
  const { first_name: first, last_name: last } = contact
  if (world.employers.length < 2 || first === undefined || last === undefined)
    return parentOrChild(world, contact)
  const employer = pick(world.random, world.employers)
  if (employer.input.name === contact.company_name) return parentOrChild(world, contact)
  const { city, region, country } = employer.input
  const email = makeEmail(world, first, last, employer)
  return [
    { first_name: first, last_name: last, email, ...makeEmployment(world, employer), city, region, country },
  ]
}

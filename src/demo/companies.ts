import { cultures } from './names.ts'
import { type Country, countries, type DemoPlace } from './places.ts'
import { chance, integer, pick, pickWeighted, type Random } from './random.ts'

export type CompanyInput = {
  name: string
  domain: string
  website: string
  phone?: string
  linkedin_url?: string
  industry: string
  employee_count: number
  city: string
  region: string
  country: string
  tags: string[]
  external_ids: Record<string, string>
}

export type UsedValues = { phones: Map<string, number>; taken: Set<string> }

export type Employer = {
  input: CompanyInput
  place: DemoPlace
  cultures: Country['cultures']
  emailPattern: string
}

const industries: Record<string, string> = {
  Software: 'Systems Labs Software Cloud Data',
  Manufacturing: 'Works Industries Tooling Components Plastics',
  Logistics: 'Logistics Freight Shipping Couriers Haulage',
  'Food and drink': 'Bakery Foods Coffee Brewing Provisions',
  Health: 'Clinics Health Dental Diagnostics Pharma',
  Construction: 'Builders Construction Roofing Joinery Masonry',
  'Professional services': 'Consulting Partners Associates Advisers Legal',
  Retail: 'Outfitters Trading Stores Supply Mercantile',
  Energy: 'Solar Energy Power Wind Grid',
  Media: 'Studio Media Press Films Design',
}
const adjectives = (
  'Amber Bright Cedar Copper Coral Golden Granite Hollow Iron Juniper Lantern Maple Meadow Northern Ocean Pine Quiet ' +
  'Red River Sable Silver Summit Sunny Thistle Velvet Western Willow Winter'
).split(' ')
const emailPatterns = [
  '{first}.{last}',
  '{first}.{last}',
  '{f}{last}',
  '{first}',
  '{first}_{last}',
  '{last}.{f}',
  '{f}.{last}',
]

/** Makes a company with a unique name and a unique domain under .example, which nobody can register. */
export function makeEmployer(random: Random, supply: UsedValues, index: number): Employer {
  const country = pickCountry(random)
  const place = pick(random, country.places)
  const industry = pick(random, Object.keys(industries))
  const trade = pick(random, (industries[industry] ?? '').split(' '))
  const owner = pick(random, cultures[pickWeighted(random, country.cultures)].family)
  const core = makeName(random, supply, owner, trade, place.city)
  const domain = makeUnique(supply, `${asciiSlug(core)}.example`)
  const phone = nextPhone(supply, place)
  const input: CompanyInput = {
    name: chance(random, 0.7) ? `${core} ${place.legalForm}` : core,
    domain,
    website: `https://www.${domain}`,
    ...(phone === null ? {} : { phone }),
    ...(chance(random, 0.5)
      ? { linkedin_url: `https://www.linkedin.com/company/demo-${domain.replace('.example', '')}` }
      : {}),
    industry,
    employee_count: Math.round(2 ** (1 + random() * 11)),
    city: place.city,
    region: place.region,
    country: place.country,
    tags: chance(random, 0.3) ? [pick(random, ['key-account', 'partner', 'trial', 'nurture'])] : [],
    external_ids: { crm: `A-${String(index + 1).padStart(6, '0')}` },
  }
  return { input, place, cultures: country.cultures, emailPattern: pick(random, emailPatterns) }
}

/** A unique company name without its legal form. */
function makeName(random: Random, supply: UsedValues, owner: string, trade: string, city: string): string {
  const name = pick(random, [
    `${owner} ${trade}`,
    `${pick(random, adjectives)} ${trade}`,
    `${pick(random, adjectives)} ${pick(random, adjectives)} ${trade}`,
    `${owner} & ${pick(random, ['Sons', 'Daughters', 'Partners', 'Co'])} ${trade}`,
    `${city} ${trade}`,
  ])
  return makeUnique(supply, supply.taken.has(name) ? `${name} ${city}` : name)
}

/** A random country, weighted by its share. */
export function pickCountry(random: Random): Country {
  let left = integer(
    random,
    1,
    countries.reduce((sum, country) => sum + country.share, 0),
  )
  for (const country of countries) {
    left -= country.share
    if (left <= 0) return country
  }
  return pick(random, countries)
}

/** Returns the next unused fictional phone number of this place; null if none is left. */
export function nextPhone(supply: UsedValues, place: DemoPlace): string | null {
  if (place.phone === null) return null
  const { prefix, digits } = place.phone
  const used = supply.phones.get(prefix) ?? 0
  const size = 10 ** digits
  if (used >= size) return null
  supply.phones.set(prefix, used + 1)
  // 37 shares no factor with a power of ten, so the steps reach every number once.
  return prefix + String((used * 37 + 11) % size).padStart(digits, '0')
}

/** Adds a number to a value that is already used: `acme2.example`, `anna2@acme.example`, `Acme 2`. */
export function makeUnique(supply: UsedValues, value: string): string {
  const [, stem = value, end = ''] = /^(.*?)(@.*|\.example)$/.exec(value) ?? []
  let free = value
  for (let count = 2; supply.taken.has(free); count += 1)
    free = end === '' ? `${stem} ${count}` : stem + count + end
  supply.taken.add(free)
  return free
}

/** Keeps only letters, digits and hyphens: `Müller & Söhne` → `muller-sohne`. */
export function asciiSlug(text: string): string {
  return text
    .replace(/[ßøłæđıØŁÆ]/g, (letter) => asciiLetters[letter] ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9 &-]/g, '')
    .replace(/[ &-]+/g, '-')
    .replace(/^-|-$/g, '')
}

const asciiLetters: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  đ: 'd',
  ı: 'i',
  Ø: 'o',
  Ł: 'l',
  Æ: 'ae',
}

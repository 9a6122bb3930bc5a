import { z } from 'zod'
import { readDomain } from '../normalize/domain.ts'
import { readEmail } from '../normalize/email.ts'
import { dictionary, dictionaryOf, list } from '../platform/http/collections.ts'
import { formatted, refuse, text } from '../platform/http/fields.ts'
import { Refusal } from '../platform/http/refusal.ts'

/** Text that is trimmed; empty text clears, as null does. */
export const line = (max: number): z.ZodType<string | null | undefined> =>
  text({ max, trim: true }).nullable().optional()

/** Refuses what cannot be read, in the reader's own words: "value is not a valid email address: <reason>". */
export function unreadable(problem: string): Refusal {
  return new Refusal('value_error', problem, { reason: problem.replace(/^[^:]*: /, '') })
}

/** An e-mail address as its writer gave it. */
export const email = formatted(
  (value) => {
    const read = readEmail(value)
    return 'email' in read ? read.email : unreadable(read.problem)
  },
  { format: 'email', maxLength: 254 },
)

/** A registrable host name, from a domain or a web address. */
export const domain = formatted(
  (value) => {
    const read = readDomain(value)
    return 'domain' in read ? read.domain : refuse(read.problem)
  },
  { maxLength: 253, examples: ['acme.example'] },
)

const tag = text({ min: 1, max: 100, trim: true })

/** Fields of people and companies: where they are found. */
export const profileFields = {
  city: line(200),
  region: line(200),
  country: line(100).describe('Free text; not checked against a list.'),
  linkedin_url: line(500),
}

/** The same in answers. */
export const profileAnswer = {
  linkedin_url: z.string().nullable(),
  city: z.string().nullable(),
  region: z.string().nullable(),
  country: z.string().nullable(),
}

/** The same as columns, and in the wire form. */
export const profileColumns = {
  linkedin_url: 'text',
  city: 'text',
  region: 'text',
  country: 'text',
} as const

/** Fields that every kind of record has. */
export const commonFields = {
  tags: list(tag, { max: 100 }).nullable().optional(),
  custom: dictionary({ maxBytes: 65_536 })
    .nullable()
    .optional()
    .describe('Any JSON object, given back unchanged.'),
  external_ids: dictionaryOf(text({ min: 1, max: 255, trim: true }), { max: 50 })
    .nullable()
    .optional()
    .describe('Ids of the record in other systems, by system; PATCH replaces them all.'),
  source: line(120).describe('Where the record came from.'),
}

/** The same in answers. */
export const commonAnswer = {
  tags: z.array(z.string()),
  custom: z.record(z.string(), z.unknown()),
  external_ids: z.record(z.string(), z.string()),
  source: z.string().nullable(),
  version: z.int().describe('Rises with every change; If-Match takes it.'),
  created_at: z.int().describe('Unix seconds.'),
  updated_at: z.int().describe('Unix seconds.'),
  archived_at: z.int().nullable().describe('Unix seconds; null: active.'),
}

/** The members of the wire form that all kinds of records share. */
export const commonMembers = {
  tags: 'text[]',
  custom: 'json',
  external_ids: 'json',
  source: 'text',
  version: 'integer',
  created_at: 'seconds',
  updated_at: 'seconds',
  archived_at: 'seconds',
} as const

export const commonColumns = {
  tags: 'text[]',
  custom: 'json',
  external_ids: 'json',
  source: 'text',
} as const

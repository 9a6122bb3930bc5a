import { z } from 'zod'
import { list } from '../platform/http/collections.ts'
import { integer } from '../platform/http/fields.ts'
import { commonAnswer, commonFields, domain, line, profileAnswer, profileFields } from '../records/fields.ts'
import { phone } from '../records/phones.ts'

/** What a writer may send of a company; null clears. */
export const CompanyFields = z
  .object({
    name: line(300),
    domain: domain
      .nullable()
      .optional()
      .describe('The primary one; joins `domains`. A web address is cut down to its host.'),
    domains: list(domain, { max: 50 }).nullable().optional().describe('All domains, the primary one first.'),
    phone: phone.nullable().optional().describe('Stored in E.164.'),
    website: line(2000).describe('Gives a company without a domain its domain, unless many share the host.'),
    industry: line(200),
    employee_count: integer({ min: 0, max: 100_000_000 }).nullable().optional(),
    ...profileFields,
    ...commonFields,
  })
  .meta({ title: 'CompanyFields' })
export type CompanyFields = z.output<typeof CompanyFields>

export const Company = z
  .object({
    company_id: z.string(),
    name: z.string().nullable(),
    domain: z.string().nullable(),
    domains: z.array(z.string()),
    phone: z.string().nullable(),
    phone_raw: z.string().nullable().describe('A phone number that an import could not read.'),
    website: z.string().nullable(),
    industry: z.string().nullable(),
    employee_count: z.int().nullable(),
    ...profileAnswer,
    ...commonAnswer,
  })
  .meta({ title: 'Company' })

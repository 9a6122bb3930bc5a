import { z } from 'zod'
import { emailKey } from '../../normalize/email.ts'
import { notFound } from '../../platform/domain-error.ts'
import { id, refuse } from '../../platform/http/fields.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { email } from '../fields.ts'
import { manyIfEqual } from '../filters/columns.ts'
import type { Fields, RecordField, StoredColumns } from '../record-type.ts'
import type { Owners } from './owner.ts'

/**
 * The member who is in charge of a record. The address is stored as it was written, and `owner_id` follows from it.
 * @param about the description of `owner_email`
 */
export const ownerFields = (about: string): { owner_id: RecordField; owner_email: RecordField } => ({
  owner_id: {
    about: 'The member of the organization who owns the record, from GET /owners; null: nobody.',
    columns: 'uuid',
    input: id().nullable().optional(),
    output: z.string().meta({ format: 'uuid' }).nullable(),
    isDerived: true,
    matches: manyIfEqual,
    headers: 'ownerid',
  },
  owner_email: {
    about,
    columns: 'text',
    input: email.nullable().optional(),
    output: z.string().nullable(),
    headers:
      'owneremail owneremailaddress recordowneremail contactowneremail leadowneremail companyowneremail accountowneremail',
  },
})

/**
 * The fields of a request in which `owner_id` and `owner_email` name the same person. A request may send one of them,
 * or both.
 * @throws DomainError not_found for an `owner_id` that is not a member; ValidationError if they name two people
 */
export function withOwner(fields: Fields, owners: Owners | undefined): Fields {
  const { owner_id: id, owner_email: email } = fields
  if (owners === undefined || (id === undefined && email === undefined)) return fields
  if (typeof id !== 'string') return { ...fields, owner_id: idOf(email, owners), owner_email: email ?? null }
  const owner = owners.byId.get(id)
  if (!owner)
    throw notFound('reference_not_found', `owner_id: no member of this organization has the id ${id}`)
  if (typeof email === 'string' && emailKey(email) !== owner.email_key)
    throw refusal(
      'owner_email',
      'this is not the address of the member in owner_id: send only one of the two',
    )
  return { ...fields, owner_id: id, owner_email: owner.email }
}

/** The member with an address; null for the address of somebody else. */
export const idOf = (email: unknown, owners: Owners): string | null =>
  (typeof email === 'string' ? owners.byKey.get(emailKey(email))?.member_id : null) ?? null

/**
 * Requires that a new owner is a member. A record keeps the address of a former member.
 * @throws ValidationError
 */
export function requireMember(before: StoredColumns | null, after: StoredColumns): void {
  const { owner_id: id, owner_email: email } = after
  if (email === null || id !== null || email === before?.owner_email) return
  throw refusal(
    'owner_email',
    'no member of this organization has this address: invite the person, or send the address of a member (GET /owners)',
  )
}

const refusal = (field: string, words: string) =>
  new ValidationError([detailAt(['body', field], refuse(words))])

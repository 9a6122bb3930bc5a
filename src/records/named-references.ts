import type { z } from 'zod'
import type { Caller } from '../platform/caller.ts'
import type { Fields, NamedReference, RecordType, StoredColumns } from './record-type.ts'

/** The schema of a new record. It includes the fields that name another record by a value (`company_domain`). */
export function newInput({ input, named }: RecordType): z.ZodObject {
  return named ? extended(input, named).meta({ title: named.title }) : input
}

/** The input of a new record with more members. A record type with a named reference accepts it by id or by name. */
export const newInputWith = ({ input, named }: RecordType, more: z.core.$ZodLooseShape): z.ZodObject =>
  named ? extended(input, named, more) : input.extend(more)

function extended(
  input: z.ZodObject,
  { member, field, schema }: NamedReference,
  more: z.core.$ZodLooseShape = {},
): z.ZodObject {
  const isOne = (body: Fields) => typeof body[member] !== 'string' || typeof body[field] !== 'string'
  return input
    .extend({ [member]: schema, ...more })
    .refine(isOne, { path: [member], message: `send ${field} or ${member}, not both` })
}

/**
 * The columns in which the server found the reference by a value. null: the request has ids. A limited member may
 * get a reference to a record that the member does not see.
 */
export const foundByName = (
  { named }: RecordType,
  fields: Fields,
  state: StoredColumns,
): StoredColumns | null => (named && typeof fields[named.member] === 'string' ? state : null)

/** @throws DomainError forbidden if the caller names records by value, but may not create such records */
export function requireMayNameRecords(caller: Caller, { named }: RecordType, items: readonly Fields[]): void {
  if (named && items.some((fields) => typeof fields[named.member] === 'string')) named.admit(caller)
}

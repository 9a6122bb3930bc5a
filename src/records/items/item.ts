import { DomainError } from '../../platform/domain-error.ts'
import { ValidationError } from '../../platform/http/validation.ts'
import type { Fields, Stored, StoredColumns } from '../record-type.ts'
import type { Target } from '../targets.ts'

/** A record to create or, with `matchOn`, to upsert. */
export type NewItem = {
  fields: Fields
  matchOn?: string | undefined
  /** The columns of the new record, if the caller has read them already. */
  fresh?: StoredColumns
}

/** A write to the record with an id: a change of `fields`, or another action, which has no fields. */
export type ItemWithId = {
  recordId: string
  /** The required current version of the record. */
  version?: number | undefined
  action: 'change' | 'archive' | 'restore'
  fields: Fields
  /** If true, lists grow as in an upsert, and only fields that differ from the shown ones are written. */
  additive?: boolean
}

export type Item = NewItem | ItemWithId

/** A record before or after a write. */
export type Snapshot = Pick<Stored, 'state' | 'cluster'>

export type Updated = {
  outcome: 'updated'
  recordId: string
  version: number
  /** The id to which the write belongs: `recordId`, or the id of an absorbed record. */
  namedId: string
  before: Snapshot
  after: Snapshot
}

export type Written =
  | Updated
  | { outcome: 'created' | 'archived' | 'restored'; recordId: string; version: number }

/** An item that cannot be written, with the reason. */
export type Failed = { outcome: 'failed'; error: ValidationError | DomainError }

/** The write that an item asks for. */
type RequestedWrite = Pick<ItemWithId, 'action' | 'version' | 'fields' | 'additive'> & {
  outcome: null
  /** The record to write; null: a new record. */
  target: Target | null
}

/** An item, and the columns that it gives a new record. */
export type Plan = RequestedWrite & { fresh: StoredColumns }

/** The columns to store: for a new record, or as the change of `stored`. */
export type Draft = RequestedWrite & { stored: Stored | null; state: StoredColumns }

/** Returns the errors that concern only this item, and throws all others. */
export function attempt<Result>(work: () => Result): Result | Failed {
  try {
    return work()
  } catch (error) {
    if (error instanceof ValidationError || error instanceof DomainError) return { outcome: 'failed', error }
    throw error
  }
}

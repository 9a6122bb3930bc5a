import { DomainError } from '../../platform/domain-error.ts'
import { ValidationError } from '../../platform/http/validation.ts'
import type { Fields, StoredColumns, StoredRecord } from '../record-type.ts'
import type { Target } from '../targets.ts'

/** `matchOn` is set for an upsert. */
export type NewItem = {
  fields: Fields
  matchOn?: string | undefined
  /** The columns of the new record, if the caller has them. They are checked unless `matchOn` is set. */
  fresh?: StoredColumns
}

/** A change of `fields`, or an action, which has no fields. */
export type ItemWithId = {
  recordId: string
  version?: number | undefined
  action: 'change' | 'archive' | 'restore'
  fields: Fields
  /** true: lists grow as in an upsert, and only fields that differ from the shown ones are written. */
  additive?: boolean
}

export type Item = NewItem | ItemWithId

export type Snapshot = Pick<StoredRecord, 'state' | 'cluster'>

export type Updated = {
  outcome: 'updated'
  recordId: string
  version: number
  /** The id that the write belongs to: `recordId`, or the id of an absorbed record. */
  namedId: string
  before: Snapshot
  after: Snapshot
}

export type Written =
  | Updated
  | { outcome: 'created' | 'archived' | 'restored'; recordId: string; version: number }

export type Failed = { outcome: 'failed'; error: ValidationError | DomainError }

type RequestedWrite = Pick<ItemWithId, 'action' | 'version' | 'fields' | 'additive'> & {
  outcome: null
  target: Target | null
}

export type Plan = RequestedWrite & { fresh: StoredColumns }

export type Draft = RequestedWrite & { stored: StoredRecord | null; state: StoredColumns }

/** Returns an error that concerns only this item, and throws all others. */
export function catchItemError<Result>(work: () => Result): Result | Failed {
  try {
    return work()
  } catch (error) {
    if (error instanceof ValidationError || error instanceof DomainError) return { outcome: 'failed', error }
    throw error
  }
}

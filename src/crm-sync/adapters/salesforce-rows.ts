import { membersOf } from '../../platform/members.ts'
import { shorten } from '../../platform/outbound/answers.ts'
import { type RowOutcome, Unavailable } from './adapter.ts'
import { faultsOf, type Redact, type SalesforceFault } from './salesforce-answers.ts'

/** The answer for one record: its id, or the fault for which Salesforce refused it. */
export type UpsertedRow = { externalId: string; isCreated: boolean } | { fault: SalesforceFault }

/** Returns the next row of an answer. @throws Unavailable if there is none */
export function nextRow(rows: Iterator<UpsertedRow>): UpsertedRow {
  const next = rows.next()
  if (next.done) throw new Unavailable('Salesforce’s answer is incomplete')
  return next.value
}

/** Whether a retry of the row may succeed. */
export const isTransient = (row: UpsertedRow | undefined): boolean =>
  row !== undefined && 'fault' in row && transient.has(row.fault.code)

/** @param hide removes secrets from Salesforce’s messages */
export function outcomeOf(row: UpsertedRow, options: Options): RowOutcome {
  if ('fault' in row)
    return {
      outcome: 'failed',
      message: wordsOf(row.fault, options),
      isDuplicate: duplicates.has(row.fault.code),
    }
  return { outcome: row.isCreated ? 'created' : 'updated', externalId: row.externalId }
}

type Options = { keyField: string; allowDuplicates: boolean; hide: Redact }

function wordsOf(
  { code, message, fields }: SalesforceFault,
  { keyField, allowDuplicates, hide }: Options,
): string {
  const unnamed = fields.filter((field) => !message.includes(field))
  const about = unnamed.length > 0 ? ` (${unnamed.join(', ')})` : ''
  const isKey = code === 'DUPLICATE_VALUE' && message.includes(keyField)
  const hint = isKey ? keyTaken : code === 'DUPLICATES_DETECTED' ? duplicate(allowDuplicates) : hints[code]
  return shorten(hide(`${message || code || 'Salesforce refused it without a reason'}${about}${hint ?? ''}`))
}

/**
 * Faults that a retry may solve: another request was changing, deleting or creating the record. An upsert searches
 * before it locks (salesforce.stackexchange.com/questions/197382).
 */
const transient = new Set(['UNABLE_TO_LOCK_ROW', 'DUPLICATE_VALUE', 'ENTITY_IS_DELETED'])

/** Codes of a duplicate rule, or of a field that is unique in Salesforce. */
const duplicates = new Set(['DUPLICATES_DETECTED', 'DUPLICATE_VALUE'])

const keyTaken = ': a record that the user of the connection may not read or edit already has this id'
const duplicate = (isAllowed: boolean) =>
  isAllowed
    ? ': a duplicate rule of Salesforce blocks it, although the connection may create duplicates (allow_duplicates)'
    : ': Salesforce refused this person as a duplicate; merge the records there, or let the settings of the connection create such people (allow_duplicates)'
const hints: Readonly<Record<string, string>> = {
  UNABLE_TO_LOCK_ROW: ': another user was changing it, even during the retries: retry the job',
  CANNOT_UPDATE_CONVERTED_LEAD: ': this Lead was converted in Salesforce, and cannot be changed',
  INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST: ': the field accepts only the values of its list',
}

/** Reads one result of an upsert: `{id, success, created, errors}`. */
export function rowOf(value: unknown): UpsertedRow {
  const { id, success, created, errors } = membersOf(value)
  if (success === true && typeof id === 'string') return { externalId: id, isCreated: created === true }
  const [first = { code: '', message: '', fields: [] }, ...others] = faultsOf(errors)
  const message = [first, ...others].map((fault) => fault.message).filter(Boolean)
  return {
    fault: { ...first, message: message.join('; '), fields: [first, ...others].flatMap((f) => f.fields) },
  }
}

import type { ContactSearch, Pagination } from '../../../sdk/src/generated/types.ts'
import type { Api } from '../api/client.ts'
import type { IconName } from '../parts/icon.tsx'
import { noName } from '../parts/no-name.ts'
import { count } from '../parts/numbers.ts'
import { phoneWords } from '../parts/phone-number.ts'
import { companyFields, contactFields } from './base-fields.ts'
import { useOwnedFields } from './owners.ts'
import type { RecordField } from './record-field.ts'

/** A contact, a company or a deal. */
export type ShownRecord = {
  version: number
  tags: string[]
  custom: Record<string, unknown>
  external_ids: Record<string, string>
  merged_ids: string[]
  created_at: number
  updated_at: number
  archived_at: number | null
  [field: string]: unknown
}

type Options = { signal?: AbortSignal; ifMatch?: number; idempotencyKey?: string }

/** The result of one item of a batch. */
export type BatchOutcome = { index: number; outcome: string; detail?: unknown; code?: string | undefined }

/** The endpoints that all types of records have in common. */
export type RecordsApi = {
  search(
    body: Omit<ContactSearch, 'sort'> & { sort?: string | undefined },
    options?: Options,
  ): PromiseLike<{ data: ShownRecord[]; pagination: Pagination }>
  get(id: string, query?: object, options?: Options): PromiseLike<ShownRecord>
  create(body: object, options?: Options): PromiseLike<ShownRecord>
  update(id: string, body: object, options?: Options): PromiseLike<ShownRecord>
  archive(id: string, options?: Options): PromiseLike<ShownRecord>
  restore(id: string, options?: Options): PromiseLike<ShownRecord>
  erase(id: string, options?: Options): PromiseLike<unknown>
  batch(body: { items: object[] }, options?: Options): PromiseLike<BatchOutcome[]>
  batchRead(
    body: { ids: string[]; fields?: string[] },
    options?: Options,
  ): PromiseLike<{ requested: string; status: string; record: ShownRecord | null }[]>
}

/** A type of record that has pages: its names, its fields and its endpoints. */
export type RecordKind = {
  entity: 'contact' | 'company' | 'deal'
  /** The beginning of its permissions: `contacts:read`. */
  resource: 'contacts' | 'companies' | 'deals'
  path: '/people' | '/companies' | '/deals'
  idField: 'contact_id' | 'company_id' | 'deal_id'
  icon: IconName
  one: string
  many: string
  none: string
  /** A new record, for the sample of a request. */
  example: object
  apiOf: (api: Api) => RecordsApi
  /** A hook: the fields that all organizations have. */
  useFields: () => readonly RecordField[]
  /** The columns that a list shows until the person chooses others. The name comes first, and is not one of them. */
  columns: readonly string[]
  /** The second line of a row on a phone, and of the head of a record. */
  secondLine: (record: ShownRecord) => string
  nameOf: (record: ShownRecord) => string
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const hasName = ({ first_name: first, last_name: last }: ShownRecord): boolean => Boolean(first || last)

export const people: RecordKind = {
  entity: 'contact',
  resource: 'contacts',
  path: '/people',
  idField: 'contact_id',
  icon: 'people',
  one: 'person',
  many: 'people',
  none: 'Nobody',
  example: { first_name: 'Ada', email: 'ada@acme.example' },
  apiOf: ({ contacts }) => contacts as unknown as RecordsApi,
  useFields: () => useOwnedFields(contactFields),
  columns: ['company_name', 'job_title', 'email', 'phone', 'lifecycle_stage', 'updated_at'],
  secondLine: (record) =>
    textOf(record.company_name) || (hasName(record) ? textOf(record.email) : '') || textOf(record.job_title),
  nameOf: (record) =>
    [textOf(record.first_name), textOf(record.last_name)].filter(Boolean).join(' ') ||
    textOf(record.email) ||
    phoneWords(textOf(record.phone)) ||
    noName,
}

export const companies: RecordKind = {
  entity: 'company',
  resource: 'companies',
  path: '/companies',
  idField: 'company_id',
  icon: 'company',
  one: 'company',
  many: 'companies',
  none: 'No company',
  example: { name: 'Acme', domain: 'acme.example' },
  apiOf: ({ companies }) => companies as unknown as RecordsApi,
  useFields: () => useOwnedFields(companyFields),
  columns: ['domain', 'industry', 'employee_count', 'city', 'country', 'updated_at'],
  secondLine: (record) => textOf(record.domain) || textOf(record.industry),
  nameOf: (record) =>
    textOf(record.name) || textOf(record.domain) || phoneWords(textOf(record.phone)) || noName,
}

export const idOf = ({ idField }: RecordKind, record: ShownRecord): string => textOf(record[idField])

/** The value of a field, or of a member of `custom` or `consent`. A consent that is not known is no value. */
export function fieldValue(record: ShownRecord, name: string): unknown {
  const [object, ...rest] = name.split('.')
  if (object === 'custom') return record.custom[rest.join('.')]
  if (object !== 'consent') return record[name]
  const state = (record.consent as Record<string, unknown> | undefined)?.[rest.join('.')]
  return state === 'unknown' ? null : state
}

/** The body of a request that changes one field. */
export function changeOf(name: string, value: unknown): object {
  const [object, ...rest] = name.split('.')
  if (object === 'custom') return { custom: { [rest.join('.')]: value } }
  return object === 'consent' ? { consent: { [rest.join('.')]: value ?? 'unknown' } } : { [name]: value }
}

/** For example “People”. */
export const titleOf = ({ many }: RecordKind): string => many.charAt(0).toUpperCase() + many.slice(1)

/** For example “3 people”. */
export const countOf = ({ one, many }: RecordKind, n: number): string => `${count(n)} ${n === 1 ? one : many}`

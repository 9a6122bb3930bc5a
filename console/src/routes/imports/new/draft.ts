import type { DateOrder, DecimalSign, Inspection } from '../../../../../sdk/src/generated/types.ts'
import type { RecordField, ValueType } from '../../../records/record-field.ts'
import type { ImportedKind } from '../import-words.ts'
import { identifies, ignored, isShared, keyOf, misfitOf } from './targets.ts'

/** An import that is being prepared. */
export type Draft = {
  kind: ImportedKind
  file: File
  inspection: Inspection
  /** What each column becomes, in the order of the file. */
  targets: readonly string[]
  /** The key by which rows find existing records; empty: none. */
  matchOn: string
  /** The country of phone numbers without a country code; empty: that of the organization. */
  country: string
  /** The sign before the decimals of numbers; empty: not chosen. */
  decimalSign: '' | DecimalSign
  /** What comes first in days with slashes; empty: not chosen. */
  dateOrder: '' | DateOrder
  /** How the text is read; empty: the content decides. */
  encoding: string
}

/** The names by which a mapping calls the columns: the header, or the position if several columns share it. */
function namesOf({ columns }: Inspection): readonly string[] {
  const headers = columns.map(({ header }) => header)
  return headers.map((header, index) =>
    headers.filter((other) => other === header).length === 1 ? header : `#${index + 1}`,
  )
}

export function draftOf(kind: ImportedKind, file: File, inspection: Inspection, encoding: string): Draft {
  const names = namesOf(inspection)
  return {
    ...{ kind, file, inspection, encoding, country: '', decimalSign: '', dateOrder: '' },
    matchOn: inspection.match_on ?? '',
    targets: names.map((name) => inspection.mapping[name] ?? ignored),
  }
}

/** The draft after the same file was read with another encoding: what the person chose stays. */
export function rereadDraft(before: Draft, inspection: Inspection, encoding: string): Draft {
  const { kind, file, country, decimalSign, dateOrder } = before
  const next = draftOf(kind, file, inspection, encoding)
  if (next.targets.length !== before.targets.length) return next
  const offered = draftOf(kind, file, before.inspection, before.encoding)
  return {
    ...next,
    ...{ country, decimalSign, dateOrder },
    matchOn: before.matchOn === offered.matchOn ? next.matchOn : before.matchOn,
    targets: next.targets.map((target, index) => {
      const chosen = before.targets[index] ?? target
      return chosen === offered.targets[index] ? target : chosen
    }),
  }
}

/** The keys by which rows can find existing records: those for which a column has the value. */
export function matchesOf(
  { kind, targets }: Draft,
  fields: readonly RecordField[],
): readonly (readonly [key: string, words: string])[] {
  const has = (...wanted: string[]) => wanted.some((one) => targets.includes(one))
  const hasId = has('external_ids') || targets.some((target) => keyOf(target, 'external_id') !== null)
  return [
    ...(has(kind.idField) ? [[kind.idField, 'Crosswalk id'] as const] : []),
    ...(kind.entity === 'contact' && has('email', 'emails') ? [['email', 'e-mail address'] as const] : []),
    ...(kind.entity === 'company' && has('domain', 'domains', 'website')
      ? [['domain', 'domain'] as const]
      : []),
    ...(has('phone', 'phones') ? [['phone', 'phone number'] as const] : []),
    ...(hasId ? [['external_id', 'id in another system'] as const] : []),
    ...fields.flatMap(({ name, label, isUnique }) =>
      isUnique && has(name.replace('.', ':')) ? [[name, label] as const] : [],
    ),
  ]
}

/** The draft after a column got another target. If no column has the match key any more, rows match nothing. */
export function withTarget(
  draft: Draft,
  index: number,
  target: string,
  fields: readonly RecordField[],
): Draft {
  const next = { ...draft, targets: draft.targets.map((one, at) => (at === index ? target : one)) }
  const isMatched = matchesOf(next, fields).some(([key]) => key === next.matchOn)
  return isMatched ? next : { ...next, matchOn: '' }
}

/** The columns whose values become extra values if they do not fit. */
export const looseColumns = ({ inspection, targets }: Draft): readonly string[] =>
  inspection.columns.flatMap(({ header }, index) => (misfitOf(targets[index] ?? '') ? [header] : []))

export const hasPhones = ({ targets }: Draft): boolean =>
  targets.some((target) => target === 'phone' || target === 'phones')

/** Whether a column becomes one of the organization's own fields that has one of these types. */
export const hasType = (
  { targets }: Draft,
  fields: readonly RecordField[],
  ...types: readonly ValueType[]
): boolean =>
  fields.some(
    ({ name, type }) =>
      name.startsWith('custom.') && types.includes(type) && targets.includes(name.replace('.', ':')),
  )

/** For each column, why it cannot become what was chosen; null: it can. */
export function columnProblems({ targets, inspection }: Draft): readonly (string | null)[] {
  return targets.map((target, index) => {
    if (/^(custom|external_id):\s*$/.test(target)) return 'Type a name.'
    const other = isShared(target) ? -1 : targets.findIndex((one, at) => one === target && at !== index)
    if (other === -1) return null
    return `“${inspection.columns[other]?.header ?? ''}” becomes this too. Choose something else for one of them.`
  })
}

/** Whether a column has what a record needs. */
export const hasIdentity = ({ kind, targets }: Draft): boolean =>
  targets.some((target) => identifies(kind, target))

/** A query that is longer may be too long for a proxy. */
const mappingCharactersMax = 4_000

/** The options of the import, for the API. */
export function queryOf(draft: Draft, isCheck: boolean) {
  const { file, targets, matchOn, country, decimalSign, dateOrder, encoding, inspection } = draft
  const names = namesOf(inspection)
  const entries = names.map((name, index) => [name, targets[index] ?? ignored] as const)
  const all = JSON.stringify(Object.fromEntries(entries))
  // A very wide file: leave out the columns that go to `custom` without a mapping too.
  const changed = entries.filter(
    ([name, target], index) =>
      inspection.columns[index]?.field !== null || target !== inspection.mapping[name],
  )
  const mapping =
    encodeURIComponent(all).length <= mappingCharactersMax ? all : JSON.stringify(Object.fromEntries(changed))
  return {
    mapping,
    file_name: file.name.slice(-255),
    ...(isCheck && { dry_run: true }),
    ...(matchOn && { match_on: matchOn }),
    ...(country && { default_country: country }),
    ...(decimalSign && { decimal_sign: decimalSign }),
    ...(dateOrder && { date_order: dateOrder }),
    ...(encoding && inspection.format === 'csv' && { encoding }),
  }
}

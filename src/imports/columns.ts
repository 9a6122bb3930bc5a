import { type ExportSource, sourceField, sourceOf } from './export-sources.ts'
import { commonField, type Entity, headerKey, mappable } from './synonyms.ts'

/**
 * A field name, `full_name`, or a member of `custom` or `external_ids`; null if the mapping says
 * `ignore`.
 */
export type ColumnField = string | { custom: string } | { external_id: string } | null
/** The names of a defined field: its member of `custom`, and its label. */
export type DefinedName = { key: string; label: string }
export type Column = { header: string; field: ColumnField }

const plural = new Set(['email', 'emails', 'phone', 'phones', 'domain', 'domains', 'tags'])
const headersShown = 50
const headerShownMax = 100
const problemsMax = 20
/** No common header, and no label of a defined field, is longer. To normalize a long text takes quadratic time. */
const comparedMax = 120

/**
 * Finds the field of each column: from the mapping, else the exporting program's headers (`source`), else common
 * header names in several languages, else the keys and labels of `defined` fields. A column of ids goes to
 * `external_ids`, and every other column to `custom`, so that no value is lost. `detected` lists the recognized
 * columns. If there are no `problems`, the columns can be used.
 */
export function mapColumns(
  headers: string[],
  entity: Entity,
  mapping?: Record<string, string>,
  matchOn?: string,
  defined: readonly DefinedName[] = [],
): { columns: Column[]; detected: boolean[]; source: ExportSource | null; problems: string[] } {
  const names = headers.map((header, index) => nameOf(header, index))
  const problems: string[] = []
  const chosen =
    mapping === undefined
      ? names.map(() => undefined)
      : readMapping(names, entity, mapping, problems, matchOn)
  const source = sourceOf(names, entity)
  const fields = addCommonNames(names, entity, source, chosen, matchOn, defined)
  const detected = fields.map((field) => field !== undefined)
  return { columns: withCustom(names, fields), detected, source, problems }
}

function nameOf(header: string, index: number): string {
  const name = header.replace(/^\ufeff/, '').trim()
  // `__proto__` cannot be a key: assigning it adds no member.
  return name === '' || name === '__proto__' ? `column ${index + 1}` : name
}

/** Gives each column without a field its common field, unless another column has it. */
function addCommonNames(
  names: string[],
  entity: Entity,
  source: ExportSource | null,
  chosen: (ColumnField | undefined)[],
  matchOn: string | undefined,
  defined: readonly DefinedName[],
): (ColumnField | undefined)[] {
  const taken = new Set(chosen.map(placeOf))
  const keys = keysByName(defined)
  const exactKeys = new Set(defined.map(({ key }) => key))
  return names.map((name, index) => {
    if (chosen[index] !== undefined) return chosen[index]
    const field =
      readId(name, entity, matchOn) ??
      (source && sourceField(source, name, entity)) ??
      readMember(name, exactKeys, keys) ??
      readNamed(name, entity, keys)
    if (field === null) return undefined
    if (field === 'ignore') return null
    const custom = keys.get(plainKey(name))
    const choices = custom === undefined ? [field] : [field, { custom }]
    const free = choices.find((one) => plural.has(placeOf(one)) || !taken.has(placeOf(one)))
    if (free !== undefined) taken.add(placeOf(free))
    return free
  })
}

/** Returns the field of the record's id, if the rows match on it and the header names it. */
function readId(name: string, entity: Entity, matchOn: string | undefined): string | null {
  const id = idFieldOf(entity)
  return matchOn === id && headerKey(name) === headerKey(id) ? id : null
}

const idFieldOf = (entity: Entity) => `${entity}_id`

/** The header of a member of `custom`, as exports write it. `__proto__` cannot be a key. */
const customPrefix = /^custom\.(?!__proto__$)(.+)$/is

/** Keys may differ only in what `plainKey` ignores, so the exact key comes first. */
function readMember(
  name: string,
  exactKeys: ReadonlySet<string>,
  keys: ReadonlyMap<string, string>,
): ColumnField {
  const member = customPrefix.exec(name)?.[1]
  if (member === undefined) return null
  return { custom: exactKeys.has(member) ? member : (keys.get(plainKey(member)) ?? member) }
}

/**
 * A common header names its field. A header that could be any id, or that has a number, such as `Region 2`, first names a
 * defined field.
 */
function readNamed(name: string, entity: Entity, keys: ReadonlyMap<string, string>): ColumnField {
  const common = commonField(name, entity)
  if (common === null || common === 'external_id' || /\d/.test(name)) {
    const custom = keys.get(plainKey(name))
    if (custom !== undefined) return { custom }
  }
  return common === 'external_id' ? { external_id: name } : common
}

/** The keys of defined fields by their plain names. A key comes before a label, and an earlier field before a later one. */
function keysByName(defined: readonly DefinedName[]): Map<string, string> {
  const earliestLast = defined.toReversed()
  return new Map([
    ...earliestLast.map(({ key, label }) => [plainKey(label), key] as const),
    ...earliestLast.map(({ key }) => [plainKey(key), key] as const),
  ])
}

/** The letters and digits of a name in lower case: `Contract_Value` becomes `contractvalue`. */
const plainKey = (name: string): string =>
  name.length > comparedMax
    ? name
    : name
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]/gu, '') || name

/** Returns the part of a record that a column fills. */
function placeOf(field: ColumnField | undefined): string {
  return typeof field === 'string' ? field : JSON.stringify(field ?? null)
}

function withCustom(names: string[], fields: (ColumnField | undefined)[]): Column[] {
  // A column with a field uses its header too: values that do not fit the field go to `custom` under the header.
  const used = new Set(names.filter((_, index) => fields[index] !== undefined))
  for (const field of fields) if (isCustom(field)) used.add(field.custom)
  /** For each header, the number that its next column may get. A thousand columns may have the same header. */
  const nextNumber = new Map<string, number>()
  return names.map((header, index) => {
    const field = fields[index]
    if (field !== undefined) return { header, field }
    let [key, count] = [header, nextNumber.get(header) ?? 2]
    for (; used.has(key); count += 1) key = `${header} (${count})`
    nextNumber.set(header, count)
    used.add(key)
    return { header, field: { custom: key } }
  })
}

function isCustom(field: ColumnField | undefined): field is { custom: string } {
  return typeof field === 'object' && field !== null && 'custom' in field
}

function readMapping(
  names: string[],
  entity: Entity,
  mapping: Record<string, string>,
  problems: string[],
  matchOn: string | undefined,
): (ColumnField | undefined)[] {
  const fields: (ColumnField | undefined)[] = names.map(() => undefined)
  const usedBy = new Map<string, string>()
  const findHeader = headerFinder(names)
  for (const [given, target] of Object.entries(mapping)) {
    if (problems.length === problemsMax) break
    const header = nameOf(given, -1)
    const shown = shownHeader(header)
    const indexes = findHeader(header)
    if (indexes.length === 0) {
      problems.push(`The mapping names "${shown}", which is not a column of this file. ${listOfNames(names)}`)
      continue
    }
    const named = indexes.find((index) => fields[index] !== undefined)
    if (named !== undefined) {
      problems.push(`The mapping names column ${named + 1} twice, once as "${shown}".`)
      continue
    }
    const field = readTarget(target.trim(), entity, matchOn)
    if (field === undefined) {
      problems.push(
        `The mapping sends "${shown}" to "${target}", which is not a field. The fields are ` +
          `${mappable[entity].join(', ')}, external_id:<source>, custom:<key> and ignore.` +
          (target.trim() === idFieldOf(entity) ? ` ${target.trim()} needs match_on=${target.trim()}.` : ''),
      )
      continue
    }
    const place = JSON.stringify(field)
    const other = usedBy.get(place) ?? (indexes.length > 1 ? header : undefined)
    if (other !== undefined && field !== null && !(typeof field === 'string' && plural.has(field))) {
      problems.push(
        `The mapping sends more than one column to "${target}": "${shownHeader(other)}" and "${shown}". ` +
          'Only e-mail, phone, domain and tag fields can have several columns. ' +
          'Name columns with the same header by position: "#1" is the first column.',
      )
    }
    usedBy.set(place, header)
    for (const index of indexes) fields[index] = field
  }
  return fields
}

/**
 * Finds columns by the exact header, else by a position such as `#3`, else by the only header that differs in case
 * and spaces.
 */
function headerFinder(names: string[]): (header: string) => number[] {
  const indexes = names.map((_, index) => index)
  const exact = Map.groupBy(indexes, (index) => names[index])
  const near = Map.groupBy(indexes, (index) => plainOf(names[index] ?? ''))
  return (header) => {
    const found = exact.get(header)
    if (found) return found
    const position = Number(/^#(\d{1,4})$/.exec(header)?.[1] ?? 0)
    if (position > 0) return position <= names.length ? [position - 1] : []
    const alike = near.get(plainOf(header)) ?? []
    return alike.length === 1 ? alike : []
  }
}

function plainOf(name: string): string {
  if (name.length > comparedMax) return name
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
}

/** Returns the sentence that lists the columns of a file. */
export function listOfNames(names: readonly string[]): string {
  const more = names.length > headersShown ? `, and ${names.length - headersShown} more` : ''
  return `Its columns are ${names
    .slice(0, headersShown)
    .map((name) => `"${shownHeader(name)}"`)
    .join(', ')}${more}.`
}

/** A header as messages show it: at most 100 characters. */
export const shownHeader = (header: string): string =>
  header.length <= headerShownMax ? header : `${header.slice(0, headerShownMax - 1).toWellFormed()}…`

function readTarget(target: string, entity: Entity, matchOn: string | undefined): ColumnField | undefined {
  if (target === 'ignore') return null
  if (target === matchOn && target === idFieldOf(entity)) return target
  if (mappable[entity].includes(target)) return target
  const [, kind, key] = /^(external_id|custom):(.+)$/s.exec(target) ?? []
  if (kind === undefined || key === undefined || key.trim() === '' || key.trim() === '__proto__')
    return undefined
  return kind === 'custom' ? { custom: key.trim() } : { external_id: key.trim() }
}

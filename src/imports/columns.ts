import { commonField, type Entity, mappable } from './synonyms.ts'

/** `null`: the user said to leave it out. A plain string is a field of the contact or company, or `full_name`. */
export type ColumnField = string | { custom: string } | { external_id: string } | null
export type Column = { header: string; field: ColumnField }

// Fields that several columns may fill.
const plural = new Set(['email', 'emails', 'phone', 'phones', 'domain', 'domains', 'tags'])
const headersShown = 50

/**
 * What each column of a file is. By common header names in several languages, whatever their case and punctuation;
 * ids of the record elsewhere go to `external_ids` under the header. A mapping (`{"<header>": "<field>"}`) goes before
 * that for the columns that it names. Every other column goes to `custom` under its header, so that
 * nothing is lost; a column without a header is called `column <n>`, a second use of a name `<name> (2)`.
 * `problems` are in words, and empty when the columns can be used.
 */
export function mapColumns(
  headers: string[],
  entity: Entity,
  mapping?: Record<string, string>,
): { columns: Column[]; problems: string[] } {
  const names = headers.map((header, index) => nameOf(header, index))
  const problems: string[] = []
  const chosen =
    mapping === undefined ? names.map(() => undefined) : readMapping(names, entity, mapping, problems)
  return { columns: withCustom(names, addCommonNames(names, entity, chosen)), problems }
}

function nameOf(header: string, index: number): string {
  const name = header.replace(/^\ufeff/, '').trim()
  // An object cannot have a key of that name.
  return name === '' || name === '__proto__' ? `column ${index + 1}` : name
}

/** What was chosen, and for the other columns what their name commonly means, if no column has that field yet. */
function addCommonNames(
  names: string[],
  entity: Entity,
  chosen: (ColumnField | undefined)[],
): (ColumnField | undefined)[] {
  const taken = new Set(chosen.map(slotOf))
  return names.map((name, index) => {
    if (chosen[index] !== undefined) return chosen[index]
    const common = commonField(name, entity)
    if (common === null) return undefined
    const field = common === 'external_id' ? { external_id: name } : common
    const slot = slotOf(field)
    if (taken.has(slot) && !plural.has(slot)) return undefined
    taken.add(slot)
    return field
  })
}

/** The place in a record that a column fills. */
function slotOf(field: ColumnField | undefined): string {
  return typeof field === 'string' ? field : JSON.stringify(field ?? null)
}

function withCustom(names: string[], fields: (ColumnField | undefined)[]): Column[] {
  // A field that cannot take a value leaves it in `custom` under the header, so that header is in use as well.
  const used = new Set(names.filter((_, index) => fields[index] !== undefined))
  for (const field of fields) if (isCustom(field)) used.add(field.custom)
  return names.map((header, index) => {
    const field = fields[index]
    if (field !== undefined) return { header, field }
    let key = header
    for (let count = 2; used.has(key); count += 1) key = `${header} (${count})`
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
): (ColumnField | undefined)[] {
  const fields: (ColumnField | undefined)[] = names.map(() => undefined)
  const usedBy = new Map<string, string>()
  const findHeader = headerFinder(names)
  for (const [given, target] of Object.entries(mapping)) {
    const header = nameOf(given, -1)
    const indexes = findHeader(header)
    if (indexes.length === 0) {
      problems.push(`The mapping names "${header}", which is no column of this file. ${listOf(names)}`)
      continue
    }
    const field = readTarget(target.trim(), entity)
    if (field === undefined) {
      problems.push(
        `The mapping sends "${header}" to "${target}", which is no field. The fields are ` +
          `${mappable[entity].join(', ')}, external_id:<source>, custom:<key> and ignore.`,
      )
      continue
    }
    const slot = JSON.stringify(field)
    const other = usedBy.get(slot) ?? (indexes.length > 1 ? header : undefined)
    if (other !== undefined && field !== null && !(typeof field === 'string' && plural.has(field))) {
      problems.push(
        `The mapping sends more than one column to "${target}": "${other}" and "${header}". ` +
          'Only e-mail, phone, domain and tag columns may be several.',
      )
    }
    usedBy.set(slot, header)
    for (const index of indexes) fields[index] = field
  }
  return fields
}

/** Finds the columns of that very name, else the one whose name differs in case and spaces only. */
function headerFinder(names: string[]): (header: string) => number[] {
  const indexes = names.map((_, index) => index)
  const exact = Map.groupBy(indexes, (index) => names[index])
  const near = Map.groupBy(indexes, (index) => plainOf(names[index]!))
  return (header) => {
    const found = exact.get(header)
    if (found) return found
    const alike = near.get(plainOf(header)) ?? []
    return alike.length === 1 ? alike : []
  }
}

function plainOf(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
}

function listOf(names: string[]): string {
  const more = names.length > headersShown ? `, and ${names.length - headersShown} more` : ''
  return `Its columns are ${names
    .slice(0, headersShown)
    .map((name) => `"${name}"`)
    .join(', ')}${more}.`
}

function readTarget(target: string, entity: Entity): ColumnField | undefined {
  if (target === 'ignore') return null
  if (mappable[entity].includes(target)) return target
  const [, kind, key] = /^(external_id|custom):(.+)$/s.exec(target) ?? []
  if (kind === undefined || key === undefined || key.trim() === '' || key.trim() === '__proto__')
    return undefined
  return kind === 'custom' ? { custom: key.trim() } : { external_id: key.trim() }
}

import type { SentStatement } from './capture.ts'

/** The statements that the bare handler runs. `names` are the texts that identified objects in the captured request. */
export type Program = { statements: SentStatement[]; names: string[]; fresh: string[] }

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const inRequest = new RegExp(`${uuid.source}|(?<=/)\\d+|[\\w.-]+@[\\w.-]+`, 'g')

/** The texts in a request that identify objects (ids and e-mail addresses), in order. */
export const namesIn = (path: string, body: string): string[] => `${path} ${body}`.match(inRequest) ?? []

/** The ids that a server created during a request that arrived at `sinceMs`. */
export function freshIds(statements: readonly SentStatement[], sinceMs: number): string[] {
  const binary = statements.flatMap(({ values }) => values.flatMap(idsInArray))
  const ids = [...(JSON.stringify(statements).match(uuid) ?? []), ...binary]
  return [...new Set(ids)].filter((id) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) >= sinceMs)
}

const uuidOid = 2950
const microsecondsTo2000 = 946_684_800_000_000n

/** How PostgreSQL's text of the elements of a binary array follows from their bytes, by the oid of the type. */
const elementTexts: Readonly<Record<number, (bytes: Buffer) => string>> = {
  20: (bytes) => String(bytes.readBigInt64BE()),
  21: (bytes) => String(bytes.readInt16BE()),
  25: (bytes) => JSON.stringify(String(bytes)),
  1184: (bytes) => new Date(Number((bytes.readBigInt64BE() + microsecondsTo2000) / 1_000n)).toISOString(),
  [uuidOid]: (bytes) => asUuid(bytes.toString('hex')),
}

/** The elements of a binary array (platform/db/binary-array.ts) as text; null for other values. */
export function elementsOf(value: unknown): { oid: number; texts: string[] } | null {
  if (!Buffer.isBuffer(value) || value.length < 12 || value.readInt32BE(0) > 1) return null
  const oid = value.readInt32BE(8)
  const textOf = elementTexts[oid]
  if (!textOf) return null
  const texts: string[] = []
  for (let at = 20; at + 4 <= value.length; ) {
    const length = value.readInt32BE(at)
    texts.push(length === -1 ? 'null' : textOf(value.subarray(at + 4, at + 4 + length)))
    at += 4 + Math.max(0, length)
  }
  return { oid, texts }
}

/** The ids in a binary array of UUIDs. */
function idsInArray(value: unknown): string[] {
  const elements = elementsOf(value)
  return elements?.oid === uuidOid ? elements.texts : []
}

const asUuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** A copy of `value` with other ids and names, also in binary arrays. */
export function replaced(value: unknown, by: ReadonlyMap<string, string>): unknown {
  if (Buffer.isBuffer(value)) return withOtherIds(value, by)
  if (Array.isArray(value)) return value.map((each) => replaced(each, by))
  if (typeof value !== 'string') return value
  let text = value
  for (const [from, to] of by) {
    // The digits of a number can also be a part of a UUID.
    if (/^\d+$/.test(from)) text = text === from ? to : text
    else if (text.includes(from)) text = text.replaceAll(from, to)
  }
  return text
}

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')

function withOtherIds(value: Buffer, by: ReadonlyMap<string, string>): Buffer {
  const copy = Buffer.from(value)
  for (const [from, to] of by) {
    const [old, id] = [bytesOf(from), bytesOf(to)]
    if (old.length !== 16 || id.length !== 16) continue
    for (let at = copy.indexOf(old); at !== -1; at = copy.indexOf(old, at + 16)) id.copy(copy, at)
  }
  return copy
}

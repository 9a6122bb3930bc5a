import type { z } from 'zod'
import { JsonColumns } from '../platform/db/json-columns.ts'
import { field } from '../platform/http/fields.ts'
import { notAList, Refusal } from '../platform/http/refusal.ts'
import { unknownField } from './filters/read-json.ts'
import type { RecordType } from './record-type.ts'

const textMax = 1000

/** Accepts names with commas between them, or a list of names. */
export const shownFields = (
  { members, idField }: RecordType,
  form: 'text' | 'list',
): z.ZodType<string[], unknown> =>
  field<string[]>(
    (value) => {
      const names = typeof value === 'string' && form === 'text' ? value.slice(0, textMax).split(',') : value
      if (!Array.isArray(names)) return notAList
      const asked = new Set(names.map((name) => (typeof name === 'string' ? name.trim() : '')))
      const unknown = [...asked].find((name) => !Object.hasOwn(members, name))
      if (unknown !== undefined || asked.size === 0) return noField(unknown ?? '', idField, members)
      // The fields have the order of the record, not of the request.
      return Object.keys(members).filter((name) => asked.has(name))
    },
    form === 'text'
      ? { type: 'string', maxLength: textMax }
      : { type: 'array', items: { type: 'string' }, minItems: 1 },
  )

function noField(name: string, idField: string, members: object): Refusal {
  // Several names end with `id`. For `id`, suggest the name of the record's own id.
  const { type, msg, ctx } = unknownField(
    name === 'id' ? `${idField}s` : name,
    members as Record<string, unknown>,
  )
  return new Refusal(type, `${msg} (${name.slice(0, 100)})`, ctx)
}

const made = new WeakMap<RecordType, Map<string, JsonColumns>>()
const madeMax = 200

/** Returns the JSON columns of a record with only the fields `names`. */
export function jsonColumnsOf(type: RecordType, names: readonly string[]): JsonColumns {
  const known = made.get(type) ?? new Map<string, JsonColumns>()
  made.set(type, known)
  const key = names.join()
  const wire =
    known.get(key) ??
    new JsonColumns(
      'r',
      Object.fromEntries(names.flatMap((name) => (type.members[name] ? [[name, type.members[name]]] : []))),
    )
  if (known.size < madeMax) known.set(key, wire)
  return wire
}

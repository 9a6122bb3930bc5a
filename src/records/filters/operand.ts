import type { z } from 'zod'
import { list } from '../../platform/http/collections.ts'
import { boolean, text } from '../../platform/http/fields.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { FilterField } from '../record-type.ts'
import { type Operator, operators } from './tree.ts'

const valuesMax = 100

const truth = boolean()
const start = text({ min: 1, max: 1000 })
const lists = new WeakMap<z.ZodType, z.ZodType>()

/** The schema of the value that a filter is compared with. */
export function operandSchema({ schema }: FilterField, op: Operator): z.ZodType {
  if (op === 'is_null') return truth
  if (op === 'starts_with') return start
  if (op !== 'in') return schema
  const known = lists.get(schema) ?? list(schema, { min: 1, max: valuesMax })
  lists.set(schema, known)
  return known
}

/** Returns the operator, or the reason why the field does not have it. */
export function readOperator(
  name: string,
  { operators: own }: FilterField,
  field: string,
): Operator | Refusal {
  const op = operators.find((each) => each === name)
  if (op && own.includes(op)) return op
  const expected = own.join(', ')
  return new Refusal('value_error', `Value error, ${field} has the operators ${expected}`, { expected })
}

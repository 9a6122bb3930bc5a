import { membersOf } from '../../platform/members.ts'
import { type CrmField, type CrmValues, Unavailable } from './adapter.ts'
import { textOf } from './salesforce-answers.ts'

/** The parts of a field’s description that are used (developer.salesforce.com, DescribeSObjectResult). */
type Field = {
  name: string
  type: string
  length: number
  isNillable: boolean
  isDefaulted: boolean
  isCreateable: boolean
  isUpdateable: boolean
  isExternalId: boolean
  isUnique: boolean
}

export type SObject = { isCreateable: boolean; isUpdateable: boolean; fields: Field[] }

const keyLength = 36

/** @throws Unavailable if `json` is not Salesforce's description of an object */
export function sobjectOf(json: unknown): SObject {
  const { fields, createable, updateable } = membersOf(json)
  if (!Array.isArray(fields)) throw new Unavailable('Salesforce’s answer is incomplete')
  return { isCreateable: createable === true, isUpdateable: updateable === true, fields: fields.map(fieldOf) }
}

function fieldOf(value: unknown): Field {
  const { name, type, length, ...flags } = membersOf(value)
  const is = (flag: string) => flags[flag] === true
  return {
    ...{ name: textOf(name), type: textOf(type) },
    length: typeof length === 'number' ? length : 0,
    ...{ isNillable: is('nillable'), isDefaulted: is('defaultedOnCreate') },
    ...{ isCreateable: is('createable'), isUpdateable: is('updateable') },
    ...{ isExternalId: is('externalId'), isUnique: is('unique') },
  }
}

/** The types of fields whose values are not texts in Crosswalk. */
export const valuesOf: ReadonlyMap<string, CrmValues> = new Map([
  ...(['double', 'currency', 'percent', 'int'] as const).map((type) => [type, 'number'] as const),
  ...(['boolean', 'date', 'datetime'] as const).map((type) => [type, type] as const),
])

/** The fields of an object, with what Salesforce says about writing them. */
export const fieldsOf = ({ fields }: SObject): CrmField[] =>
  fields.map(({ name, type, isNillable, isDefaulted, isCreateable, isUpdateable }) => ({
    name,
    values: valuesOf.get(type),
    required: isCreateable && !isNillable && !isDefaulted,
    writable: isCreateable && isUpdateable,
  }))

/** Returns the changes that Salesforce needs before a push; empty if it needs none. */
export function problemsOf({ fields, ...object }: SObject, name: string, keyField: string): string[] {
  const problems: string[] = []
  if (!object.isCreateable || !object.isUpdateable)
    problems.push(
      `The user of this connection may not create and edit ${name}s in Salesforce: give them Create and Edit on ${name} (profile or permission set).`,
    )
  const field = fields.find((each) => each.name === keyField)
  const where = `Setup, Object Manager, ${name}, Fields & Relationships`
  if (!field) {
    const other = fields.find((each) => each.name.toLowerCase() === keyField.toLowerCase())
    problems.push(
      other
        ? `${name} has no field ${keyField} in Salesforce, but a field ${other.name}: set settings.external_id_field to that name.`
        : `${name} has no field ${keyField} in Salesforce that the user of this connection can see. Create it (${where}, New: Text of ${keyLength}, with Unique and External ID), and make it visible and editable for them; or name another in settings.external_id_field.`,
    )
    return problems
  }
  const { type, length, isExternalId, isUnique, isCreateable, isUpdateable } = field
  const lacks = [
    ...(type === 'string' && length >= keyLength ? [] : [`a Text of at least ${keyLength} characters`]),
    ...(isExternalId ? [] : ['an External ID']),
    ...(isUnique ? [] : ['unique']),
  ]
  if (lacks.length > 0)
    problems.push(
      `The field ${keyField} of ${name}, which keeps Crosswalk ids in Salesforce, has to be ${lacks.join(' and ')}: change it (${where}).`,
    )
  if (!isCreateable || !isUpdateable)
    problems.push(
      `The user of this connection may not write ${keyField} of ${name} in Salesforce: let them edit it (field-level security of the field).`,
    )
  return problems
}

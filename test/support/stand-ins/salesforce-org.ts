import type { StubAnswer } from './server.ts'

type Field = {
  name: string
  label: string
  type: 'id' | 'string' | 'email' | 'phone' | 'picklist' | 'boolean' | 'double' | 'reference'
  length: number
  nillable: boolean
  defaultedOnCreate: boolean
  createable: boolean
  updateable: boolean
  externalId: boolean
  unique: boolean
  restrictedPicklist: boolean
  picklistValues: { value: string; label: string; active: boolean; defaultValue: boolean }[]
}
type SObject = { createable: boolean; updateable: boolean; fields: Field[] }
type Stored = Record<string, unknown> & { Id: string }
type RowFault = { statusCode: string; message: string; fields: string[] }
export type Row = { id?: string; success: boolean; created?: boolean; errors: RowFault[] }

function field(name: string, length: number, more: Partial<Field> = {}): Field {
  return {
    ...{
      name,
      label: name.replace(/__c$/, '').replaceAll(/([a-z])([A-Z])/g, '$1 $2'),
      type: 'string',
      length,
    },
    ...{ nillable: true, defaultedOnCreate: false, createable: true, updateable: true },
    ...{ externalId: false, unique: false, restrictedPicklist: false, picklistValues: [] },
    ...more,
  }
}
const readOnly = { createable: false, updateable: false, nillable: false, defaultedOnCreate: true }
const picklist = (name: string, values: string[], more: Partial<Field> = {}): Field =>
  field(name, 255, {
    ...{ type: 'picklist' },
    picklistValues: values.map((value) => ({ value, label: value, active: true, defaultValue: false })),
    ...more,
  })
const keyField = (): Field => field('Crosswalk_Id__c', 36, { externalId: true, unique: true })

/** Standard fields, with their lengths in the Object Reference. */
const common = (): Field[] => [
  field('Id', 18, { ...readOnly, type: 'id' }),
  field('FirstName', 40),
  field('LastName', 80, { nillable: false }),
  field('Email', 80, { type: 'email' }),
  field('Phone', 40, { type: 'phone' }),
  field('Title', 128),
  field('OwnerId', 18, { type: 'reference', nillable: false, defaultedOnCreate: true }),
  field('IsDeleted', 0, { ...readOnly, type: 'boolean' }),
  picklist('LeadSource', ['Web', 'Phone Inquiry', 'Other'], { restrictedPicklist: true }),
  field('Score__c', 0, { type: 'double' }),
  keyField(),
]
const leadFields = (): Field[] => [
  ...common(),
  ...[
    field('Company', 255, { nillable: false }),
    field('City', 40),
    field('State', 80),
    field('Country', 80),
  ],
  picklist('Status', ['Open', 'Working'], { nillable: false, defaultedOnCreate: true }),
]
const contactFields = (): Field[] => [
  ...common(),
  ...[field('MailingCity', 40), field('MailingState', 80), field('MailingCountry', 80)],
]

let made = 0

/** A Salesforce org: objects, records, rules and limits. */
export class SalesforceOrg {
  readonly id: string = `00D${String(++made).padStart(12, '0')}AAA`
  readonly objects: Record<string, SObject> = {
    Lead: { createable: true, updateable: true, fields: leadFields() },
    Contact: { createable: true, updateable: true, fields: contactFields() },
  }
  readonly records: Record<string, Stored[]> = { Lead: [], Contact: [] }
  readonly batches: number[] = []
  /** The refusals of the next requests for records, in order. */
  readonly refusals: StubAnswer[] = []
  /** The next faults of a row, by its e-mail address. */
  readonly rowFaults = new Map<string, RowFault[]>()
  /** Addresses that a duplicate rule matches. `blocks`: the rule does not allow to save them anyway. */
  readonly duplicates = new Map<string, 'alerts' | 'blocks'>()
  /** Whether a duplicate rule matches new records by address. */
  matchesAddresses = false
  /** The records before the current save, with which duplicate rules compare. */
  comparable: Record<string, Stored[]> = {}
  /** How long a save takes in milliseconds. */
  saveMs = 0
  /** The URL that the sign-in returns; null: the real URL. */
  instanceUrl: string | null = null
  usedRequests = 0
  /** How many requests are allowed in 24 hours. */
  mostRequests = 100_000
  /** Whether a sign-in returns a new refresh token and invalidates the old one. */
  rotatesTokens = false
  /** Fields that a flow empties in new records. */
  readonly clears = new Set<string>()
  signIns = 0

  fieldOf(object: string, name: string): Field {
    return this.objects[object]!.fields.find((each) => each.name === name)!
  }

  dropField(object: string, name: string): void {
    const { fields } = this.objects[object]!
    fields.splice(fields.indexOf(this.fieldOf(object, name)), 1)
  }

  changeField(object: string, name: string, more: Partial<Field>): void {
    Object.assign(this.fieldOf(object, name), more)
  }

  addField(object: string, name: string, more: Partial<Field>): void {
    this.objects[object]!.fields.push(field(name, 255, more))
  }

  leadOf(email: string): Stored | undefined {
    return this.records.Lead!.find((record) => record.Email === email)
  }

  upsert(object: string, key: string, record: Record<string, unknown>, allowSave: boolean): Row {
    const fault = this.#faultOf(object, key, record, allowSave)
    if (fault) return { success: false, errors: [fault] }
    const records = this.records[object]!
    const known = records.find((each) => each[key] === record[key])
    if (known) {
      Object.assign(known, record)
      return { id: known.Id, success: true, created: false, errors: [] }
    }
    const prefix = object === 'Lead' ? '00Q' : '003'
    const Id = `${prefix}${this.id.slice(6, 15)}${(++made).toString(36).padStart(6, '0').toUpperCase()}`
    const kept = Object.entries(record).filter(([name]) => !this.clears.has(name))
    records.push({ Id, IsDeleted: false, ...Object.fromEntries(kept) })
    return { id: Id, success: true, created: true, errors: [] }
  }

  #faultOf(
    object: string,
    key: string,
    record: Record<string, unknown>,
    allowSave: boolean,
  ): RowFault | undefined {
    const ordered = this.rowFaults.get(String(record.Email))?.shift()
    if (ordered) return ordered
    const known = this.records[object]!.find((each) => each[key] === record[key])
    const after: Record<string, unknown> = { ...known, ...record }
    for (const { name, label, length, nillable, defaultedOnCreate, ...each } of this.objects[object]!
      .fields) {
      const value = after[name]
      const refuse = (statusCode: string, message: string) => ({ statusCode, message, fields: [name] })
      if (!nillable && !defaultedOnCreate && each.createable && (value ?? '') === '')
        return refuse('REQUIRED_FIELD_MISSING', `Required fields are missing: [${name}]`)
      if (each.type === 'boolean' && value === null)
        return refuse('INVALID_TYPE_ON_FIELD_IN_RECORD', `${label}: value not of required type: `)
      if (typeof value !== 'string') continue
      if (length > 0 && value.length > length)
        return refuse('STRING_TOO_LONG', `${label}: data value too large: ${value} (max length=${length})`)
      if (each.restrictedPicklist && !each.picklistValues.some((option) => option.value === value))
        return refuse(
          'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
          `${label}: bad value for restricted picklist field: ${value}`,
        )
      if (each.type === 'email' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value))
        return refuse('INVALID_EMAIL_ADDRESS', `${label}: invalid email address: ${value}`)
    }
    const hasTwin =
      this.matchesAddresses && this.comparable[object]!.some(({ Email }) => Email && Email === record.Email)
    const rule = this.duplicates.get(String(record.Email)) ?? (hasTwin ? 'alerts' : undefined)
    if (!known && rule && !(allowSave && rule === 'alerts'))
      return { statusCode: 'DUPLICATES_DETECTED', message: 'Use one of these records?', fields: [] }
    return undefined
  }
}

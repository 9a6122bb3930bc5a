import { randomBytes } from 'node:crypto'
import { type Said, type Seen, StandInServer } from './server.ts'

type Values = Record<string, unknown>
export type EspoRecord = Values & { id: string; createdAt: string; deleted?: boolean }

const person = {
  name: { type: 'personName' },
  salutationName: { type: 'enum', options: ['', 'Mr.', 'Ms.'] },
  firstName: { type: 'varchar', maxLength: 100 },
  lastName: { type: 'varchar', maxLength: 100, required: true },
  emailAddress: { type: 'email' },
  phoneNumber: { type: 'phone', typeList: ['Mobile', 'Office'] },
  address: { type: 'address' },
  addressCity: { type: 'varchar', maxLength: 100 },
  addressState: { type: 'varchar', maxLength: 100 },
  addressCountry: { type: 'varchar', maxLength: 100 },
  createdAt: { type: 'datetime', readOnly: true },
  assignedUser: { type: 'link' },
  crosswalkId: { type: 'varchar', maxLength: 36, isCustom: true },
}

type Field = { type: string; maxLength?: number; options?: string[]; required?: boolean; readOnly?: boolean }

/** Espo\Core\Exceptions\Error: the reason in a header, and sometimes a body. */
export const espoError = (status: number, reason = '', body: unknown = ''): Said => ({
  ...{ status, body },
  ...(reason === '' ? {} : { headers: { 'x-status-reason': reason } }),
})

export const forbidden = (): Said => espoError(403, "No create access for 'Lead'.")

/** EspoCRM makes it of the two at each change. */
const nameOf = ({ firstName, lastName }: Values) => [firstName, lastName].filter(Boolean).join(' ')

/** Leads and Contacts of EspoCRM 7.5 and later, as its REST API answers. */
export class EspoStandIn {
  readonly server = new StandInServer((request) => this.#answer(request))
  readonly apiKey: string
  readonly fields: Record<string, Record<string, Field>> = {
    Lead: {
      ...structuredClone(person),
      accountName: { type: 'varchar', maxLength: 255 },
      title: { type: 'varchar', maxLength: 100 },
      status: { type: 'enum', options: ['New', 'Assigned', 'Dead'], required: false },
    },
    Contact: structuredClone(person),
  }
  readonly records: Record<string, Map<string, EspoRecord>> = { Lead: new Map(), Contact: new Map() }
  /** What is answered instead of what would be done, once each and in this order, by `METHOD /path`. */
  readonly refusals: { on: RegExp; said: Said }[] = []
  #made = 0

  private constructor(apiKey: string) {
    this.apiKey = apiKey
  }

  static async start({ apiKey = 'espocrm-api-key-of-a-test' } = {}): Promise<EspoStandIn> {
    const standIn = new EspoStandIn(apiKey)
    await standIn.server.listen()
    return standIn
  }

  get credentials(): { url: string; api_key: string } {
    return { url: this.server.url, api_key: this.apiKey }
  }

  /** Records that nobody deleted. */
  all(entity = 'Lead'): EspoRecord[] {
    return [...this.records[entity]!.values()].filter(({ deleted }) => !deleted)
  }

  /** How many there are with a key, by key. */
  perKey(entity = 'Lead', keyField = 'crosswalkId'): Map<string, number> {
    const counts = new Map<string, number>()
    for (const record of this.all(entity)) {
      const key = String(record[keyField])
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  }

  add(entity: string, values: Values): EspoRecord {
    // In hexadecimal, of 17 places.
    const id = (++this.#made).toString(16).padStart(4, '0') + randomBytes(7).toString('hex').slice(0, 13)
    const record = {
      ...values,
      name: nameOf(values),
      id,
      createdAt: new Date().toISOString().slice(0, 19).replace('T', ' '),
    }
    this.records[entity]!.set(id, record)
    return record
  }

  #answer({ method, path, query, headers, body }: Seen): Said {
    if (headers['x-api-key'] !== this.apiKey) return espoError(401)
    const at = this.refusals.findIndex(({ on }) => on.test(`${method} ${path}`))
    if (at >= 0) return this.refusals.splice(at, 1)[0]!.said
    const [, entity = '', id] = /^\/api\/v1\/(\w+)(?:\/([\w-]+))?$/.exec(path) ?? []
    if (entity === 'Metadata') {
      const [, named = ''] = /^entityDefs\.(\w+)$/.exec(query.get('key') ?? '') ?? []
      return { status: 200, body: this.fields[named] ? { fields: this.fields[named], links: {} } : null }
    }
    const records = this.records[entity]
    if (!records) return espoError(404, `Entity '${entity}' does not exist.`)
    if (method === 'GET') return this.#list(entity, query)
    const values = JSON.parse(body) as Values
    const known = id === undefined ? undefined : records.get(id)
    if (id !== undefined && (!known || known.deleted)) return espoError(404, `Record ${id} does not exist.`)
    const invalid = this.#check(entity, { ...known, ...values })
    if (invalid) return invalid
    if (known) {
      Object.assign(known, values)
      known.name = nameOf(known)
      return { status: 200, body: known }
    }
    if (headers['x-skip-duplicate-check'] !== 'true') {
      const twins = this.all(entity).filter(
        ({ emailAddress, name }) =>
          (emailAddress && emailAddress === values.emailAddress) || (name && name === nameOf(values)),
      )
      if (twins.length > 0) return espoError(409, 'duplicate', twins)
    }
    return { status: 200, body: this.add(entity, this.#kept(entity, values)) }
  }

  /** What has no field is dropped without a word. */
  #kept(entity: string, values: Values): Values {
    return Object.fromEntries(Object.entries(values).filter(([name]) => this.fields[entity]![name]))
  }

  #list(entity: string, query: URLSearchParams): Said {
    const attribute = query.get('where[0][attribute]') ?? ''
    if (query.get('where[0][type]') !== 'equals') return espoError(400, 'Bad where.')
    if (!this.fields[entity]![attribute])
      return espoError(400, `Not existing attribute '${attribute}' in where.`)
    const found = this.all(entity).filter((record) => record[attribute] === query.get('where[0][value]'))
    const shown = found.slice(0, Number(query.get('maxSize') ?? 20))
    const list = query.get('select') === 'id' ? shown.map(({ id }) => ({ id })) : shown
    return { status: 200, body: { total: found.length, list } }
  }

  #check(entity: string, values: Values): Said | null {
    for (const [field, { type, maxLength, options, required }] of Object.entries(this.fields[entity]!)) {
      const value = values[field]
      const refuse = (why: string) =>
        espoError(400, `Field validation failure; entityType: ${entity}, field: ${field}, type: ${why}.`, {
          messageTranslation: { label: 'validationFailure', scope: null, data: { field, type: why } },
        })
      if (required && (value === undefined || value === null || value === '')) return refuse('required')
      if (typeof value !== 'string') continue
      if (maxLength !== undefined && value.length > maxLength) return refuse('maxLength')
      if (options && value !== '' && !options.includes(value)) return refuse('valid')
      if (type === 'email' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value)) return refuse('emailAddress')
    }
    return null
  }
}

import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { EspoRole } from './espocrm-role.ts'
import { type ReceivedRequest, StandInServer, type StubAnswer } from './server.ts'

type Values = Record<string, unknown>
export type EspoRecord = Values & { id: string; createdAt: string; deleted?: boolean }

const person = {
  name: { type: 'personName' },
  salutationName: { type: 'enum', options: ['', 'Mr.', 'Ms.'] },
  firstName: { type: 'varchar', maxLength: 100, pattern: '$noBadCharacters' },
  lastName: { type: 'varchar', maxLength: 100, required: true },
  emailAddress: { type: 'email' },
  phoneNumber: { type: 'phone', typeList: ['Mobile', 'Office'] },
  address: { type: 'address' },
  addressCity: { type: 'varchar', maxLength: 100 },
  addressState: { type: 'varchar', maxLength: 100 },
  addressCountry: { type: 'varchar', maxLength: 100 },
  createdAt: { type: 'datetime', readOnly: true },
  assignedUser: { type: 'link' },
  doNotCall: { type: 'bool' },
  crosswalkId: { type: 'varchar', maxLength: 36, isCustom: true },
}

type Field = {
  type: string
  maxLength?: number
  pattern?: string
  options?: string[]
  required?: boolean
  readOnly?: boolean
}

/** How many records a 409 lists at most (Espo\\Core\\Duplicate\\Finder). */
const duplicatesMost = 5

/** An error in the form of Espo\Core\Exceptions\Error: the reason in a header, and sometimes a body. */
export const espoError = (status: number, reason = '', body: unknown = ''): StubAnswer => ({
  ...{ status, body },
  ...(reason === '' ? {} : { headers: { 'x-status-reason': reason } }),
})

export const forbidden = (): StubAnswer => espoError(403, "No create access for 'Lead'.")

/** EspoCRM computes the name at each change. */
const nameOf = ({ firstName, lastName }: Values) => [firstName, lastName].filter(Boolean).join(' ')

const isSame = (one: unknown, other: unknown) =>
  typeof one === 'string' && one !== '' && one.toLowerCase() === String(other).toLowerCase()

/** A stand-in that answers like the REST API of EspoCRM 7.5 and later. */
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
  readonly role = new EspoRole()
  /** Fields that a formula or a hook empties at each change. */
  readonly clears = new Set<string>()
  /** Milliseconds between the check for duplicates and the insert. EspoCRM takes no lock. */
  insertMs = 0
  /** Each refusal replaces the answer to one request, in order. `on` matches `METHOD /path`. */
  readonly refusals: { on: RegExp; said: StubAnswer }[] = []
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

  all(entity = 'Lead'): EspoRecord[] {
    return [...this.records[entity]!.values()].filter(({ deleted }) => !deleted)
  }

  perKey(entity = 'Lead', keyField = 'crosswalkId'): Map<string, number> {
    const counts = new Map<string, number>()
    for (const record of this.all(entity)) {
      const key = String(record[keyField])
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  }

  add(entity: string, values: Values): EspoRecord {
    // Ids of EspoCRM have 17 hexadecimal digits.
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

  #answer({ method, path, query, headers, body }: ReceivedRequest): StubAnswer | Promise<StubAnswer> {
    if (headers['x-api-key'] !== this.apiKey) return espoError(401)
    const at = this.refusals.findIndex(({ on }) => on.test(`${method} ${path}`))
    if (at >= 0) return this.refusals.splice(at, 1)[0]!.said
    if (path === '/api/v1/App/user') return { status: 200, body: this.role.shown() }
    const [, entity = '', id] = /^\/api\/v1\/(\w+)(?:\/([\w-]+))?$/.exec(path) ?? []
    if (entity === 'Metadata') return this.#metadata(query.get('key') ?? '')
    const records = this.records[entity]
    if (!records) return espoError(404, `Entity '${entity}' does not exist.`)
    if (method === 'GET') return this.#list(entity, query)
    const values = this.#kept(entity, JSON.parse(body) as Values)
    if (id === undefined) return this.#create(entity, values, headers['x-skip-duplicate-check'] === 'true')
    const known = records.get(id)
    if (!known || known.deleted) return espoError(404, `Record ${id} does not exist.`)
    if (!this.role.allows(entity, 'edit', known)) return espoError(403, 'No edit access.')
    const invalid = this.#check(entity, { ...known, ...values })
    if (invalid) return invalid
    Object.assign(known, values)
    known.name = nameOf(known)
    return { status: 200, body: this.#shown(entity, known) }
  }

  /** Without access, EspoCRM answers 200 with an empty body. */
  #metadata(key: string): StubAnswer {
    const [, entity = ''] = /^entityDefs\.(\w+)$/.exec(key) ?? []
    const fields = this.role.entities[entity] && this.fields[entity]
    return { status: 200, body: fields ? { fields, links: {} } : '' }
  }

  async #create(entity: string, values: Values, skipsCheck: boolean): Promise<StubAnswer> {
    if (this.role.entities[entity]?.create !== 'yes') return espoError(403, 'No create access.')
    const invalid = this.#check(entity, values)
    if (invalid) return invalid
    const isTwin = ({ emailAddress, name }: EspoRecord) =>
      isSame(emailAddress, values.emailAddress) || isSame(name, nameOf(values))
    const twins = skipsCheck ? [] : this.#readable(entity).filter(isTwin).slice(0, duplicatesMost)
    if (twins.length > 0)
      return espoError(
        409,
        'duplicate',
        twins.map((twin) => this.#shown(entity, twin)),
      )
    if (this.insertMs > 0) await delay(this.insertMs)
    return { status: 200, body: this.#shown(entity, this.add(entity, values)) }
  }

  #readable(entity: string): EspoRecord[] {
    return this.all(entity).filter((record) => this.role.allows(entity, 'read', record))
  }

  /** Leaves out the fields that the role may not read. */
  #shown(entity: string, record: EspoRecord): Values {
    const hidden = this.role.fieldsWithout(entity, 'read')
    return Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.includes(name)))
  }

  /**
   * Drops unknown fields, read-only fields, and fields that the role may not edit. EspoCRM also drops them
   * silently.
   */
  #kept(entity: string, values: Values): Values {
    const locked = this.role.fieldsWithout(entity, 'edit')
    const kept = Object.entries(values).filter(([name]) => {
      const field = this.fields[entity]![name]
      return field && !field.readOnly && !locked.includes(name) && !this.clears.has(name)
    })
    // EspoCRM reads any text as false, except words for true.
    return Object.fromEntries(
      kept.map(([name, value]) => {
        const isText = this.fields[entity]![name]!.type === 'bool' && typeof value === 'string'
        return [name, isText ? value === 'true' : value]
      }),
    )
  }

  #list(entity: string, query: URLSearchParams): StubAnswer {
    const attribute = query.get('where[0][attribute]') ?? ''
    if (query.get('where[0][type]') !== 'equals') return espoError(400, 'Bad where.')
    if (!this.role.entities[entity]) return espoError(403, 'No read access.')
    if (!this.fields[entity]![attribute])
      return espoError(400, `Not existing attribute '${attribute}' in where.`)
    if (this.role.fieldsWithout(entity, 'read').includes(attribute))
      return espoError(400, `Forbidden attribute '${attribute}' in where. `.repeat(2).trim())
    const found = this.#readable(entity).filter(
      (record) => record[attribute] === query.get('where[0][value]'),
    )
    const shown = found.slice(0, Number(query.get('maxSize') ?? 20))
    const list = query.get('select') === 'id' ? shown.map(({ id }) => ({ id })) : shown
    return { status: 200, body: { total: found.length, list } }
  }

  #check(entity: string, values: Values): StubAnswer | null {
    for (const [field, each] of Object.entries(this.fields[entity]!)) {
      const { type, maxLength, pattern, options, required } = each
      const value = values[field]
      const refuse = (why: string) =>
        espoError(400, `Field validation failure; entityType: ${entity}, field: ${field}, type: ${why}.`, {
          messageTranslation: { label: 'validationFailure', scope: null, data: { field, type: why } },
        })
      if (required && (value === undefined || value === null || value === '')) return refuse('required')
      if (type === 'bool' && value === null) return espoError(500)
      if (typeof value !== 'string') continue
      if (pattern === '$noBadCharacters' && /[<>=]/.test(value)) return refuse('pattern')
      if (maxLength !== undefined && value.length > maxLength) return refuse('maxLength')
      if (options && value !== '' && !options.includes(value)) return refuse('valid')
      if (type === 'email' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value)) return refuse('emailAddress')
    }
    return null
  }
}

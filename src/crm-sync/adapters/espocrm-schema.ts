import { membersOf } from '../../platform/members.ts'
import { shorten } from '../../platform/outbound/answers.ts'
import { type CrmField, type CrmKind, CrmSetupError, type CrmValues } from './adapter.ts'
import { AskOnce } from './ask-once.ts'
import type { EspoApi } from './espocrm-api.ts'

export const entities: Readonly<Record<CrmKind, string>> = { lead: 'Lead', contact: 'Contact' }

type Members = Readonly<Record<string, unknown>>

const keyLength = 36

/** The access of the API user's role to an entity: its levels, and the fields that it may not read or edit. */
type Access = { levels: Members; unreadable: readonly unknown[]; uneditable: readonly unknown[] }

type Described = { fields: Members; access: Access }

/** The fields of an EspoCRM, and the access of its API user. Each definition is requested once. */
export class EspoSchema {
  readonly #api: EspoApi
  readonly #keyField: string
  readonly #asked = new AskOnce<string, unknown>()

  constructor(api: EspoApi, keyField: string) {
    this.#api = api
    this.#keyField = keyField
  }

  /** @throws CrmSetupError if the API user's role has no access to the entity */
  async describe(kind: CrmKind): Promise<CrmField[]> {
    const { fields, access } = await this.#describe(kind)
    return Object.entries(fields).flatMap(([name, field]) => fieldOf(name, membersOf(field), access))
  }

  /** The definition of each field, by name (docs.espocrm.com/development/metadata/entity-defs). */
  async fields(kind: CrmKind): Promise<Members> {
    return (await this.#describe(kind)).fields
  }

  /**
   * The changes that EspoCRM needs before a push.
   * @throws CrmSetupError like `describe`
   */
  async problems(kind: CrmKind): Promise<string[]> {
    const { fields, access } = await this.#describe(kind)
    const entity = entities[kind]
    return [...levelProblems(entity, access), ...keyProblems(entity, this.#keyField, fields, access)]
  }

  async #describe(kind: CrmKind): Promise<Described> {
    const entity = entities[kind]
    const access = accessTo(entity, await this.#ask('/App/user', 'App/user'))
    if (access === null) throw new CrmSetupError(noAccess(entity))
    const json = membersOf(await this.#ask(`/Metadata?key=entityDefs.${entity}`, 'Metadata'))
    // Before version 7, EspoCRM returns all metadata for any key.
    const { fields } = json.fields ? json : membersOf(membersOf(json.entityDefs)[entity])
    if (fields === undefined) throw new CrmSetupError(noAccess(entity))
    return { fields: membersOf(fields), access }
  }

  #ask(path: string, what: string): Promise<unknown> {
    return this.#asked.get(path, async () => this.#api.expect(await this.#api.ask('GET', path), what).json)
  }
}

const inRoles = 'in Administration > Roles'
const noAccess = (entity: string) =>
  `EspoCRM shows no ${entity} to this API user: give it a role with access to ${entity} (Create "yes", Read "all", Edit "all") ${inRoles}.`

function accessTo(entity: string, json: unknown): Access | null {
  const { table, fieldTableQuickAccess } = membersOf(membersOf(json).acl)
  const level = membersOf(table)[entity]
  if (!level) return null
  const { read, edit } = membersOf(membersOf(membersOf(fieldTableQuickAccess)[entity]).attributes)
  const locked = (action: unknown) => {
    const { no } = membersOf(action)
    return Array.isArray(no) ? no : []
  }
  const levels = level === true ? needed : membersOf(level)
  return { levels, unreadable: locked(read), uneditable: locked(edit) }
}

/**
 * The level that each action needs. Pushed leads have no assigned user. With "own" or "team", the next push would not
 * find them, and would create them again.
 */
const needed: Members = { create: 'yes', read: 'all', edit: 'all' }

function levelProblems(entity: string, { levels }: Access): string[] {
  const low = Object.keys(needed).filter((action) => levels[action] !== needed[action])
  if (low.length === 0) return []
  const title = (action: string) => action[0]!.toUpperCase() + action.slice(1)
  const list = (from: Members) =>
    low.map((action) => `${title(action)} "${levelIn(from[action])}"`).join(' and ')
  return [
    `The role of the API user has ${list(levels)} for ${entity}. Set ${list(needed)} ${inRoles}: with less, a push creates people twice, or cannot change them.`,
  ]
}

/** Levels are short texts. Anyone can run an EspoCRM server, so the value may be anything. */
const levelIn = (value: unknown): string => (typeof value === 'string' ? shorten(value) : 'no')

function keyProblems(entity: string, keyField: string, fields: Members, access: Access): string[] {
  const { type, maxLength, readOnly } = membersOf(fields[keyField])
  if (fields[keyField] === undefined) {
    const prefixed = `c${keyField[0]!.toUpperCase()}${keyField.slice(1)}`
    if (fields[prefixed] === undefined) return [missingIdFieldProblem(entity, keyField)]
    return [
      `The field for the Crosswalk id is called ${prefixed} in EspoCRM. Send "settings": {"external_id_field": "${prefixed}"} to the connection.`,
    ]
  }
  if (type !== 'varchar' || readOnly === true || (typeof maxLength === 'number' && maxLength < keyLength))
    return [
      `The field ${keyField} of ${entity} cannot keep Crosswalk ids: it has to be a Varchar of at least ${keyLength} characters that is not read-only (Administration > Entity Manager > ${entity} > Fields).`,
    ]
  const locked = [
    ...(access.unreadable.includes(keyField) ? ['read'] : []),
    ...(access.uneditable.includes(keyField) ? ['edit'] : []),
  ]
  if (locked.length === 0) return []
  return [
    `The role of the API user may not ${locked.join(' or ')} the field ${keyField} of ${entity}, which keeps the Crosswalk id. Allow Read and Edit for it ${inRoles} > Field Level.`,
  ]
}

/** Recent versions of EspoCRM put a c before the typed name of a field. So this text gives the name to type. */
export function missingIdFieldProblem(entity: string, keyField: string): string {
  const [, first, rest = ''] = /^c([A-Z])(.*)$/.exec(keyField) ?? []
  const typed = first === undefined ? keyField : first.toLowerCase() + rest
  const prefixed = `c${typed[0]!.toUpperCase()}${typed.slice(1)}`
  const then =
    first === undefined
      ? `. Recent versions put a c in front: then send "settings": {"external_id_field": "${prefixed}"} to the connection.`
      : ': EspoCRM puts the c in front.'
  return `EspoCRM has no field for the Crosswalk id: create a Varchar with a maximal length of ${keyLength} in Administration > Entity Manager > ${entity} > Fields, with the name ${typed}${then}`
}

/** Types that combine other fields. EspoCRM lists those fields too, so a push leaves the combination out. */
const composite: ReadonlySet<unknown> = new Set(['personName', 'address'])

const valuesOf: ReadonlyMap<unknown, CrmValues> = new Map([
  ...(['int', 'float', 'currency'] as const).map((type) => [type, 'number'] as const),
  ['bool', 'boolean'],
  ['date', 'date'],
  ['datetime', 'datetime'],
])

/** Reads a field of entityDefs (docs.espocrm.com/development/metadata/entity-defs). A link is written by id. */
function fieldOf(name: string, field: Members, { uneditable }: Access): CrmField[] {
  const { type, required, readOnly, disabled, notStorable, default: preset } = field
  if (composite.has(type) || disabled === true) return []
  const isVirtual = notStorable === true && type !== 'email' && type !== 'phone'
  const hasPreset = preset !== undefined && preset !== null && preset !== ''
  const attribute = type === 'link' ? `${name}Id` : name
  return [
    {
      name: attribute,
      values: valuesOf.get(type),
      required: required === true && readOnly !== true && !hasPreset,
      writable: readOnly !== true && !isVirtual && !uneditable.includes(attribute),
    },
  ]
}

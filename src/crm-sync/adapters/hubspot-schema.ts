import { membersOf } from '../../platform/members.ts'
import { type CrmField, type CrmKind, type CrmValues, Unavailable } from './adapter.ts'
import { AskOnce } from './ask-once.ts'
import { type HubSpotApi, type HubSpotObject, listOf, type Members, RequestRefused } from './hubspot-api.ts'

/** Marks a property of the lead itself in a field map. All other properties belong to the lead's contact. */
export const leadPrefix = 'lead.'
/** HubSpot creates no lead without this property. */
export const leadName = 'hs_lead_name'

/** The properties of a HubSpot account. They are read once. */
export class HubSpotSchema {
  readonly #api: HubSpotApi
  readonly #keyField: string
  readonly #asked = new AskOnce<HubSpotObject, Members[]>()

  constructor(api: HubSpotApi, keyField: string) {
    this.#api = api
    this.#keyField = keyField
  }

  /** @throws CrmSetupError if the object does not exist, or this app may not read it */
  async fields(kind: CrmKind): Promise<CrmField[]> {
    const contact = (await this.#properties('contacts')).map((property) => fieldOf(property))
    if (kind === 'contact') return contact
    const lead = (await this.#properties('leads')).map((property) => fieldOf(property, leadPrefix))
    return [...contact, ...lead]
  }

  /** The properties that must be created in HubSpot before a push. @throws CrmSetupError like `fields` */
  async problems(kind: CrmKind): Promise<string[]> {
    const objects: HubSpotObject[] = kind === 'contact' ? ['contacts'] : ['contacts', 'leads']
    const problems: string[] = []
    for (const object of objects) {
      await this.#requireScopes(object)
      const name = this.#keyField
      const property = (await this.#properties(object)).find((each) => each.name === name)
      const create = `a property of type “Single-line text” in HubSpot’s settings (Properties → ${titles[object]}) with “Require unique values for this property”`
      if (!property)
        problems.push(
          `HubSpot has no property ${name} of ${object}, which keeps the Crosswalk id: create ${create} and that internal name, or name another in settings.external_id_field.`,
        )
      else if (property.hasUniqueValue !== true || property.type !== 'string' || !isWritable(property))
        problems.push(
          `HubSpot’s property ${name} of ${object} cannot keep the Crosswalk id: it has to be a unique text that may be written. HubSpot cannot change that later. Create ${create} under another name, and name it in settings.external_id_field.`,
        )
    }
    return problems
  }

  /**
   * Sends empty batches to see whether the token may read and write records. Reading properties proves nothing, because
   * it needs no such scope.
   * @throws CrmSetupError that names the missing scopes
   */
  async #requireScopes(object: HubSpotObject): Promise<void> {
    for (const verb of ['read', 'update']) {
      const path = `/crm/v3/objects/${object}/batch/${verb}`
      try {
        await this.#api.ask(object, { method: 'POST', path, body: { inputs: [] } })
      } catch (error) {
        // HubSpot checks the scope first. It may then refuse the empty batch.
        if (!(error instanceof RequestRefused)) throw error
      }
    }
  }

  #properties(object: HubSpotObject): Promise<Members[]> {
    return this.#asked.get(object, () => this.#read(object))
  }

  async #read(object: HubSpotObject): Promise<Members[]> {
    const { results } = await this.#api.ask(object, { method: 'GET', path: `/crm/v3/properties/${object}` })
    if (!Array.isArray(results)) throw new Unavailable('HubSpot’s answer is incomplete')
    return listOf(results).filter(({ archived }) => archived !== true)
  }
}

const titles = { contacts: 'Contact properties', leads: 'Lead properties' }

const isWritable = ({ calculated, modificationMetadata }: Members) =>
  calculated !== true && membersOf(modificationMetadata).readOnlyValue !== true

const valuesOf: ReadonlyMap<string, CrmValues> = new Map([
  ['number', 'number'],
  ['bool', 'boolean'],
  ['date', 'date'],
  ['datetime', 'datetime'],
])

/** Reads a field from the schema Property of HubSpot/HubSpot-public-api-spec-collection. */
function fieldOf(property: Members, prefix = ''): CrmField {
  const { name, type } = property
  const required = prefix !== '' && name === leadName
  const values = valuesOf.get(String(type))
  return { name: `${prefix}${name}`, values, required, writable: isWritable(property) }
}

import {
  type Fault,
  HubSpotPortal,
  hubspotError,
  type Input,
  missingScopes,
  type ObjectName,
  objectIds,
  type Property,
  type StoredObject,
  tooMany,
  unauthorized,
  type Values,
} from './hubspot-portal.ts'
import { type ReceivedRequest, StandInServer, type StubAnswer } from './server.ts'

/** A stand-in for contacts, leads and properties, v3 and 2026-09, with any number of accounts. */
export class HubSpotStandIn {
  readonly server = new StandInServer((request) => this.#handle(request))
  readonly portals: HubSpotPortal[] = []

  static async start(): Promise<HubSpotStandIn> {
    const standIn = new HubSpotStandIn()
    await standIn.server.listen()
    return standIn
  }

  newPortal(keyField?: string): HubSpotPortal {
    const portal = new HubSpotPortal(keyField)
    this.portals.push(portal)
    return portal
  }

  #handle({ method, path, headers, body }: ReceivedRequest): StubAnswer {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
    const portal = this.portals.find((each) => each.token === token)
    if (!portal) return unauthorized()
    const now = performance.now()
    portal.asked.push(now)
    if (portal.asked.filter((at) => at > now - 10_000).length > 100) return tooMany('TEN_SECONDLY_ROLLING')
    const schema = /^\/crm\/(?:v3\/properties|properties\/2026-09)\/(contacts|leads)$/.exec(path)
    const records =
      /^\/crm\/(?:v3\/objects|objects\/2026-09)\/(contacts|leads)(?:\/batch\/(read|create|update|upsert))?$/.exec(
        path,
      )
    const object = (schema ?? records)?.[1] as ObjectName | undefined
    if (!object) return hubspotError(404, 'OBJECT_NOT_FOUND', 'resource not found')
    if (object === 'leads' && !portal.hasLeads)
      return missingScopes('crm.objects.leads.read', 'crm.objects.leads.write')
    // The gateway checks scopes before it reads the body.
    const scope = `crm.objects.${object}.${schema || records?.[2] === 'read' ? 'read' : 'write'}`
    const isSeen = schema && portal.scopes.has(scope.replace('read', 'write'))
    if (!portal.scopes.has(scope) && !isSeen) return missingScopes(scope)
    if (schema)
      return { status: 200, body: { results: portal.properties[object].map((each) => shown(each)) } }
    const [, , verb] = records!
    const sent = body === '' ? {} : JSON.parse(body)
    if (verb === undefined)
      return method === 'POST' ? single(portal, object, sent) : { status: 405, body: '' }
    return verb === 'read' ? read(portal, object, sent) : write(portal, object, verb, sent.inputs)
  }
}

const shown = ({ name, type, hasUniqueValue = false, options = [], readOnly = false }: Property) => ({
  ...{ name, label: name, type, fieldType: type === 'enumeration' ? 'select' : 'text', description: '' },
  ...{ groupName: 'information', hasUniqueValue, hidden: false, calculated: false, archived: false },
  options: options.map((value, index) => ({ label: value, value, displayOrder: index, hidden: false })),
  modificationMetadata: { archivable: true, readOnlyDefinition: false, readOnlyValue: readOnly },
})

const wrong = (message: string, context?: Record<string, string[]>): StubAnswer =>
  hubspotError(400, 'VALIDATION_ERROR', message, context && { context })

const answerOf = ({ id, createdAt, updatedAt, properties }: StoredObject, more: object = {}) => ({
  ...{ id, createdAt, updatedAt, archived: false, ...more },
  properties: { ...properties, hs_object_id: id, createdate: createdAt, lastmodifieddate: updatedAt },
})

function batch(status: number, results: object[], errors: (Fault & { status: 'error' })[]): StubAnswer {
  const at = new Date().toISOString()
  const failed = errors.length > 0 ? { numErrors: errors.length, errors } : {}
  return {
    status: errors.length > 0 ? 207 : status,
    // HubSpot returns results in another order than the inputs.
    body: { status: 'COMPLETE', results: results.reverse(), ...failed, startedAt: at, completedAt: at },
  }
}

type Read = { idProperty?: string; inputs: { id: string }[]; properties: string[] }

function read(
  portal: HubSpotPortal,
  object: ObjectName,
  { idProperty, inputs, properties }: Read,
): StubAnswer {
  const refusal = refusalOf(portal, object, inputs, idProperty)
  if (refusal) return refusal
  const missing: string[] = []
  const results = inputs.flatMap(({ id }) => {
    const kept = portal.find(object, idProperty, id)
    if (!kept) missing.push(id)
    if (!kept) return []
    const wanted = properties.map((name) => [name, kept.properties[name] ?? null])
    return [answerOf({ ...kept, properties: Object.fromEntries(wanted) })]
  })
  const message = `Could not get some ${object === 'contacts' ? 'CONTACT' : 'LEAD'} objects, they may be deleted or not exist. Check that ids are valid.`
  const error = { status: 'error' as const, category: 'OBJECT_NOT_FOUND', message, context: { ids: missing } }
  return batch(200, results, missing.length > 0 ? [error] : [])
}

/** Why HubSpot refuses the batch; null if it accepts it. */
function refusalOf(
  portal: HubSpotPortal,
  object: ObjectName,
  inputs: readonly { id?: string }[],
  idProperty?: string,
): StubAnswer | null {
  if (!Array.isArray(inputs) || inputs.length === 0 || inputs.length > 100)
    return wrong(`Invalid number of inputs: ${inputs?.length}, at most 100 are allowed`)
  const ids = inputs.flatMap(({ id }) => id ?? [])
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
  if (twice.length > 0)
    return wrong(`Duplicate IDs found in batch input: [${twice.join(', ')}]. IDs must be unique`, {
      ids: twice,
    })
  if (idProperty !== undefined && !portal.isUnique(object, idProperty))
    return wrong(`Unable to perform update/upsert by non-unique ${objectIds[object]} property ${idProperty}`)
  return null
}

function write(
  portal: HubSpotPortal,
  object: ObjectName,
  verb: string,
  inputs: readonly Input[],
  commit = true,
): StubAnswer {
  const idProperties = new Set(inputs.map(({ idProperty }) => idProperty))
  if (idProperties.size > 1) return wrong('All inputs must have the same idProperty')
  const refusal = refusalOf(portal, object, inputs, [...idProperties][0])
  if (refusal) return refusal
  const traces = new Set(inputs.flatMap(({ objectWriteTraceId }) => objectWriteTraceId ?? []))
  const isMulti = traces.size === inputs.length
  if (!isMulti && commit) {
    const tried = write(portal, object, verb, inputs, false)
    if (tried.status >= 400) return tried
  }
  const results: object[] = []
  const errors: (Fault & { status: 'error' })[] = []
  for (const input of inputs) {
    const done = writeOne(portal, object, verb, input, commit)
    if ('kept' in done) {
      const trace = portal.echoesTraceIds ? { objectWriteTraceId: input.objectWriteTraceId } : {}
      results.push(answerOf(done.kept, { ...(verb === 'upsert' && { new: done.isNew }), ...trace }))
    } else if (isMulti) {
      const context = { ...done.context, objectWriteTraceId: [input.objectWriteTraceId!] }
      errors.push({ ...done, status: 'error', context })
    } else {
      const { category, message, context } = done
      return hubspotError(category === 'CONFLICT' ? 409 : 400, category, message, context ? { context } : {})
    }
  }
  return batch(verb === 'create' ? 201 : 200, results, errors)
}

function writeOne(
  portal: HubSpotPortal,
  object: ObjectName,
  verb: string,
  { id, idProperty, properties, associations = [] }: Input,
  commit: boolean,
): { kept: StoredObject; isNew: boolean } | Fault {
  if (Object.values(properties).some((value) => typeof value !== 'string'))
    return { category: 'VALIDATION_ERROR', message: 'Invalid input JSON: properties are texts' }
  const found = verb === 'create' ? undefined : portal.find(object, idProperty, id ?? '')
  if (!found && verb === 'update')
    return { category: 'OBJECT_NOT_FOUND', message: 'resource not found', context: { ids: [id ?? ''] } }
  const named = idProperty && verb === 'upsert' && !found ? { [idProperty]: id ?? '' } : {}
  const all: Values = { ...named, ...properties }
  const values = all.email === undefined ? all : { ...all, email: all.email.toLowerCase() }
  const fault = portal.faultOf(object, values, found?.id ?? null)
  if (fault) return fault
  if (object === 'leads' && !found) {
    if (!values.hs_lead_name)
      return { category: 'VALIDATION_ERROR', message: 'Error creating LEAD. Required property hs_lead_name' }
    const contact = associations.find(({ types }) =>
      types.some((each) => each.associationCategory === 'HUBSPOT_DEFINED' && each.associationTypeId === 578),
    )
    if (!contact || !portal.records.contacts.has(contact.to.id))
      return { category: 'VALIDATION_ERROR', message: 'Leads must be associated with a contact or company' }
  }
  if (object === 'contacts' && !found && !values.email && !values.firstname && !values.lastname)
    return { category: 'VALIDATION_ERROR', message: 'A contact needs email, firstname or lastname' }
  if (!commit) return { kept: found ?? { ...blank, properties: values }, isNew: !found }
  const set = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== '' && !portal.clears.has(name)),
  )
  if (!found) return { kept: portal.add(object, set, associations), isNew: true }
  for (const [name, value] of Object.entries(values)) {
    if (value === '' || portal.clears.has(name)) delete found.properties[name]
    else found.properties[name] = value
  }
  found.updatedAt = new Date().toISOString()
  return { kept: found, isNew: false }
}

const blank = { id: '0', createdAt: '', updatedAt: '', associations: [] }

function single(portal: HubSpotPortal, object: ObjectName, input: Input): StubAnswer {
  const done = writeOne(portal, object, 'create', input, true)
  if ('kept' in done) return { status: 201, body: answerOf(done.kept) }
  return hubspotError(done.category === 'CONFLICT' ? 409 : 400, done.category, done.message)
}

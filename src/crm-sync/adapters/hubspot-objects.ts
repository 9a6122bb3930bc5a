import { membersOf } from '../../platform/members.ts'
import { CrmSetupError, Unavailable } from './adapter.ts'
import {
  type HubSpotApi,
  type HubSpotObject,
  isConflict,
  isUnknownProperty,
  listOf,
  type Members,
} from './hubspot-api.ts'

export type HubSpotRecord = { id: string; isNew: boolean; properties: Members }

export type BatchResult = HubSpotRecord | { message: string; isConflict: boolean }

/** A record to write in a batch. `key` is Crosswalk's id of the person, by which the result is found. */
export type BatchInput = { key: string; properties: Readonly<Record<string, string>> } & Members

const base = '/crm/v3/objects'
/** The maximum number of records in a batch. */
export const batchMax = 100

/**
 * HubSpot's batches of up to 100 records (HubSpot/HubSpot-public-api-spec-collection, Contacts and Leads v3). An
 * answer can have any order, and shows addresses in lower case.
 */
export class HubSpotObjects {
  readonly #api: HubSpotApi
  readonly #keyField: string

  /** @param keyField the unique property that stores Crosswalk's id */
  constructor(api: HubSpotApi, keyField: string) {
    this.#api = api
    this.#keyField = keyField
  }

  /** The records that have these values in a unique property, by the value in lower case. */
  async readBy(
    object: HubSpotObject,
    idProperty: string,
    values: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, HubSpotRecord>> {
    // Send each value once: HubSpot refuses a batch with a repeated value.
    const ids = [...new Set(values.map((value) => value.toLowerCase()))]
    const found = new Map<string, HubSpotRecord>()
    for (let at = 0; at < ids.length; at += batchMax) {
      const body = {
        ...{ idProperty, inputs: ids.slice(at, at + batchMax).map((id) => ({ id })) },
        ...{ properties: [...new Set([this.#keyField, idProperty])], propertiesWithHistory: [] },
      }
      const path = `${base}/${object}/batch/read`
      const answer = await this.#api.ask(object, { method: 'POST', path, body }, signal)
      for (const record of resultsOf(answer))
        found.set(String(record.properties[idProperty]).toLowerCase(), record)
    }
    return found
  }

  /**
   * Writes records.
   * @returns the results by `key`; an input that the answer lacks has none
   * @throws RequestRefused if HubSpot refuses the batch because of some inputs; CrmSetupError if a property does not exist
   */
  async write(
    object: HubSpotObject,
    verb: 'create' | 'update' | 'upsert',
    inputs: readonly BatchInput[],
    signal: AbortSignal,
  ): Promise<{ written: Map<string, BatchResult>; unmatched: HubSpotRecord[] }> {
    const written = new Map<string, BatchResult>()
    const unmatched: HubSpotRecord[] = []
    if (inputs.length === 0) return { written, unmatched }
    // Give each input a trace id: HubSpot then refuses single inputs, and writes the others.
    const body = { inputs: inputs.map(({ key, ...input }) => ({ ...input, objectWriteTraceId: key })) }
    const path = `${base}/${object}/batch/${verb}`
    const answer = await this.#api.ask(object, { method: 'POST', path, body }, signal)
    const keyOf = matcher(inputs, this.#keyField)
    for (const error of listOf(answer.errors)) {
      if (isUnknownProperty(error))
        throw new CrmSetupError(`${this.#api.words(error)} Change field_map, or add the property there`)
      const refusal = { message: this.#api.words(error), isConflict: isConflict(error) }
      for (const key of keysOf(error, keyOf)) written.set(key, refusal)
    }
    for (const result of listOf(answer.results)) {
      const record = recordOf(result)
      const key = keyOf(
        result.objectWriteTraceId,
        record.properties[this.#keyField],
        record.id,
        record.properties.email,
      )
      if (key === undefined) unmatched.push(record)
      else written.set(key, verb === 'create' ? { ...record, isNew: true } : record)
    }
    return { written, unmatched }
  }
}

const resultsOf = (answer: Members): HubSpotRecord[] => {
  if (!Array.isArray(answer.results)) throw new Unavailable('HubSpot’s answer is incomplete')
  return listOf(answer.results).map(recordOf)
}

const recordOf = (result: Members): HubSpotRecord => ({
  ...{ id: String(result.id ?? ''), isNew: result.new === true, properties: membersOf(result.properties) },
})

function matcher(inputs: readonly BatchInput[], keyField: string) {
  const keys = new Map<string, string>()
  for (const { key, id, properties } of inputs)
    for (const name of [key, id, properties[keyField], properties.email])
      if (typeof name === 'string' && name !== '') keys.set(name.toLowerCase(), key)
  return (...names: unknown[]): string | undefined =>
    names
      .map((name) => (typeof name === 'string' ? keys.get(name.toLowerCase()) : undefined))
      .find((key) => key !== undefined)
}

/** Returns the keys of the inputs that an error concerns: `context.objectWriteTraceId`, or `context.ids`. */
function keysOf({ context }: Members, keyOf: ReturnType<typeof matcher>): string[] {
  const { objectWriteTraceId, ids } = membersOf(context)
  const named = [objectWriteTraceId, ids].flatMap((names) => (Array.isArray(names) ? names : []))
  return named.flatMap((name) => keyOf(name) ?? [])
}

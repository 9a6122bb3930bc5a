import { membersOf } from '../../platform/outbound/answers.ts'
import { Unavailable, Unusable } from './adapter.ts'
import {
  type HubSpotApi,
  type HubSpotObject,
  isConflict,
  isUnknownProperty,
  listOf,
  type Members,
} from './hubspot-api.ts'

/** A record of HubSpot's. */
export type Kept = { id: string; isNew: boolean; properties: Members }

/** What became of one of a batch. */
export type Written = Kept | { message: string; isConflict: boolean }

/** One of a batch; `key` is our id of the person, by which its outcome is found. */
export type Input = { key: string; properties: Readonly<Record<string, string>> } & Members

const base = '/crm/v3/objects'
/** Records in a batch. */
export const batchMost = 100

/**
 * HubSpot's batches of up to 100 records (HubSpot/HubSpot-public-api-spec-collection, Contacts and Leads v3). What they
 * answer is in no order, and has addresses in lower case.
 */
export class HubSpotObjects {
  readonly #api: HubSpotApi
  readonly #keyField: string

  /** @param keyField the property of ours that is unique, and in all that is written */
  constructor(api: HubSpotApi, keyField: string) {
    this.#api = api
    this.#keyField = keyField
  }

  /** The records that are there, by the value of a unique property in lower case. */
  async readBy(
    object: HubSpotObject,
    idProperty: string,
    values: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, Kept>> {
    // A value that is there twice is refused.
    const ids = [...new Set(values.map((value) => value.toLowerCase()))]
    const found = new Map<string, Kept>()
    for (let at = 0; at < ids.length; at += batchMost) {
      const body = {
        ...{ idProperty, inputs: ids.slice(at, at + batchMost).map((id) => ({ id })) },
        ...{ properties: [...new Set([this.#keyField, idProperty])], propertiesWithHistory: [] },
      }
      const path = `${base}/${object}/batch/read`
      const answer = await this.#api.ask(object, { method: 'POST', path, body }, signal)
      for (const kept of resultsOf(answer)) found.set(String(kept.properties[idProperty]).toLowerCase(), kept)
    }
    return found
  }

  /**
   * Writes records; what became of each, by `key`. One that HubSpot says nothing of is missing.
   * @throws Refused if HubSpot refuses all for what one may have; Unusable if it has no such property
   */
  async write(
    object: HubSpotObject,
    verb: 'create' | 'update' | 'upsert',
    inputs: readonly Input[],
    signal: AbortSignal,
  ): Promise<{ written: Map<string, Written>; unmatched: Kept[] }> {
    const written = new Map<string, Written>()
    const unmatched: Kept[] = []
    if (inputs.length === 0) return { written, unmatched }
    // With a trace id in each, one that is refused does not keep the others from being written.
    const body = { inputs: inputs.map(({ key, ...input }) => ({ ...input, objectWriteTraceId: key })) }
    const path = `${base}/${object}/batch/${verb}`
    const answer = await this.#api.ask(object, { method: 'POST', path, body }, signal)
    const keyOf = matcher(inputs, this.#keyField)
    for (const error of listOf(answer.errors)) {
      if (isUnknownProperty(error))
        throw new Unusable(`${this.#api.words(error)} Change field_map, or add the property there`)
      const refusal = { message: this.#api.words(error), isConflict: isConflict(error) }
      for (const key of keysOf(error, keyOf)) written.set(key, refusal)
    }
    for (const result of listOf(answer.results)) {
      const kept = keptOf(result)
      const key = keyOf(
        result.objectWriteTraceId,
        kept.properties[this.#keyField],
        kept.id,
        kept.properties.email,
      )
      if (key === undefined) unmatched.push(kept)
      else written.set(key, verb === 'create' ? { ...kept, isNew: true } : kept)
    }
    return { written, unmatched }
  }
}

const resultsOf = (answer: Members): Kept[] => {
  if (!Array.isArray(answer.results)) throw new Unavailable('HubSpot’s answer was not whole')
  return listOf(answer.results).map(keptOf)
}

const keptOf = (result: Members): Kept => ({
  ...{ id: String(result.id ?? ''), isNew: result.new === true, properties: membersOf(result.properties) },
})

/** Whose any of some values is. */
function matcher(inputs: readonly Input[], keyField: string) {
  const keys = new Map<string, string>()
  for (const { key, id, properties } of inputs)
    for (const name of [key, id, properties[keyField], properties.email])
      if (typeof name === 'string' && name !== '') keys.set(name.toLowerCase(), key)
  return (...names: unknown[]): string | undefined =>
    names
      .map((name) => (typeof name === 'string' ? keys.get(name.toLowerCase()) : undefined))
      .find((key) => key !== undefined)
}

/** Whom an error is about: `context.objectWriteTraceId`, or `context.ids`. */
function keysOf({ context }: Members, keyOf: ReturnType<typeof matcher>): string[] {
  const { objectWriteTraceId, ids } = membersOf(context)
  const named = [objectWriteTraceId, ids].flatMap((names) => (Array.isArray(names) ? names : []))
  return named.flatMap((name) => keyOf(name) ?? [])
}

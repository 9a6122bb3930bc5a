import type { Endpoint } from './endpoint.ts'
import { schemaMembers } from './unknown-names.ts'

/** Patterns of values that programs send in place of an id, each with the filter of the list that finds such a value. */
const filters: readonly (readonly [filter: string, looks: RegExp])[] = [
  ['email', /^[^@\s]+@[^@\s]+$/],
  ['phone', /^\+[\d ().-]{7,}$/],
  ['external_id', /^[^:]+:./],
  ['domain', /^[\w-]+(\.[\w-]+)+$/],
]

/** Longer values are ignored. */
const longestValue = 320

export type FindByValue = (
  endpoint: Endpoint | undefined,
  parameter: unknown,
  url: string,
) => string | undefined

/**
 * Says how to find an object by a value that was sent as its id, such as `GET /contacts/ada@example.com`.
 * @param endpoints among them the list of the objects: `GET /contacts`
 */
export function findByValue(endpoints: readonly Endpoint[]): FindByValue {
  const lists = new Map(
    endpoints.flatMap(({ method, path, query }) =>
      method === 'GET' && query ? [[path, new Set(schemaMembers(query))] as const] : [],
    ),
  )
  return (endpoint, parameter, url) => {
    const steps = endpoint?.path.split('/') ?? []
    const at = steps.indexOf(`{${String(parameter)}}`)
    const list = steps.slice(0, at).join('/')
    const sent = decoded(url.replace(/[?#].*$/s, '').split('/')[at] ?? '')
    if (sent.length > longestValue) return undefined
    const known = lists.get(list)
    const filter = filters.find(([name, looks]) => known?.has(name) && looks.test(sent))?.[0]
    return filter && `an id. GET ${list}?${filter}=… finds records by this value`
  }
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

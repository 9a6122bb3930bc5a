import { type Answered, AnswerPromise } from './answer.ts'
import { ConfigurationError } from './errors.ts'
import { type FollowOptions, follow } from './follow.ts'
import { type CallOptions, requireObject } from './options.ts'
import { type Page, PagePromise } from './page.ts'
import type { SdkRequest, Transport } from './transport.ts'
import { pendingStates, type WaitOptions, waitFor } from './wait.ts'

type Method = (...args: unknown[]) => unknown
type Resource = { [name: string]: Method | Resource }

/**
 * The methods by resource, as declared in `generated/resources.ts`.
 * @param table `generated/operations.ts`: a line for each resource, and indented lines for its methods
 */
export function methodsOf(transport: Transport, table: string): object {
  const root: Resource = {}
  const owners = new Set<string>()
  let [owner, base] = ['', '']
  for (const line of table.trim().split('\n')) {
    const [first = '', ...words] = line.split(' ')
    if (first) {
      ;[owner, base] = [first, words[0] ?? pathOf(first)]
      owners.add(owner)
    } else addMethod(root, owner, base, words, transport)
  }
  for (const [name, pending] of Object.entries(pendingStates)) {
    if (!owners.has(name)) continue
    const [resource, verb] = placeOf(root, `${name}.wait`)
    const get = resource.get as (id: unknown, options: CallOptions) => Promise<{ status: string }>
    resource[verb] = async (id, options = {}) => {
      requireObject(options)
      return waitFor((each) => get(id, each), pending, (options ?? {}) as WaitOptions<{ status: string }>)
    }
  }
  const { feed } = (root.events ?? {}) as { feed?: Parameters<typeof follow>[0] }
  if (feed)
    (root.events as Resource).follow = (options = {}) => {
      requireObject(options)
      return follow(feed, (options ?? {}) as FollowOptions)
    }
  return root
}

/** The default beginning of a resource's paths: `/write-keys` of `writeKeys`. */
export const pathOf = (resource: string): string =>
  `/${resource.replaceAll('.', '/').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** The default name of the id that follows a path: `contact_id` after `/contacts/`. */
export const idAfter = (path: string): string =>
  `${(path.split('/').at(-2) ?? '').replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', '_')}_id`

function addMethod(root: Resource, owner: string, base: string, words: string[], transport: Transport): void {
  const [verb = '', method = '', rest = '', shape = '', ...takes] = words
  const name = `${owner}.${verb}`
  const [resource] = placeOf(root, name)
  resource[verb] = (...args) => {
    // Use a promise, so that a missing id rejects like any other error.
    const asked = Promise.resolve(args).then((given) => ({
      method,
      shape,
      ...argumentsOf(name, base + rest, takes, given),
    }))
    if (shape !== 'page') return new AnswerPromise(asked.then((one) => transport.send(one)))
    const send = (page: SdkRequest) => transport.send(page) as Promise<Answered<Page<unknown>>>
    return new PagePromise(asked.then(send), async (cursor) => send(behind(await asked, cursor)))
  }
}

/** Returns the resource of the method `a.b.verb`, and its name, `verb`. */
function placeOf(root: Resource, name: string): [resource: Resource, verb: string] {
  const path = name.split('.')
  const verb = path.pop() ?? ''
  let resource = root
  for (const part of path) {
    resource[part] ??= {}
    resource = resource[part] as Resource
  }
  return [resource, verb]
}

/** The arguments are the ids of the path, then the body, the query and the options. A method has some of them. */
function argumentsOf(name: string, path: string, takes: string[], args: unknown[]) {
  const given = [...args]
  const filled = path.replaceAll(/\{(\w*)\}/g, (_, own: string, at: number) => {
    const id = own || idAfter(path.slice(0, at))
    const value = given.shift()
    // Refuse these values: without an id, the path would be that of the list, and URLs drop the segments `.` and
    // `..`.
    if (!(typeof value === 'string' && !/^\.{0,2}$/.test(value)) && typeof value !== 'number')
      throw new ConfigurationError(`${name} needs ${id}: a text that is not empty, or a number.`)
    return encodeURIComponent(value)
  })
  const body = takes.includes('body') ? given.shift() : undefined
  const query = takes.includes('query') ? (given.shift() as object | undefined) : undefined
  return { path: filled, body, query, options: (given.shift() ?? {}) as CallOptions }
}

/** Returns the request for the next page. A search has the cursor in its body. */
function behind(asked: SdkRequest, cursor: string): SdkRequest {
  const part = asked.method === 'POST' ? 'body' : 'query'
  return { ...asked, [part]: { ...(asked[part] as object), page: undefined, cursor } }
}

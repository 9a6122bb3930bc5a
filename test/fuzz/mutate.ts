import { chance, integer, pick, type Random } from '../../src/demo/random.ts'
import { resolve, type Schema } from '../support/openapi-document.ts'
import type { Draft } from './draft.ts'
import { Members, Raw } from './json-text.ts'
import { extraNames, nastyJson, nastyLike, nastyText } from './nasty.ts'
import type { World } from './world.ts'

type Holder = Record<string, unknown> | unknown[]
type Place = { holder: Holder; key: string | number; name: string }

/** Makes a draft invalid, and adds the change to the draft's list. */
export type Mutation = (draft: Draft, world: World, random: Random) => void

const isHolder = (value: unknown): value is Holder =>
  typeof value === 'object' && value !== null && !(value instanceof Raw || value instanceof Members)

function placesIn(value: unknown, name = ''): Place[] {
  if (!isHolder(value)) return []
  const holder = value
  const keys = Array.isArray(holder) ? [...holder.keys()] : Object.keys(holder)
  return keys.flatMap((key) => {
    const named = typeof key === 'string' ? key : name
    const item = (holder as Record<string | number, unknown>)[key]
    return [{ holder, key, name: named }, ...placesIn(item, named)]
  })
}

const put = ({ holder, key }: Place, value: unknown) => {
  // `defineProperty` also works for a member named __proto__.
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}
const valueAt = ({ holder, key }: Place) => (holder as Record<string | number, unknown>)[key]

/** Gives one member an unexpected value of the right type. The request then passes more checks than others. */
export const spoilMember: Mutation = (draft, _world, random) => {
  const { body } = draft
  const properties = propertiesOf(draft)
  if (!isHolder(body) || properties.length === 0) return
  const [name, schema] = pick(random, properties)
  const [type = 'any'] = [resolve(schema).type ?? 'any'].flat()
  put({ holder: body, key: name, name }, nastyLike(random, type))
  draft.done.push(`only ${name}`)
}

export const spoilBody: Mutation = (draft, world, random) => {
  if (chance(random, 0.06)) {
    draft.body = nastyJson(random)
    draft.done.push('another body')
    return
  }
  for (let times = integer(random, 1, 3); times > 0; times--) spoilPlace(draft, world, random)
}

const propertiesOf = ({ operation: { body } }: Draft) =>
  (body ? partsOf(resolve(body.schema)) : []).flatMap(({ properties = {} }) => Object.entries(properties))

const partsOf = (schema: Schema): Schema[] => schema.oneOf?.map(resolve) ?? [schema]

function spoilPlace(draft: Draft, world: World, random: Random): void {
  const properties = propertiesOf(draft)
  const { body } = draft
  if (!isHolder(body)) {
    draft.body = nastyJson(random)
    return
  }
  if (properties.length > 0 && chance(random, 0.3)) {
    const [name, schema] = pick(random, properties)
    const types = [resolve(schema).type ?? 'any'].flat()
    put({ holder: body, key: name, name }, nastyLike(random, types[0]!))
    draft.done.push(`${name} is another`)
    return
  }
  const places = placesIn(body)
  if (places.length === 0 || chance(random, 0.12)) {
    addMember(draft, random)
    return
  }
  const place = pick(random, places)
  const act = pick(random, [
    'replace',
    'replace',
    'replace',
    'remove',
    'wrap',
    'double',
    'foreign',
    'empty',
    'clone',
  ])
  draft.done.push(`${act} ${place.name}`)
  const was = valueAt(place)
  if (act === 'replace') put(place, nastyLike(random, Array.isArray(was) ? 'array' : typeof was))
  else if (act === 'remove') {
    if (Array.isArray(place.holder)) place.holder.splice(Number(place.key), 1)
    else delete place.holder[place.key]
  } else if (act === 'wrap')
    put(place, pick(random, [[was], [[was]], { value: was }, String(was), JSON.stringify(was) ?? '']))
  else if (act === 'double' && body === place.holder && !Array.isArray(body))
    draft.body = new Members([...Object.entries(body), [String(place.key), nastyJson(random)]])
  else if (act === 'foreign') put(place, world.foreign(place.name, random))
  else if (act === 'clone' && Array.isArray(was))
    put(
      place,
      Array.from({ length: integer(random, 2, 60) }, () => was[0] ?? 1),
    )
  else put(place, pick(random, ['', null, [], {}]))
}

function addMember(draft: Draft, random: Random): void {
  const name = pick(random, extraNames)
  draft.done.push(`extra ${name.slice(0, 20)}`)
  draft.body = new Members([...Object.entries(draft.body as object), [name, nastyJson(random)]])
}

/** Gives query parameters invalid values, sends them twice, or renames them. */
export const spoilQuery: Mutation = (draft, world, random) => {
  const names = draft.operation.parameters.filter((each) => each.in === 'query').map((each) => each.name)
  for (let times = integer(random, 1, 3); times > 0; times--) {
    const name = names.length > 0 && chance(random, 0.85) ? pick(random, names) : pick(random, extraNames)
    const written = chance(random, 0.9)
      ? name
      : pick(random, [`${name}[]`, `${name}[$ne]`, `${name}.x`, name.toUpperCase()])
    const value =
      world.isKind(name) && chance(random, 0.3)
        ? world.foreign(name, random)
        : nastyText(random).slice(0, 3000)
    draft.done.push(`query ${written.slice(0, 20)}`)
    if (chance(random, 0.6)) draft.query = draft.query.filter(([one]) => one !== name)
    draft.query.push([written, value])
  }
}

/** Puts an invalid id, or another org's id, into the path. */
export const spoilPath: Mutation = (draft, _world, random) => {
  const names = Object.keys(draft.path)
  if (names.length === 0) return
  const name = pick(random, names)
  draft.done.push(`path ${name}`)
  draft.path[name] = nastyText(random).slice(0, 3000)
}

/** Replaces ids with ids of another kind, or of an org that no caller acts for. */
export const useForeignIds: Mutation = (draft, world, random) => {
  const other = (name: string) =>
    chance(random, 0.7)
      ? world.foreign(name, random)
      : world.own(draft.caller.orgId, pick(random, world.kinds), random)
  for (const name of Object.keys(draft.path)) if (chance(random, 0.7)) draft.path[name] = other(name)
  draft.query = draft.query.map(([name, value]) => [name, world.isKind(name) ? other(name) : value])
  for (const place of placesIn(draft.body))
    if (world.isKind(place.name) && typeof valueAt(place) === 'string' && chance(random, 0.7))
      put(place, other(place.name))
  draft.done.push('ids of others')
}

/** Encodes a text with one byte for each character, as headers do. */
const latin1 = (text: string) => Buffer.from(text, 'latin1').toString('latin1').replaceAll('\0', '?')

export const spoilHeaders: Mutation = (draft, world, random) => {
  const { home, client, victim } = world
  const values: Record<string, () => string> = {
    'if-match': () =>
      pick(random, [
        '"1"',
        '"0"',
        '1',
        '*',
        'W/"1"',
        '"1","2"',
        '"99999999999999999999"',
        '"',
        latin1(nastyText(random)),
      ]),
    'idempotency-key': () =>
      pick(random, ['k1', 'k2', '"k1"', '', 'ä', 'x'.repeat(256), latin1(nastyText(random))]),
    'x-org-id': () =>
      pick(random, [home.orgId, home.orgId.toUpperCase(), victim.orgId, '', 'x', latin1(nastyText(random))]),
    'x-target-org-id': () =>
      pick(random, [client.orgId, victim.orgId, home.orgId, '', 'x', latin1(nastyText(random))]),
    'x-request-id': () => latin1(nastyText(random)),
    'content-type': () =>
      pick(random, [
        ...[
          'text/csv',
          'text/plain',
          'application/xml',
          'application/json; charset=utf-16',
          'APPLICATION/JSON',
        ],
        ...[
          'application/vnd.api+json',
          'multipart/form-data; boundary=x',
          'application/json; charset="utf-8"',
          ';',
          '/',
          '',
        ],
        latin1(nastyText(random)),
      ]),
    accept: () => pick(random, ['text/html', 'application/xml', '*/*;q=0', latin1(nastyText(random))]),
    'accept-encoding': () => pick(random, ['gzip', 'br;q=1', 'identity;q=0', latin1(nastyText(random))]),
    'content-encoding': () => pick(random, ['gzip', 'deflate', 'br']),
    'x-forwarded-for': () =>
      pick(random, ['127.0.0.1', '::1', 'x', `${integer(random, 0, 255)}.1.2.3`, latin1(nastyText(random))]),
    'x-forwarded-host': () => latin1(nastyText(random)),
    'x-http-method-override': () => 'DELETE',
    cookie: () => latin1(nastyText(random)),
    origin: () => 'https://evil.example',
    range: () => 'bytes=0-1',
    'if-none-match': () => '*',
  }
  for (let times = integer(random, 1, 2); times > 0; times--) {
    const name = pick(random, Object.keys(values))
    draft.headers.push([name, values[name]!().slice(0, 4000)])
    draft.done.push(name)
  }
}

export const spoilKey: Mutation = (draft, _world, random) => {
  const { token } = draft.caller
  const sent = pick(random, [
    ...[
      '',
      'Bearer',
      'Bearer ',
      `Basic ${token}`,
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      `Token ${token}`,
    ],
    ...[
      'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x',
      'Bearer svc_live_',
      `Bearer ${token} ${token}`,
      `Bearer ${latin1(nastyText(random)).slice(0, 3000)}`,
    ],
  ])
  draft.done.push('no key')
  draft.headers = [
    // Use a new address for each request, so that no rate limit applies.
    [
      'x-forwarded-for',
      `10.${integer(random, 0, 255)}.${integer(random, 0, 255)}.${integer(random, 0, 255)}`,
    ],
    ...(sent === '' ? [] : [['authorization', sent] as [string, string]]),
  ]
}

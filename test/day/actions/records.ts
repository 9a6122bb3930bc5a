import { chance, newNonce, oneOf } from '../dice.ts'
import type { RequestParts } from '../requests.ts'
import type { Action, ActorClient, WeightedActions } from './action.ts'

export type RecordKind = {
  kind: 'contact' | 'company' | 'deal'
  plural: 'contacts' | 'companies' | 'deals'
  id: string
  fields: readonly string[]
  value(api: ActorClient, field: string): string
  body(api: ActorClient, nonce: string): Record<string, unknown>
  /** The members of an upsert that finds a word's record again, and the field to match on. */
  upsert(api: ActorClient, word: string): Record<string, unknown>
  filters(api: ActorClient): Record<string, string>[]
}

/** `source` is a nonce by which the audit finds the created record. */
export const common = (api: ActorClient, nonce: string) => ({
  ...{ source: nonce, tags: [api.actor.marker, oneOf(['red', 'green', 'blue'])] },
  custom: { marker: api.actor.marker, plan: api.text(nonce) },
})

// All organizations use the same values: the audit would notice a write to the wrong one.
const upsertWords = Array.from({ length: 30 }, () => newNonce())

export function recordActs(type: RecordKind): WeightedActions {
  const { kind, plural, id, fields } = type
  const name = (verb: string, word: string = kind) => `${verb}_${word}`
  const sent = (api: ActorClient) => (nonce: string) => {
    const body = type.body(api, nonce)
    for (const field of fields) body[field] = type.value(api, field)
    return { body, mode: chance(0.1) ? 'test' : 'live' } satisfies RequestParts
  }
  const made = (api: ActorClient) =>
    api.create(kind, name('create'), sent(api), (body) => body.data[id], fields)

  const create: Action = async (api) => {
    const answer = await made(api)
    if (!answer) return
    api.keep(oneOf([`plain ${kind}`, `plain ${kind}`, `cycled ${kind}`]), answer.body.data[id])
    api.version(kind, answer.body.data[id], answer.body.data)
  }

  const read: Action = async (api) => {
    const one = api.pick(`plain ${kind}`)
    if (!one) return create(api)
    const answer = await api.send(name('get'), { params: { [id]: one } })
    if (!answer.ok) return
    api.sees(kind, one, fields, answer.body.data, answer)
    api.version(kind, one, answer.body.data)
  }

  const update: Action = async (api) => {
    const one = api.pick(`plain ${kind}`)
    if (!one) return create(api)
    const params = { [id]: one }
    const field = oneOf(fields)
    const change = { [field]: type.value(api, field) }
    const bound = chance(0.3) ? await api.send(name('get'), { params }) : null
    const request: RequestParts = {
      ...{ params, body: change, allow: [409] },
      ...(bound && { ifMatch: bound.body.data.version }),
    }
    const answer = await api.change(kind, one, change, name('update'), request, `${kind}.updated`)
    if (answer.ok) api.version(kind, one, answer.body.data)
  }

  const cycle: Action = async (api) => {
    const one = api.take(`cycled ${kind}`)
    if (!one) return create(api)
    const params = { [id]: one }
    const move = async (verb: string, status: string, event: string) =>
      api.change(kind, one, { $status: status }, name(verb), { params }, `${kind}.${event}`)
    await move('archive', 'archived', 'archived')
    if (chance(0.3)) {
      for (const field of fields) api.ledger.writes.delete(`${kind} ${one} ${field}`)
      await move('erase', 'erased', 'erased')
      return
    }
    await move('restore', 'active', 'restored')
    api.keep(`cycled ${kind}`, one)
  }

  const upsert: Action = async (api) => {
    const word = upsertWords[Math.floor(Math.random() * upsertWords.length)]!
    const body = { ...type.upsert(api, word), tags: [api.actor.marker] }
    const answer = await api.send(name('upsert'), { body })
    if (!answer.ok) return
    const one = answer.body.data[id]
    api.ledger.owners.set(one, api.actor.orgId)
    api.ledger.write(`upserted ${kind}`, `${api.actor.orgId} ${word}`, 'id', {
      ...{ value: one, sentAt: answer.sentAt, endAt: answer.answeredAt, acknowledged: true },
    })
  }

  const batch: Action = async (api) => {
    const nonces = Array.from({ length: 1 + Math.floor(Math.random() * 12) }, () => newNonce())
    const creations = nonces.map((nonce) => api.ledger.begin(kind, api.actor.orgId, nonce))
    const items: object[] = nonces.map((nonce) => sent(api)(nonce).body)
    // An invalid item must not affect the others.
    items.push({ custom: { marker: api.actor.marker }, currency: 'no' })
    const answer = await api.send(name('batch', plural), { body: { items } })
    if (!answer.ok) return
    for (const [index, creation] of creations.entries()) {
      const item = answer.body.data[index]
      if (item.outcome === 'created') api.ledger.acknowledge(creation, item[id])
      else api.ledger.fault(`an item of a batch is ${JSON.stringify(item)}`)
    }
    if (answer.body.data.at(-1).outcome !== 'failed') api.ledger.fault('a batch took an item that cannot be')
  }

  const readMany: Action = async (api) => {
    const ids = [api.pick(`plain ${kind}`), api.pick(`plain ${kind}`)].filter((one) => one !== undefined)
    if (ids.length === 0) return create(api)
    const answer = await api.send(name('read', plural), { body: { ids } })
    if (!answer.ok) return
    for (const [index, one] of ids.entries()) {
      const { requested, status, record } = answer.body.data[index]
      if (requested !== one || status !== 'found')
        api.ledger.fault(`${one} is read as ${requested}, ${status}`)
      else api.sees(kind, one, fields, record, answer)
    }
  }

  /** Changes a record by its id in a batch that has another item with a wrong version. */
  const batchChange: Action = async (api) => {
    const one = api.pick(`plain ${kind}`)
    if (!one) return create(api)
    const field = oneOf(fields)
    const change = { [field]: type.value(api, field) }
    const items = [
      { [id]: one, ...change },
      { [id]: one, version: 0, ...change },
    ]
    const request: RequestParts = { body: { items, return: 'record' } }
    const answer = await api.change(kind, one, change, name('batch', plural), request, `${kind}.updated`)
    if (!answer.ok) return
    const [changed, failed] = answer.body.data
    if (changed.outcome !== 'updated') api.ledger.fault(`a batch answers ${JSON.stringify(changed)}`)
    else api.version(kind, one, changed.record)
    if (failed.code !== 'version_conflict') api.ledger.fault('a batch ignored the version of an item')
  }

  const filter: Action = (api) =>
    api.send(name('list', plural), { query: { ...oneOf(type.filters(api)), limit: 20 } })

  const search: Action = (api) => {
    const made = { field: 'source', op: 'is_null', value: false }
    const body = { filter: { not: { and: [made, { field: 'version', op: 'lt', value: 2 }] } }, limit: 20 }
    return api.send(name('search', plural), { body })
  }

  /** Checks that the pages of a list contain each record at most once, and every record that existed all the time. */
  const reading = (api: ActorClient, what: string) => {
    const expected = new Set(api.pool(`plain ${kind}`))
    const seen = new Set<string>()
    const see = (one: string) => {
      if (seen.has(one)) api.ledger.fault(`${what} shows ${one} twice`)
      seen.add(one)
    }
    const end = () => {
      for (const one of expected)
        if (!seen.has(one)) api.ledger.fault(`${what} of ${api.actor.marker} leaves out ${one}`)
    }
    return { see, end }
  }

  const walk: Action = async (api) => {
    const { see, end } = reading(api, `a walk through ${plural}`)
    for (let cursor = ''; ; ) {
      const query = { limit: 100, ...(cursor && { cursor }) }
      const answer = await api.send(name('list', plural), { query })
      if (!answer.ok) return
      for (const row of answer.body.data) see(row[id])
      cursor = answer.body.pagination.next_cursor
      if (cursor === null) break
    }
    end()
  }

  /** Exports everything. An organization has one export at a time. */
  const exportAll: Action = async (api) => {
    const { see, end } = reading(api, `an export of ${plural}`)
    const query = { format: 'jsonl', fields: `${id},created_at` }
    const answer = await api.send(name('export', plural), { query, allow: [429] })
    if (!answer.ok) return
    const lines: string[] = (answer.body ?? '').split('\n').slice(0, -1)
    for (const line of lines) see(JSON.parse(line)[id])
    end()
  }

  return [
    [10, create],
    [10, read],
    [12, update],
    [4, cycle],
    [5, upsert],
    [3, batch],
    [3, readMany],
    [3, batchChange],
    [6, filter],
    [0.5, search],
    [1, walk],
    [0.5, exportAll],
  ]
}

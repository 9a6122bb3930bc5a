import { chance, newNonce, oneOf } from '../dice.ts'
import type { Sent } from '../requests.ts'
import type { Act, Acts, Visit } from './act.ts'

export type RecordKind = {
  kind: 'contact' | 'company' | 'deal'
  plural: 'contacts' | 'companies' | 'deals'
  id: string
  fields: readonly string[]
  value(visit: Visit, field: string): string
  body(visit: Visit, nonce: string): Record<string, unknown>
  /** The members of an upsert that finds a word's record again, and the field to match on. */
  upsert(visit: Visit, word: string): Record<string, unknown>
  filters(visit: Visit): Record<string, string>[]
}

/** `source` is a nonce by which the audit finds the created record. */
export const common = (visit: Visit, nonce: string) => ({
  ...{ source: nonce, tags: [visit.actor.marker, oneOf(['red', 'green', 'blue'])] },
  custom: { marker: visit.actor.marker, plan: visit.text(nonce) },
})

// All organizations use the same values: the audit would notice a write to the wrong one.
const upsertWords = Array.from({ length: 30 }, () => newNonce())

export function recordActs(type: RecordKind): Acts {
  const { kind, plural, id, fields } = type
  const name = (verb: string, word: string = kind) => `${verb}_${word}`
  const sent = (visit: Visit) => (nonce: string) => {
    const body = type.body(visit, nonce)
    for (const field of fields) body[field] = type.value(visit, field)
    return { body, mode: chance(0.1) ? 'test' : 'live' } satisfies Sent
  }
  const made = (visit: Visit) =>
    visit.create(kind, name('create'), sent(visit), (body) => body.data[id], fields)

  const create: Act = async (visit) => {
    const told = await made(visit)
    if (!told) return
    visit.keep(oneOf([`plain ${kind}`, `plain ${kind}`, `cycled ${kind}`]), told.body.data[id])
    visit.version(kind, told.body.data[id], told.body.data)
  }

  const read: Act = async (visit) => {
    const one = visit.pick(`plain ${kind}`)
    if (!one) return create(visit)
    const told = await visit.send(name('get'), { params: { [id]: one } })
    if (!told.ok) return
    visit.sees(kind, one, fields, told.body.data, told)
    visit.version(kind, one, told.body.data)
  }

  const update: Act = async (visit) => {
    const one = visit.pick(`plain ${kind}`)
    if (!one) return create(visit)
    const params = { [id]: one }
    const field = oneOf(fields)
    const change = { [field]: type.value(visit, field) }
    const bound = chance(0.3) ? await visit.send(name('get'), { params }) : null
    const request: Sent = {
      ...{ params, body: change, allow: [409] },
      ...(bound && { ifMatch: bound.body.data.version }),
    }
    const told = await visit.change(kind, one, change, name('update'), request, `${kind}.updated`)
    if (told.ok) visit.version(kind, one, told.body.data)
  }

  const cycle: Act = async (visit) => {
    const one = visit.take(`cycled ${kind}`)
    if (!one) return create(visit)
    const params = { [id]: one }
    const move = async (verb: string, status: string, event: string) =>
      visit.change(kind, one, { $status: status }, name(verb), { params }, `${kind}.${event}`)
    await move('archive', 'archived', 'archived')
    if (chance(0.3)) {
      for (const field of fields) visit.ledger.writes.delete(`${kind} ${one} ${field}`)
      await move('erase', 'erased', 'erased')
      return
    }
    await move('restore', 'active', 'restored')
    visit.keep(`cycled ${kind}`, one)
  }

  const upsert: Act = async (visit) => {
    const word = upsertWords[Math.floor(Math.random() * upsertWords.length)]!
    const body = { ...type.upsert(visit, word), tags: [visit.actor.marker] }
    const told = await visit.send(name('upsert'), { body })
    if (!told.ok) return
    const one = told.body.data[id]
    visit.ledger.owners.set(one, visit.actor.orgId)
    visit.ledger.write(`upserted ${kind}`, `${visit.actor.orgId} ${word}`, 'id', {
      ...{ value: one, sentAt: told.sentAt, endAt: told.answeredAt, acknowledged: true },
    })
  }

  const batch: Act = async (visit) => {
    const nonces = Array.from({ length: 1 + Math.floor(Math.random() * 12) }, () => newNonce())
    const creations = nonces.map((nonce) => visit.ledger.begin(kind, visit.actor.orgId, nonce))
    const items: object[] = nonces.map((nonce) => sent(visit)(nonce).body)
    // An invalid item must not affect the others.
    items.push({ custom: { marker: visit.actor.marker }, currency: 'no' })
    const told = await visit.send(name('batch', plural), { body: { items } })
    if (!told.ok) return
    for (const [index, creation] of creations.entries()) {
      const item = told.body.data[index]
      if (item.outcome === 'created') visit.ledger.acknowledge(creation, item[id])
      else visit.ledger.fault(`an item of a batch is ${JSON.stringify(item)}`)
    }
    if (told.body.data.at(-1).outcome !== 'failed') visit.ledger.fault('a batch took an item that cannot be')
  }

  const readMany: Act = async (visit) => {
    const ids = [visit.pick(`plain ${kind}`), visit.pick(`plain ${kind}`)].filter((one) => one !== undefined)
    if (ids.length === 0) return create(visit)
    const told = await visit.send(name('read', plural), { body: { ids } })
    if (!told.ok) return
    for (const [index, one] of ids.entries()) {
      const { requested, status, record } = told.body.data[index]
      if (requested !== one || status !== 'found')
        visit.ledger.fault(`${one} is read as ${requested}, ${status}`)
      else visit.sees(kind, one, fields, record, told)
    }
  }

  /** Changes a record by its id in a batch that has another item with a wrong version. */
  const batchChange: Act = async (visit) => {
    const one = visit.pick(`plain ${kind}`)
    if (!one) return create(visit)
    const field = oneOf(fields)
    const change = { [field]: type.value(visit, field) }
    const items = [
      { [id]: one, ...change },
      { [id]: one, version: 0, ...change },
    ]
    const request: Sent = { body: { items, return: 'record' } }
    const told = await visit.change(kind, one, change, name('batch', plural), request, `${kind}.updated`)
    if (!told.ok) return
    const [changed, failed] = told.body.data
    if (changed.outcome !== 'updated') visit.ledger.fault(`a batch answers ${JSON.stringify(changed)}`)
    else visit.version(kind, one, changed.record)
    if (failed.code !== 'version_conflict') visit.ledger.fault('a batch ignored the version of an item')
  }

  const filter: Act = (visit) =>
    visit.send(name('list', plural), { query: { ...oneOf(type.filters(visit)), limit: 20 } })

  const search: Act = (visit) => {
    const made = { field: 'source', op: 'is_null', value: false }
    const body = { filter: { not: { and: [made, { field: 'version', op: 'lt', value: 2 }] } }, limit: 20 }
    return visit.send(name('search', plural), { body })
  }

  /** Checks that the pages of a list contain each record at most once, and every record that existed all the time. */
  const reading = (visit: Visit, what: string) => {
    const expected = new Set(visit.pool(`plain ${kind}`))
    const seen = new Set<string>()
    const see = (one: string) => {
      if (seen.has(one)) visit.ledger.fault(`${what} shows ${one} twice`)
      seen.add(one)
    }
    const end = () => {
      for (const one of expected)
        if (!seen.has(one)) visit.ledger.fault(`${what} of ${visit.actor.marker} leaves out ${one}`)
    }
    return { see, end }
  }

  const walk: Act = async (visit) => {
    const { see, end } = reading(visit, `a walk through ${plural}`)
    for (let cursor = ''; ; ) {
      const query = { limit: 100, ...(cursor && { cursor }) }
      const told = await visit.send(name('list', plural), { query })
      if (!told.ok) return
      for (const row of told.body.data) see(row[id])
      cursor = told.body.pagination.next_cursor
      if (cursor === null) break
    }
    end()
  }

  /** Exports everything. An organization has one export at a time. */
  const exportAll: Act = async (visit) => {
    const { see, end } = reading(visit, `an export of ${plural}`)
    const query = { format: 'jsonl', fields: `${id},created_at` }
    const told = await visit.send(name('export', plural), { query, allow: [429] })
    if (!told.ok) return
    const lines: string[] = (told.body ?? '').split('\n').slice(0, -1)
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

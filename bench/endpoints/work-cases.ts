// The cases of what people do with records: notes, tasks, segments and fields; see cases.ts.
import { randomInt } from 'node:crypto'
import { counts } from '../support/fill.ts'
import { type Case, fresh } from './cases.ts'
import type { Pools } from './subject.ts'

const about = (pools: Pools) => ({ entity_type: 'contact', record_id: pools.some('contact') })

/** Reads, changes and deletes the objects of a pool. The first case fills the pool. */
function object(
  path: string,
  kind: string,
  body: (pools: Pools) => object,
  change: () => object,
  most = 30,
): Case[] {
  const one = `${path}/{${kind}_id}`
  const id = (pools: Pools) => pools.peek(`new ${kind}`)
  return [
    { endpoint: `POST ${path}`, body, makes: [`new ${kind}`, `${kind}_id`], most, notBare: true },
    { endpoint: `GET ${path}` },
    { endpoint: `GET ${one}`, id },
    { endpoint: `PATCH ${one}`, id, body: change, notBare: true },
  ]
}

const deletion = (path: string, kind: string, most = 30): Case => ({
  endpoint: `DELETE ${path}/{${kind}_id}`,
  ...{ id: (pools) => pools.take(`new ${kind}`), most, notBare: true },
})

const task = '/tasks/{task_id}'
const taskCases: Case[] = [
  ...object(
    '/tasks',
    'task',
    (pools) => ({ ...about(pools), title: 'Call' }),
    () => ({ title: fresh() }),
  ),
  { endpoint: 'GET /tasks', query: (pools) => `?record_id=${pools.some('contact')}` },
  { endpoint: 'GET /tasks', query: () => '?status=done' },
  { endpoint: `POST ${task}/complete`, id: (pools) => pools.peek('new task'), most: 20, notBare: true },
  { endpoint: `POST ${task}/reopen`, id: (pools) => pools.peek('new task'), most: 20, notBare: true },
  deletion('/tasks', 'task'),
]

const noteCases: Case[] = [
  ...object(
    '/notes',
    'note',
    (pools) => ({ ...about(pools), text: 'Tea' }),
    () => ({ text: fresh() }),
  ),
  { endpoint: 'GET /notes', query: (pools) => `?record_id=${pools.some('contact')}` },
  deletion('/notes', 'note'),
]

// An organization can have 200.
const segmentCases: Case[] = [
  ...object(
    '/segments',
    'segment',
    () => ({ entity: 'contact', name: 'Tagged', filter: { field: 'tag', value: 't1' } }),
    () => ({ name: fresh() }),
    10,
  ),
  {
    endpoint: 'GET /contacts',
    query: (pools) => `?segment_id=${pools.peek('new segment')}`,
    grows: 'counts the records of the segment',
  },
  deletion('/segments', 'segment', 10),
]

// A record type can have 200.
const fieldCases: Case[] = [
  ...object(
    '/fields',
    'field',
    () => ({ entity: 'deal', key: `f${randomInt(1e9)}`, type: 'text' }),
    () => ({ label: fresh() }),
    10,
  ).map((each) =>
    each.endpoint === 'POST /fields'
      ? { ...each, readsAll: true, grows: 'reads the values of all records' }
      : each,
  ),
  deletion('/fields', 'field', 10),
]

export const workCases: Case[] = [
  ...[...noteCases, ...taskCases, ...segmentCases, ...fieldCases],
  { endpoint: 'GET /owners' },
  { endpoint: 'GET /contacts/{contact_id}/activity', id: (pools) => pools.some('contact') },
  { endpoint: 'GET /contacts/{contact_id}/touches', id: (pools) => pools.some('contact') },
  {
    endpoint: 'GET /companies/{company_id}/activity',
    id: (pools) => pools.some('company', counts(pools.size).companies),
  },
]

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { endpoints } from '../../src/api.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { type Answer, startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { backgroundTables, runAsOwner } from '../support/database.ts'
import { untilNoJobs } from '../support/jobs/left-jobs.ts'
import { makeOnce } from '../support/make-once.ts'
import { parameterKindsOf } from '../support/path-kinds.ts'
import { patience } from '../support/patience.ts'
import {
  call,
  everyEndpoint,
  exampleOf,
  idFields,
  makeObject,
  makeParams,
  type Params,
  unknownIds,
} from '../support/walk.ts'
import type { dropOrgFilters } from './without-org-filter.ts'

const withIdsIn = (part: 'query' | 'body') =>
  everyEndpoint.flatMap(([name, endpoint]) =>
    idFields(endpoint[part]).map((field): [string, Endpoint, string] => [
      `${name} ${part} ${field}`,
      endpoint,
      field,
    ]),
  )
const kinds = new Set([
  ...endpoints.flatMap((endpoint) => parameterKindsOf(endpoint).map(([, kind]) => kind)),
  ...[...withIdsIn('query'), ...withIdsIn('body')].map(([, , field]) => field),
])

/** An answer without parts that differ each time: the id and time of the request, and its rate limit. */
function said({ status, text, headers }: Answer, ...ids: string[]): unknown {
  const own = ['x-request-id', 'date']
  return {
    status,
    text: ids.reduce((said, id) => said.replaceAll(id, '<id>'), text),
    headers: [...headers].filter(([name]) => !own.includes(name)),
  }
}

/** Switches off one protection between orgs: the org filters, row-level security, or neither. */
export type Walls = {
  before?: () => ReturnType<typeof dropOrgFilters>
  after?: (app: TestApp) => Promise<unknown>
  /** The two orgs; by default an agency, and an org that is not one of its clients. */
  orgs?: (app: TestApp) => Promise<{ mine: TestOrg; other: TestOrg }>
  /** Whether `mine` gets 403 from an endpoint, whatever the id is; by default never. */
  refuses?: (endpoint: Endpoint) => boolean
}

/** An agency key with all permissions. The other org is not one of its clients. */
const strangers = async (app: TestApp) => ({
  mine: await app.newOrg({ isAgency: true, key: { isAgency: true } }),
  other: await app.newAgency(),
})

/** Declares the tests that an org neither sees nor changes anything of another one. */
export function testTenancy(name: string, walls: Walls): void {
  describe(`tenancy ${name}`, () => {
    let statements: ReturnType<typeof dropOrgFilters> | undefined
    let app: TestApp
    let mine: TestOrg
    let other: TestOrg
    const theirs: Params = {}
    let before: string[]
    // The requests below only read, or are refused, so they share objects.
    const make = makeOnce()

    beforeAll(async () => {
      statements = walls.before?.()
      app = await startTestApp()
      await walls.after?.(app)
      ;({ mine, other } = await (walls.orgs ?? strangers)(app))
      for (const kind of kinds) theirs[kind] = await makeObject(kind, other)
      await untilNoJobs(app.databaseUrl)
      await untilFactsAreFolded()
      before = await everythingOf(other)
    })
    afterAll(async () => {
      await app.close()
      statements?.restore()
    })

    test.each(everyEndpoint.filter(([, { path }]) => path.includes('{')))(
      '%s gives an id of another org the same answer as an unknown id',
      async (_name, endpoint) => {
        const named = parameterKindsOf(endpoint).map(([name, kind]) => [name, theirs[kind]!])
        const known = await call(endpoint, mine, Object.fromEntries(named))
        const unknown = await call(endpoint, mine, unknownIds(endpoint))
        expect(known.status).toBe(walls.refuses?.(endpoint) ? 403 : 404)
        expect(said(known)).toEqual(said(unknown))
      },
    )

    const lists = everyEndpoint.filter(([, { method, path }]) => method === 'GET' && !path.includes('{'))
    test.each(lists)('%s shows no data of another org', async (_name, endpoint) => {
      const query = endpoint.query && 'limit' in endpoint.query.shape ? '?limit=100' : ''
      const answer = await call(endpoint, mine, await makeParams(endpoint, mine, make), { query })
      expect(answer.status).toBe(walls.refuses?.(endpoint) ? 403 : 200)
      // Ignore digits in texts, because another org's number may have the same.
      const shown = Object.values(theirs).map((id) => (/^\d+$/.test(id) ? `"mailbox_id":${id},` : id))
      const words = [other.orgId, other.apiKeyId, ...shown]
      expect(words.filter((word) => answer.text.includes(word))).toEqual([])
    })

    test.each(withIdsIn('query'))(
      '%s finds nothing by an id of another org',
      async (_name, endpoint, field) => {
        const params = await makeParams(endpoint, mine, make)
        const ask = (id: string) => call(endpoint, mine, params, { query: `?${field}=${id}` })
        const known = await ask(theirs[field]!)
        const nothing = { data: [], pagination: { total: 0 } }
        const noItems = {
          [endpoint.path.includes('visitors') ? 'visitors' : 'events']: [],
          next_cursor: null,
        }
        // A list of candidates needs an existing record. In other lists, an id is only a filter.
        // Only an unknown segment gives a 404 in lists of records.
        const takesSegment = endpoint.query !== undefined && 'segment_id' in endpoint.query.shape
        const needsObject =
          field === 'segment_id' ||
          (endpoint.errors?.[404] !== undefined && !takesSegment && !endpoint.path.includes('{'))
        const isFilter = endpoint.shape === 'page' && !needsObject
        const isStream =
          endpoint.shape === 'data' && endpoint.query !== undefined && 'cursor' in endpoint.query.shape
        const heading = expect.stringMatching(/^[\w,]+\r\n$/)
        const expected = isFilter
          ? { status: 200, body: nothing }
          : isStream
            ? { status: 200, body: { data: noItems } }
            : { status: 404 }
        const isFile = endpoint.shape === 'file' && field !== 'segment_id'
        expect(known).toMatchObject(isFile ? { status: 200, text: heading } : expected)
        expect(said(known)).toEqual(said(await ask(randomUUID())))
      },
    )

    test.each(withIdsIn('body'))(
      '%s refuses an id of another org like an unknown id',
      async (_name, endpoint, field) => {
        const params = await makeParams(endpoint, mine, make)
        const example = exampleOf(endpoint, params) as object
        const send = (id: string) => call(endpoint, mine, params, { body: { ...example, [field]: id } })
        const id = randomUUID()
        const known = await send(theirs[field]!)
        expect([known.status, known.body.detail]).toEqual([404, expect.stringContaining(field)])
        expect(said(known, theirs[field]!)).toEqual(said(await send(id), id))
      },
    )

    test('an item of a batch with a company of another org fails like one with an unknown company', async () => {
      const id = randomUUID()
      const send = (company_id: string) =>
        mine.post('/contacts/batch', { items: [{ first_name: 'A', company_id }] })
      const known = await send(theirs.company_id!)
      expect(known.body.data).toMatchObject([{ index: 0, outcome: 'failed' }])
      expect(said(known, theirs.company_id!)).toEqual(said(await send(id), id))
    })

    test("upserts and lists do not see the other org's records", async () => {
      const person = { email: 'shared@example.com', external_ids: { crm: 'shared' } }
      const inOther = await other.post('/contacts', person)
      for (const match_on of ['email', 'external_id']) {
        const upserted = await mine.post('/contacts/upsert', { match_on, ...person })
        expect(upserted.body.data.contact_id).not.toBe(inOther.body.data.contact_id)
      }
      for (const query of ['', '?email=shared@example.com', '?q=shared']) {
        const { data, pagination } = (await mine.get(`/contacts${query}`)).body
        const ids = data.map(({ contact_id }: { contact_id: string }) => contact_id)
        expect(ids).not.toContain(inOther.body.data.contact_id)
        expect(pagination.total).toBe(ids.length)
      }
      await other.post(`/contacts/${inOther.body.data.contact_id}/erase`)
    })

    test('the org’s own data can be read and changed', async () => {
      const contactId = await makeObject('contact_id', mine)
      expect((await mine.get(`/contacts/${contactId}`)).status).toBe(200)
      expect((await mine.patch(`/contacts/${contactId}`, { city: 'Here' })).body.data.city).toBe('Here')
      expect((await mine.get(`/events?object_id=${contactId}`)).body.pagination.total).toBe(2)
    })

    test('the requests of this test changed no data of the other org', async () => {
      const after = await everythingOf(other)
      expect(before.length).toBeGreaterThan(kinds.size)
      expect(before.filter((row) => !after.includes(row))).toEqual([])
    })

    if (walls.before) {
      test('without org filters and row-level security, statements do read rows of other orgs', async () => {
        const { changed } = statements!
        expect(changed.size).toBeGreaterThan(20)
        expect([...changed].filter((sql) => /\borg_id"? = /.test(sql))).toEqual([])
        const find = [...changed].find((sql) => sql.endsWith('and n.contact_id = $3)'))!
        const asSystem = await app.operate((tx) =>
          tx.rows({ text: find, values: [mine.orgId, mine.orgId, theirs.contact_id] }),
        )
        expect(asSystem).toMatchObject([{ contact_id: theirs.contact_id }])
      })
    }

    if (walls.after) {
      test('this test runs without row-level security', async () => {
        const { database } = app.app.context
        const rows = await database
          .org(mine.orgId)
          .readRows<{ contact_id: string }>({ text: 'select contact_id from contact', values: [] })
        expect(rows.map((row) => row.contact_id)).toContain(theirs.contact_id)
      })
    }

    /** Contacts may be written a second after the events that name them. */
    const untilFactsAreFolded = () =>
      vi.waitFor(async () => {
        const pending = await runAsOwner(app.databaseUrl, 'select from identity_fact where is_pending', [])
        expect(pending).toEqual([])
      }, patience)

    /**
     * Every row of an org as text. Totals and the last use of keys are left out, because background work changes them.
     */
    async function everythingOf({ orgId }: TestOrg): Promise<string[]> {
      const tables = await runAsOwner<{ name: string }>(
        app.databaseUrl,
        `select table_name as name from information_schema.columns
         where table_schema = 'public' and column_name = 'org_id' and table_name <> all($1)`,
        [backgroundTables],
      )
      const lastUse = (name: string) => (name === 'write_key' ? 'last_seen_at' : 'last_used_at')
      const parts = tables.map(
        ({ name }) =>
          `select '${name} ' || (to_jsonb(t) - '${lastUse(name)}')::text as row from "${name}" t where org_id = $1`,
      )
      const rows = await runAsOwner<{ row: string }>(app.databaseUrl, parts.join(' union all '), [orgId])
      return rows.map(({ row }) => row)
    }
  })
}

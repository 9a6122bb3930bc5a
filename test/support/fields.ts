import { expect } from 'vitest'
import { replaceIndex } from '../../src/fields/indexes.ts'
import { newId } from '../../src/platform/db/new-id.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { TestApp, TestOrg } from './app.ts'
import { eventually } from './eventually.ts'

type IndexedValue = { index_id: string; value: string; record_id: string }

/** What tests of the indexes of contacts need. */
export function fieldTools(app: TestApp, org: TestOrg) {
  const indexedValues = (): Promise<IndexedValue[]> =>
    app.operateOn(org.orgId, (tx) =>
      tx.rows(sql<IndexedValue>`
        select index_id, value, record_id from field_value where org_id = ${tx.orgId} order by 1, 2, 3`),
    )
  return {
    indexedValues,
    /** Defines a field of contacts. */
    async define(fields: object) {
      const { status, body, text } = await org.post('/fields', { entity: 'contact', ...fields })
      if (status !== 201) throw new Error(text)
      return body.data
    },
    /** Waits until all indexes are built. */
    untilReady: () =>
      eventually(async () => {
        const { fields } = (await org.get('/fields')).body.data
        const states = fields.map(({ index_state: state }: { index_state: string | null }) => state)
        expect(states).not.toContain('building')
      }),
    untilIndexed: (isDone: (rows: string[]) => boolean) =>
      eventually(async () => {
        const rows = (await indexedValues()).map((row) => JSON.stringify(row))
        expect(isDone(rows), rows.join('\n')).toBe(true)
      }),
    /** Inserts a contact for each text of `custom`, named by its number. */
    insertContacts(customs: readonly string[]) {
      const ids = customs.map(() => newId())
      return app.operateOn(org.orgId, (tx) =>
        tx.run(sql`
          insert into contact (org_id, contact_id, first_name, custom, search, created_at, updated_at)
          select ${tx.orgId}, id, 'n' || number, custom::json, '', now(), now()
          from unnest(${ids}::uuid[], ${customs}::text[]) with ordinality as c (id, custom, number)`),
      )
    },
    /** Gives the field an index whose job does not run yet. Returns the id of the index. */
    async beginIndex(fieldId: string): Promise<string> {
      return app.operateOn(org.orgId, async (tx) => {
        const jobs = { enqueue: async () => {} } as unknown as typeof app.app.context.jobs
        await replaceIndex(tx, jobs, fieldId, { before: null, isIndexed: true })
        const row = await tx.first(sql<{ index_id: string }>`
          select index_id from field_definition where org_id = ${tx.orgId} and field_id = ${fieldId}`)
        return row!.index_id
      })
    },
    /** Expects that the indexes have the values of all active contacts, and nothing else. */
    async expectIndexesComplete() {
      const [wanted, found] = await app.operateOn(org.orgId, (tx) =>
        Promise.all([
          tx.rows(sql<IndexedValue>`
            select d.index_id, v.value, c.contact_id as record_id
            from field_definition d
            join contact c on c.org_id = d.org_id and c.status = 'active'
            cross join lateral unnest(app.field_values(c.custom, d.key, d.type)) as v (value)
            where d.org_id = ${tx.orgId} and d.entity = 'contact' and d.index_id is not null order by 1, 2, 3`),
          tx.rows(sql<IndexedValue>`
            select index_id, value, record_id from field_value where org_id = ${tx.orgId} order by 1, 2, 3`),
        ]),
      )
      expect(found).toEqual(wanted)
    },
  }
}

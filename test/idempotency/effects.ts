import { expect, vi } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { backgroundTables, runAsOwner } from '../support/database.ts'
import { patience } from '../support/patience.ts'

const tables = new Map<string, Promise<{ name: string }[]>>()

function tablesOf(databaseUrl: string): Promise<{ name: string }[]> {
  const known = tables.get(databaseUrl)
  if (known) return known
  const text = `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1)`
  const found = runAsOwner<{ name: string }>(databaseUrl, text, [backgroundTables])
  tables.set(databaseUrl, found)
  return found
}

/** The number of rows in each table, after all imports and pushes have ended. */
export async function countEffects({ databaseUrl }: TestApp): Promise<Record<string, number>> {
  const working = () =>
    runAsOwner(
      databaseUrl,
      `
          select from import where status in ('queued', 'running', 'reverting')
          union all select from signature_deployment where asked > done
          union all select from crm_job j where status in ('queued', 'running')
            -- The push of the slow person counts as ended when the sandbox has the person.
            and (j.cancel_requested or not exists (
              select from crm_link l join contact c on c.org_id = l.org_id and c.contact_id = l.contact_id
              where l.org_id = j.org_id and l.connection_id = j.connection_id and c.email like '%+slow@%'
            ))`,
    )
  await vi.waitFor(async () => expect(await working()).toEqual([]), patience)
  const counts = (await tablesOf(databaseUrl)).map(
    ({ name }) => `(select count(*)::int from ${name}) as ${name}`,
  )
  const [counted] = await runAsOwner<Record<string, number>>(databaseUrl, `select ${counts.join(', ')}`)
  return counted!
}

/** How many rows each table has gained since `before`. */
export async function effectsSince(
  app: TestApp,
  before: Record<string, number>,
): Promise<Record<string, number>> {
  const after = await countEffects(app)
  const differences = Object.keys(after).map((table): [string, number] => [
    table,
    after[table]! - before[table]!,
  ])
  return Object.fromEntries(differences.filter(([, difference]) => difference !== 0))
}

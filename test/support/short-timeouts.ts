import type { Context } from '../../src/platform/context.ts'
import { Database } from '../../src/platform/db/database.ts'
import { createLog } from '../../src/platform/log.ts'
import type { TestApp } from './app.ts'
import { testKey } from './database.ts'

/** Makes the database cancel statements after 300 ms, so that waits for locks fail soon. */
export async function withShortTimeouts<Result>(
  { app, databaseUrl }: TestApp,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const options = { url: databaseUrl, rootKey: testKey, roles: 'login' as const, log: createLog('silent') }
  const database = new Database({ ...options, statementTimeoutMs: 300 })
  try {
    return await work({ ...app.context, database })
  } finally {
    await database.close()
  }
}

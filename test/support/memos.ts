import { Client } from 'pg'
import { afterAll, beforeEach, expect, inject, vi } from 'vitest'

import { Database, type DatabaseLimits } from '../../src/platform/db/database.ts'
import type { Statement } from '../../src/platform/db/statement.ts'
import { createLog } from '../../src/platform/log.ts'

import { cloneDatabase, testKey } from './database.ts'

/**
 * A database with a table `memo` and several ways to make a commit fail. Each test starts with an empty table. An
 * unhandled rejection fails the file.
 */
export async function openMemos() {
  const copy = await cloneDatabase(inject('databaseUrl'))
  const owner = new Client({ connectionString: copy.url })
  await owner.connect()
  await owner.query(`
    create table memo (id integer primary key, text text not null, number integer,
      unique (number) deferrable initially deferred);
    grant all on memo to crosswalk_app, crosswalk_system;
    create function app.at_commit() returns trigger language plpgsql as $$ begin
      if new.text = 'killed at commit' then perform pg_terminate_backend(pg_backend_pid()); end if;
      return null;
    end $$;
    create constraint trigger at_commit after insert on memo deferrable initially deferred
      for each row execute function app.at_commit();`)
  const open = (limits: DatabaseLimits = {}) =>
    new Database({ ...limits, url: copy.url, rootKey: testKey, roles: 'login', log: createLog('silent') })
  // Use a single connection: if a test leaves state on it, the next test notices.
  const database = open({ appConnections: 1, systemConnections: 1 })
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  beforeEach(() => owner.query('truncate memo'))
  afterAll(async () => {
    await Promise.all([database.close(), owner.end()])
    await copy.drop()
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
  return {
    url: copy.url,
    owner,
    /** The caller closes these pools. */
    open,
    database,
    org: database.org('00000000-0000-7000-8000-000000000001'),
    memos: async (): Promise<number[]> =>
      (await owner.query('select id from memo order by id')).rows.map(({ id }) => id),
  }
}

export const insertMemo = (id: number, text = 'kept', number: unknown = null): Statement<never> => ({
  text: 'insert into memo (id, text, number) values ($1, $2, $3)',
  values: [id, text, number],
})

export const backendPid: Statement<{ pid: number }> = { text: 'select pg_backend_pid() as pid', values: [] }

/** A gate between two transactions: one waits for `passed`, and the other calls `open`. */
export function gate(): { passed: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

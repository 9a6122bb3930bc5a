import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { OperatorError } from '../../src/platform/report.ts'
import { prepareDatabase } from '../../src/prepare-database.ts'
import { freshKey, installedPostgres, OwnPostgres, password } from './own-postgres.ts'

export const silent = createLog('silent')
export const [key, otherKey]: [Buffer, Buffer] = [freshKey(), freshKey()]

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const modeOf = async (url: string, withKey: Buffer = key): Promise<string> =>
  (await prepareDatabase(url, withKey, silent)).roles

/** The error message of a refused database. */
export async function refusal(url: string, withKey: Buffer = key): Promise<string> {
  const error = await prepareDatabase(url, withKey, silent).then(
    () => null,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(OperatorError)
  return error.message
}

/** The SQL that a message tells the administrator to run. */
export const advisedSql = (message: string): string[] =>
  [...message.matchAll(/^ {2}(.*;)$/gm)].map(([, statement]) => statement!)

/** Returns the URL of a new role with `rights` that owns a new database. */
export async function newOwnedDatabase(
  server: OwnPostgres,
  role: string,
  rights: string,
  database = 'crosswalk',
): Promise<string> {
  await server.run(
    'postgres',
    `create role ${quoted(role)} login password '${password}' ${rights}`,
    `create database ${quoted(database)} owner ${quoted(role)}`,
  )
  return server.url(database, role)
}

export function describeEachPostgres(tests: (server: () => OwnPostgres, major: number) => void): void {
  describe.each(installedPostgres())('PostgreSQL $version', (postgres) => {
    let server: OwnPostgres
    beforeAll(async () => {
      server = await OwnPostgres.create(postgres)
    })
    afterEach(() => server.clear())
    afterAll(() => server?.remove())
    tests(() => server, Number.parseInt(postgres.version, 10))
  })
}

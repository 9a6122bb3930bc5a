import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { type InstalledPostgres, installedPostgres } from '../support/own-postgres.ts'

const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(delimiter)]
const pathOf = (program: string) =>
  folders.map((folder) => join(folder, program)).find((path) => existsSync(path))

const installation = 'apt-get install -y patroni python3-etcd etcd-server haproxy postgresql'

export type Programs = {
  patroni: string
  patronictl: string
  etcd: string
  haproxy: string
  postgres: InstalledPostgres
}

/** The programs of Debian's packages. Without them, skips the tests. In CI and in `npm run test:failover`, fails. */
export function programsOrSkip(): Programs | undefined {
  const postgres = installedPostgres().at(-1)
  const [patroni, patronictl] = [pathOf('patroni'), pathOf('patronictl')]
  const [etcd, haproxy] = [pathOf('etcd'), pathOf('haproxy')]
  if (postgres && patroni && patronictl && etcd && haproxy)
    return { patroni, patronictl, etcd, haproxy, postgres }
  const isWanted = process.env.CI === 'true' || process.env.npm_lifecycle_event === 'test:failover'
  const title = `failover with Patroni: SKIPPED, because programs are missing (${installation})`
  // Vitest does not print the titles of skipped tests.
  if (!isWanted) console.warn(title)
  test.runIf(isWanted)(title, () =>
    expect({ patroni, patronictl, etcd, haproxy, postgres }).toEqual('all installed'),
  )
  return undefined
}

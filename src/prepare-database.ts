import type { Client } from 'pg'
import type { Installation } from './installation.ts'
import { connectionConfig } from './platform/db/address.ts'
import { installedJobs, installJobs } from './platform/jobs/engine/install.ts'
import type { Log } from './platform/log.ts'
import { OperatorError } from './platform/report.ts'
import type { EncryptionKeyChange } from './platform/secrets/reseal.ts'
import { defaultLockWaits, type LockWaits } from './platform/setup/lock-retries.ts'
import { type Migrated, type MigrateOptions, type MissingSchema, migrate } from './platform/setup/migrate.ts'

/**
 * Migrates the database, and installs the schema of the job engine.
 * @param newKey set to replace the key of the database by `rootKey` at once
 * @param oldKey another key that the database may still have
 */
export function prepareDatabase(
  databaseUrl: string,
  rootKey: Buffer,
  log: Log,
  newKey: EncryptionKeyChange | null = null,
  {
    lockWaits = defaultLockWaits,
    pooled = null,
    oldKey = null,
  }: Pick<MigrateOptions, 'lockWaits' | 'pooled' | 'oldKey'> = {},
): Promise<Migrated> {
  return migrate(databaseUrl, rootKey, log, {
    afterwards: (owner) => completeDatabase(owner, databaseUrl, log, lockWaits),
    newKey,
    oldKey,
    lockWaits,
    pooled,
  })
}

/**
 * Prepares the database for a command, without loading every job. If the schema is already that of this version, the
 * server installs new queues later.
 * @param makesDatabase whether the command may make the schema in an empty database. No command upgrades one.
 * @param makesMonths false for a command that only reads: it must not repair what it reports
 * @throws OperatorError if the database lacks migrations of this version
 */
export function prepareForCommand(
  { databaseUrl, rootKey, oldKey }: Pick<Installation, 'databaseUrl' | 'rootKey' | 'oldKey'>,
  log: Log,
  { makesDatabase, makesMonths }: { makesDatabase: boolean; makesMonths: boolean },
): Promise<Migrated> {
  return migrate(databaseUrl, rootKey, log, {
    oldKey,
    allow: (schema) => {
      if (schema === 'older' || !makesDatabase) throw new OperatorError(missingSchema[schema])
    },
    afterwards: async (owner, applied) => {
      if (makesMonths) await owner.query(makeMonths)
      if (applied.length > 0 || (await installedJobs(owner)) === null)
        await completeDatabase(owner, databaseUrl, log, defaultLockWaits)
    },
  })
}

const missingSchema: Record<MissingSchema, string> = {
  none:
    'The database has no schema of Crosswalk. Is it the right one? npm run crosswalk -- doctor shows its address. ' +
    'To create the schema, start the server, or run npm run crosswalk -- migrate.',
  older:
    'The database has the schema of an earlier version, and this command does not upgrade it. Back it up, and ' +
    'then start the server, or run npm run crosswalk -- migrate.',
}

// A backup that is months old lacks the partition of the current month.
const makeMonths = 'select app.make_event_months()'

async function completeDatabase(
  owner: Client,
  databaseUrl: string,
  log: Log,
  { attemptMs }: LockWaits,
): Promise<void> {
  const { jobs } = await import('./worker.ts')
  const { renewMatchKeys } = await import('./duplicates/match-key-versions.ts')
  const { renewEventEra } = await import('./events/era.ts')
  await owner.query(makeMonths)
  await installJobs(owner, connectionConfig(databaseUrl, { lock_timeout: attemptMs }), jobs)
  if (await renewEventEra(owner)) log.info('this database was restored here: the event log continues')
  const areOld = await renewMatchKeys(owner)
  if (areOld)
    log.info('this version computes match keys differently: they are written again in the background')
}

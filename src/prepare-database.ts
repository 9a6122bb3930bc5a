import { renewMatchKeys } from './duplicates/key-versions.ts'
import { connectionConfig } from './platform/db/address.ts'
import { type Migrated, migrate } from './platform/db/setup/migrate.ts'
import { installJobs } from './platform/jobs/install.ts'
import type { Log } from './platform/log.ts'
import type { KeyChange } from './platform/secrets/reseal.ts'
import { jobs } from './worker.ts'

/**
 * Migrates the database, with the job engine's schema.
 * @param newKey takes `rootKey` for the database's from now on, though it was set up with another
 */
export function prepareDatabase(
  databaseUrl: string,
  rootKey: Buffer,
  log: Log,
  newKey: KeyChange | null = null,
): Promise<Migrated> {
  return migrate(databaseUrl, rootKey, log, {
    afterwards: async (owner) => {
      await installJobs(owner, connectionConfig(databaseUrl), jobs)
      const areOld = await renewMatchKeys(owner)
      if (areOld) log.info('match keys are made in another way now: they are written anew in the background')
    },
    newKey,
  })
}

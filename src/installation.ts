import type { Config } from './platform/config.ts'
import { type EmbeddedPostgres, startEmbedded } from './platform/db/embedded/embedded.ts'
import { explainFileError } from './platform/db/embedded/faults.ts'
import { readEncryptionKey } from './platform/encryption-key.ts'
import type { Log } from './platform/log.ts'

/** The database and the root key of this installation. */
export type Installation = {
  /** Of the migrating role. It holds a password. */
  databaseUrl: string
  rootKey: Buffer
  /** Null with a DATABASE_URL of one's own. */
  embedded: EmbeddedPostgres | null
}

/**
 * Finds the database: that of DATABASE_URL, or the embedded one under DATA_DIR, which is started if need be.
 * @param role a `server` owns the embedded database; a `guest` (an operator's command) uses the one that runs
 */
export async function openInstallation(
  config: Config,
  log: Log,
  role: 'server' | 'guest',
): Promise<Installation> {
  const rootKey = readRootKey(config)
  if (config.databaseUrl !== null) return { databaseUrl: config.databaseUrl, rootKey, embedded: null }
  const embedded = await startEmbedded({ dataDir: config.dataDir, log, role })
  return { databaseUrl: embedded.url, rootKey, embedded }
}

function readRootKey(config: Config): Buffer {
  try {
    return readEncryptionKey(config)
  } catch (error) {
    // It is kept in DATA_DIR, and the first to find out that there can be none.
    throw explainFileError(error, config.dataDir)
  }
}

import type { Config } from './platform/config.ts'
import { type EmbeddedPostgres, startEmbedded } from './platform/db/embedded/embedded.ts'
import { explainFileError } from './platform/db/embedded/faults.ts'
import { readEncryptionKey } from './platform/encryption-key.ts'
import type { Log } from './platform/log.ts'

/** The database and the root key of this installation. */
export type Installation = {
  /** The URL of the migrating role. It contains a password. */
  databaseUrl: string
  rootKey: Buffer
  /** null if DATABASE_URL is set. */
  embedded: EmbeddedPostgres | null
}

/**
 * Opens the database of DATABASE_URL, or the embedded one under DATA_DIR. If the embedded database does not run, this
 * function starts it.
 * @param role a `server` owns the embedded database; a `guest` (a command of an operator) uses the running one
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
    // The key is stored in DATA_DIR, so reading it is the first step that fails if DATA_DIR cannot be used.
    throw explainFileError(error, config.dataDir)
  }
}

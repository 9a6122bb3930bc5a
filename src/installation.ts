import type { Config } from './platform/config.ts'
import { type EmbeddedPostgres, startEmbedded } from './platform/db/embedded/embedded.ts'
import { explainFileError } from './platform/db/embedded/faults.ts'
import { readEncryptionKey } from './platform/encryption-key.ts'
import type { Log } from './platform/log.ts'

export type Installation = {
  /** The URL of the migrating role, including a password. */
  databaseUrl: string
  rootKey: Buffer
  /** null if DATABASE_URL is set. */
  embedded: EmbeddedPostgres | null
}

/**
 * Opens the database of DATABASE_URL, or starts or joins the embedded one under DATA_DIR.
 * @param role a `server` owns the embedded database; a `guest`, such as an operator's command, uses the running one
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
    // If DATA_DIR is unusable, reading the key is the first step that fails.
    throw explainFileError(error, config.dataDir)
  }
}

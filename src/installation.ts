import type { Config } from './platform/config.ts'
import { type EmbeddedPostgres, startEmbedded } from './platform/db/embedded/embedded.ts'
import { explainFileError } from './platform/db/embedded/faults.ts'
import { readEncryptionKey, readOldEncryptionKey } from './platform/encryption-key.ts'
import type { Log } from './platform/log.ts'

export type Installation = {
  /** The URL of the migrating role, including a password, to PostgreSQL itself (DIRECT_DATABASE_URL, if it is set). */
  databaseUrl: string
  rootKey: Buffer
  /** The previous encryption key; null unless the key is being changed. */
  oldKey: Buffer | null
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
  const keys = { rootKey: readRootKey(config), oldKey: readOldEncryptionKey(config) }
  const databaseUrl = config.directDatabaseUrl ?? config.databaseUrl
  if (databaseUrl !== null) return { databaseUrl, ...keys, embedded: null }
  const embedded = await startEmbedded({ dataDir: config.dataDir, log, role })
  return { databaseUrl: embedded.url, ...keys, embedded }
}

/** Runs work with the database. If the embedded PostgreSQL ends meanwhile, the error gives the reason. */
export async function explaining<Result>(
  { embedded }: Pick<Installation, 'embedded'>,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw embedded ? embedded.explain(error) : error
  }
}

function readRootKey(config: Config): Buffer {
  try {
    return readEncryptionKey(config)
  } catch (error) {
    // If DATA_DIR is unusable, reading the key is the first step that fails.
    throw explainFileError(error, config.dataDir)
  }
}

import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { makeFile, makeFolder } from './files.ts'
import { fileReasonOf } from './report.ts'

/**
 * Reads the root key of 32 bytes from ENCRYPTION_KEY or ENCRYPTION_KEY_FILE. With the embedded
 * database, the default is `DATA_DIR/encryption.key`, which the first start creates (mode 0600).
 * @throws ConfigError if the file cannot be read or does not contain 32 bytes
 */
export function readEncryptionKey(config: Config): Buffer {
  if (config.encryptionKey) return decode(config.encryptionKey, 'ENCRYPTION_KEY')
  if (config.encryptionKeyFile) return decode(readText(config.encryptionKeyFile), 'ENCRYPTION_KEY_FILE')
  const file = join(config.dataDir, 'encryption.key')
  if (!existsSync(file)) {
    try {
      makeFolder(config.dataDir)
      // If another process created the file at the same time, use that process's key.
      makeFile(file, `${randomBytes(32).toString('base64')}\n`)
    } catch (error) {
      throw new ConfigError(
        `${file} cannot be created (${fileReasonOf(error)}): set DATA_DIR to a folder that this user may write.`,
      )
    }
  }
  return decode(readText(file), file)
}

/** Reads the previous root key from OLD_ENCRYPTION_KEY or OLD_ENCRYPTION_KEY_FILE; null if neither is set. @throws ConfigError */
export function readOldEncryptionKey(config: Config): Buffer | null {
  if (config.oldEncryptionKey) return decode(config.oldEncryptionKey, 'OLD_ENCRYPTION_KEY')
  if (config.oldEncryptionKeyFile)
    return decode(readText(config.oldEncryptionKeyFile), 'OLD_ENCRYPTION_KEY_FILE')
  return null
}

/** Derives a key for one purpose (HKDF-SHA-256). The same root key and purpose always give the same key. */
export function deriveKey(rootKey: Buffer, purpose: string, bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', rootKey, 'crosswalk', purpose, bytes))
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`The encryption key cannot be read: ${(error as Error).message}`)
  }
}

function decode(written: string, from: string): Buffer {
  const text = written.trim()
  const key = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length !== 32)
    throw new ConfigError(`${from} must contain 32 bytes, as base64 or as 64 hexadecimal digits`)
  return key
}

import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageError } from '../exit.ts'
import type { Io } from '../io.ts'
import { withLock } from './lock.ts'

export type Profile = {
  base_url: string
  api_key?: string
  /** A shell command that prints the API key. */
  api_key_command?: string
  /** The client to act on, for agency keys. */
  target_org?: string
  /** Signs the webhooks of `listen` and `trigger`. */
  webhook_secret?: string
}

export type ConfigFile = {
  default?: string
  profiles: Record<string, Profile>
  /** Signs webhooks without a profile. */
  webhook_secret?: string
}

/** The path of the file with the settings of this computer. */
export function configPath({ env }: Io): string {
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return join(folder, 'crosswalk', 'config.json')
}

/** @throws UsageError if other users may read the file, or if it is not the JSON that this command writes */
export function readConfig(io: Io): ConfigFile {
  const path = configPath(io)
  let text: string
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      throw new UsageError(`Other users can read ${path}, which has API keys. Run: chmod 600 ${path}`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} }
    throw error instanceof UsageError
      ? error
      : new UsageError(`${path} is unreadable: ${(error as Error).message}`)
  }
  try {
    const config = JSON.parse(text) as ConfigFile
    if (typeof config.profiles !== 'object' || config.profiles === null)
      throw new Error('it has no `profiles`')
    return config
  } catch (error) {
    // The message of a parser may quote the file.
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message
    throw new UsageError(`${path} is damaged: ${why}. Correct it, or delete it and run: crosswalk login`)
  }
}

/**
 * Changes the file, one process after the other, so that two logins at the same time keep both profiles. A symbolic link
 * stays a link.
 */
export async function changeConfig(io: Io, change: (config: ConfigFile) => ConfigFile): Promise<void> {
  const path = configPath(io)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  await withLock(`${path}.lock`, () => replaceFile(realPath(path), change(readConfig(io))))
}

/** Replaces the file as a whole. Only the user can read it. */
function replaceFile(path: string, config: ConfigFile): void {
  const part = `${path}.${process.pid}`
  rmSync(part, { force: true })
  writeFileSync(part, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(part, path)
}

/** Returns the file that a symbolic link leads to; the path itself if there is none yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

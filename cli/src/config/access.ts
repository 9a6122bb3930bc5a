import { spawnSync } from 'node:child_process'
import { exitCodes, Failure, UsageError } from '../exit.ts'
import type { Values } from '../flag.ts'
import type { Io } from '../io.ts'
import { nearest } from '../nearest.ts'
import { type ConfigFile, type Profile, readConfig } from './config-file.ts'
import { keyHelp } from './key-help.ts'

/** The server that a command uses, and its API key. */
export type Access = {
  baseUrl: string
  /** null: no profile is used. */
  profile: string | null
  targetOrg: string | null
  /** Says where the API key comes from. null: there is no key. */
  keySource: string | null
  /** @throws Failure without a key */
  key(): string
}

const localAddress = 'http://127.0.0.1:8080'

/** CROSSWALK_API_KEY wins over a profile. @throws UsageError for a profile that does not exist */
export function accessOf(io: Io, values: Values): Access {
  const config = readConfig(io)
  const name = profileName(config, values)
  const profile = name === null ? undefined : config.profiles[name]
  const envKey = io.env.CROSSWALK_API_KEY?.trim()
  const text = (flag: string) => values[flag] as string | undefined
  // The person may believe that they act on the organization of the profile.
  if (envKey && values.profile !== undefined)
    io.stderr.write(`CROSSWALK_API_KEY is set, so its key is used, and not the one of profile ${name}.\n`)
  return {
    baseUrl: text('base-url') ?? (io.env.CROSSWALK_URL || profile?.base_url || localAddress),
    profile: name,
    targetOrg: text('target-org') ?? io.env.CROSSWALK_TARGET_ORG ?? profile?.target_org ?? null,
    keySource: envKey ? 'CROSSWALK_API_KEY' : sourceOf(name, profile),
    key() {
      if (envKey) return envKey
      if (profile?.api_key) return profile.api_key
      if (profile?.api_key_command) return keyFrom(profile.api_key_command)
      throw new Failure(`There is no API key. ${keyHelp}`, exitCodes.notAllowed)
    },
  }
}

function sourceOf(name: string | null, profile: Profile | undefined): string | null {
  if (profile?.api_key) return `profile ${name}`
  return profile?.api_key_command ? `api_key_command of profile ${name}` : null
}

function profileName(config: ConfigFile, { profile }: Values): string | null {
  const names = Object.keys(config.profiles)
  if (profile === undefined)
    return config.default !== undefined && config.default in config.profiles ? config.default : null
  if (names.includes(String(profile))) return String(profile)
  const near = nearest(String(profile), names)
  const known =
    names.length > 0 ? `The profiles are ${names.join(', ')}.` : 'There are none yet: crosswalk login'
  throw new UsageError(`There is no profile "${profile}". ${near ? `Did you mean ${near}? ` : ''}${known}`)
}

/** Runs a command of a password manager, which may ask on the terminal. @throws Failure if it fails */
export function keyFrom(command: string): string {
  const { status, stdout, error } = spawnSync(command, {
    shell: true,
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  const [key = ''] = (stdout ?? '').split('\n')
  if (status === 0 && key.trim() !== '') return key.trim()
  const why = error?.message ?? (status === 0 ? 'it printed nothing' : `it ended with status ${status}`)
  throw new Failure(`api_key_command gave no API key: ${why}.`, exitCodes.notAllowed)
}

import type { Command } from '../command.ts'
import { changeConfig, readConfig } from '../config/config-file.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../exit.ts'
import type { Io } from '../io.ts'
import { nearest } from '../nearest.ts'

export const profiles: Command = {
  name: 'profiles',
  args: [],
  summary: 'List the stored profiles, without their API keys',
  prints: { members: ['name', 'default', 'base_url', 'key', 'target_org'] },
  async run(context) {
    const { default: usual, profiles } = readConfig(context.io)
    const rows = Object.entries(profiles).map(([name, profile]) => ({
      name,
      default: name === usual,
      base_url: profile.base_url,
      key: profile.api_key_command === undefined ? 'in the file' : 'from a command',
      target_org: profile.target_org ?? null,
    }))
    if (rows.length === 0) await context.say('There are no profiles yet. Run: crosswalk login')
    await context.result.value(rows)
    return undefined
  },
}

export const useProfile: Command = {
  name: 'profiles use',
  args: ['<profile>'],
  summary: 'Make a profile the default',
  async run(context, { args: [name = ''] }) {
    const { io } = context
    requireProfile(io, name)
    await changeConfig(io, (config) => ({ ...config, default: name }))
    await context.say(`The default profile is ${name}.`)
    return undefined
  },
}

export const removeProfile: Command = {
  name: 'profiles remove',
  args: ['<profile>'],
  summary: 'Delete a profile with its API key from this machine',
  description: 'The API key itself stays valid. To revoke it, use `crosswalk api-keys delete`.',
  async run(context: Context, { args: [name = ''] }) {
    const { io } = context
    requireProfile(io, name)
    await changeConfig(io, ({ default: usual, profiles, ...rest }) => {
      const { [name]: _removed, ...others } = profiles
      return {
        ...rest,
        ...(usual === name || usual === undefined ? {} : { default: usual }),
        profiles: others,
      }
    })
    await context.say(`Removed profile ${name}. Its API key stays valid.`)
    return undefined
  },
}

function requireProfile(io: Io, name: string): void {
  const names = Object.keys(readConfig(io).profiles)
  if (names.includes(name)) return
  const near = nearest(name, names)
  throw new UsageError(`There is no profile "${name}".${near ? ` Did you mean ${near}?` : ''}`)
}

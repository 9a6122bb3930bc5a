import { text } from 'node:stream/consumers'
import { Crosswalk } from '../../../sdk/src/main.ts'
import type { Command } from '../command.ts'
import { keyFrom } from '../config/access.ts'
import { changeConfig, configPath, type Profile, readConfig } from '../config/config-file.ts'
import { keyHelp } from '../config/key-help.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../exit.ts'
import type { ParsedArguments } from '../flag.ts'
import type { Io } from '../io.ts'
import { visible } from '../output/visible.ts'
import { ask, askSecret } from '../terminal/ask.ts'

export const login: Command = {
  name: 'login',
  args: [],
  summary: 'Check an API key and store it in a profile',
  description:
    'Asks for the address of Crosswalk and for an API key, which it does not show. The key goes to a file that only you can read. With `--command`, the file has a command that prints the key, and not the key itself.',
  flags: {
    name: { value: 'profile', text: 'The name of the profile; `default` without this flag.' },
    stdin: { text: 'Reads the API key from standard input.' },
    command: {
      value: 'command',
      text: 'A shell command that prints the API key, such as `pass show crosswalk`.',
    },
  },
  examples: [
    'login',
    'login --name acme --base-url https://crosswalk.example.com',
    "login --command 'pass show crosswalk'",
    'login --stdin < key.txt',
  ],
  run,
}

async function run(context: Context, { values }: ParsedArguments): Promise<undefined> {
  const { io } = context
  const name = String(values.name ?? 'default')
  const known = readConfig(io).profiles[name]
  const command = values.command as string | undefined
  if (!values.stdin && command === undefined && !io.stdin.isTTY)
    throw new UsageError(`There is no terminal to ask for the API key. Add --stdin or --command.\n${keyHelp}`)
  const address = await addressOf(context, known)
  const key = command === undefined ? await keyOf(io, values.stdin === true) : keyFrom(command)
  const target = values['target-org'] as string | undefined
  const client = new Crosswalk({ apiKey: key, baseUrl: address })
  const asked = target === undefined ? client : client.forOrg(target)
  const { org, mode, acting_on } = await asked.organization.get({ signal: io.signal })
  const profile: Profile = {
    base_url: address,
    ...(command === undefined ? { api_key: key } : { api_key_command: command }),
    ...(target === undefined ? {} : { target_org: target }),
    ...(known?.webhook_secret === undefined ? {} : { webhook_secret: known.webhook_secret }),
  }
  await changeConfig(io, (config) => ({
    ...config,
    default: config.default ?? name,
    profiles: { ...config.profiles, [name]: profile },
  }))
  const acting = acting_on.org_id === org.org_id ? '' : `, which acts on ${visible(acting_on.name)}`
  await context.say(`This is a ${mode} key of ${visible(org.name)}${acting}.`)
  await context.say(`Stored as profile ${visible(name)} in ${configPath(io)}, which only you can read.`)
  return undefined
}

async function addressOf({ io, access, values }: Context, known: Profile | undefined): Promise<string> {
  if (values['base-url'] !== undefined) return String(values['base-url'])
  const usual = io.env.CROSSWALK_URL || known?.base_url || access.baseUrl
  if (!io.stdin.isTTY || values.stdin) return usual
  return (await ask(io, `Address of Crosswalk [${usual}]: `)).trim() || usual
}

async function keyOf(io: Io, isPiped: boolean): Promise<string> {
  const typed = isPiped ? await text(io.stdin) : await askSecret(io, 'API key (not shown): ')
  return typed.trim()
}

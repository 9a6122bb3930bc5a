import { commandsBelow } from './find-command.ts'
import { handWritten } from './hand-written.ts'
import { listHelp } from './help.ts'
import { wrapped } from './output/width.ts'

/** Returns the help without a command: the commands written by hand, and the resources of the API. */
export async function overview(width: number): Promise<string> {
  const commands = await commandsBelow([])
  const order = [...handWritten.keys()]
  const own = commands
    .filter(({ name }) => handWritten.has(name))
    .sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
  const resources = [
    ...new Set(
      commands.filter(({ name }) => !handWritten.has(name)).map(({ name }) => name.split(' ')[0] ?? ''),
    ),
  ]
  return [
    'Work with Crosswalk from a terminal or a script.',
    '',
    'Usage: crosswalk <command> [flags]',
    '',
    'Commands:',
    listHelp(own, width),
    'Every operation of the API is also a command:',
    '  crosswalk <resource> <verb> [id] [flags]',
    'The resources:',
    ...wrapped(resources.join(', '), Math.min(width, 100) - 2).map((line) => `  ${line}`),
    '',
    'Verbs of a resource: crosswalk contacts --help',
    'Flags of a command:  crosswalk contacts list --help',
    'Give the API key with `crosswalk login`, or in CROSSWALK_API_KEY.',
    '',
  ].join('\n')
}

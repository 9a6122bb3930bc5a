import { expect, test } from 'vitest'
import { readArguments } from '../../cli/src/arguments.ts'
import { findCommand } from '../../cli/src/find-command.ts'

test.each<[typed: string, says: string]>([
  ['contacts list --json', 'crosswalk contacts list has no flag --json. Did you mean -o json?'],
  ['contacts get --csv=a.csv 1', 'crosswalk contacts get has no flag --csv. Did you mean -o csv?'],
  ['contacts list --format json', 'crosswalk contacts list has no flag --format. Did you mean --output?'],
  ['contacts list -n 5', 'crosswalk contacts list has no flag -n.'],
  ['contacts list --limit', '--limit needs a value.'],
  ['contacts list --limit --all', '--limit needs a value.'],
  ['contacts list --all=yes', '--all takes no value.'],
])('the command crosswalk %s says: %s', async (typed, says) => {
  const { command, rest } = await findCommand(typed.split(' '))
  expect(() => readArguments(command, rest)).toThrow(`${says}\nUsage: `)
})

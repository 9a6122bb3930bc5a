import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { cleanUp, fileNamed } from '../support/processes.ts'
import { linesOf } from './programs.ts'

const app = await sharedTestApp()
afterAll(async () => {
  await cleanUp()
  await app.close()
})

describe('the programs in the docs', () => {
  test('the program of docs/guides/sdk.md prints the output that the page shows', async () => {
    const printed = await linesOf('docs/guides/sdk.md', await app.newOrg())
    expect(printed).toEqual([
      '1',
      'ada@example.com true false',
      'ada@example.com',
      '1',
      'version_conflict London',
      expect.stringMatching(/^sent (\d+) of \1 bytes$/),
      'succeeded 20',
      'contact.created api_key',
      'Joan',
      'user-7',
      'agency_key_required',
      expect.stringContaining('must have an @-sign'),
    ])
    const exported = readFileSync(join(dirname(fileNamed('x')), 'contacts.csv'), 'utf8')
    expect(exported.trim().split('\n')).toHaveLength(22)
  })
})

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'
import { sharedTestApp, type TestApp } from '../support/app.ts'
import { pageNamed } from '../support/markdown.ts'
import { storedEvents } from '../support/tracking-clients.ts'

const { blocks } = pageNamed('docs/guides/migrate-from-segment.md')
const folder = join(projectRoot, 'node_modules/.cache/migration')

let app: TestApp
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await app.close()
})

/** Runs a program of the guide against this server. */
async function run(part: string, key: string): Promise<void> {
  const { text } = blocks.find((block) => block.text.includes(part)) ?? { text: '' }
  const code = text
    .replaceAll('https://crosswalk.example.com', app.address)
    .replaceAll('process.env.CROSSWALK_API_KEY', `'${key}'`)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${part}.mjs`)
  writeFileSync(file, code)
  await import(pathToFileURL(file).href)
}

test('the server program of docs/guides/migrate-from-segment.md sends its event', async () => {
  const org = await app.newOrg()
  const key = await app.newKey(org.orgId, { name: 'Server', permissions: ['tracking:write'] })
  await run('Paid', key.token ?? '')
  expect(await storedEvents(app.databaseUrl, org.orgId)).toMatchObject([
    { type: 'track', name: 'Paid', user_key: 'user-4711', properties: { amount_cents: 4900 } },
  ])
})

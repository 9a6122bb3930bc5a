import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sdkSources } from '../../scripts/generate-sdk.ts'
import { operations, version } from '../../sdk/src/generated/operations.ts'
import { Crosswalk } from '../../sdk/src/main.ts'
import { endpoints } from '../../src/api.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { someKey } from './stub.ts'

test("the methods and types of the SDK and the console are those of the endpoints ('npm run generate' writes them)", () => {
  for (const [path, source] of Object.entries(sdkSources()))
    expect(readFileSync(join(projectRoot, path), 'utf8'), path).toBe(source)
})

test('the package has the version of Crosswalk', () => {
  expect(JSON.parse(readFileSync(join(projectRoot, 'sdk/package.json'), 'utf8')).version).toBe(version)
})

test('a client has a method for each endpoint', () => {
  const client: object = new Crosswalk({ apiKey: someKey, baseUrl: 'http://127.0.0.1:9' })
  const found = (path: string) =>
    path.split('.').reduce((object: unknown, name) => (object as Record<string, unknown>)[name], client)
  for (const { sdk } of endpoints) expect(found(sdk), sdk).toBeInstanceOf(Function)
  expect(operations.split('\n').filter((line) => line.startsWith(' '))).toHaveLength(endpoints.length)
})

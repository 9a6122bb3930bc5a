import { expect, test } from 'vitest'
import { EspoAdapter } from './espocrm.ts'

const adapter = new EspoAdapter({
  ...{ outbound: {} as never, owner: '', url: 'https://crm.example', apiKey: 'key' },
  ...{ keyField: 'crosswalkId', allowDuplicates: false },
})

const keysOf = (values: Record<string, string>) =>
  adapter.duplicateKeys({ key: '1', externalId: null, email: null, values })

test('the name and the address are compared without case and accents', () => {
  expect(keysOf({ firstName: 'Zoë', lastName: 'MÜLLER', emailAddress: 'Zoe@Example.com' })).toEqual([
    'zoe muller',
    'zoe@example.com',
  ])
})

test('a value of 64 KiB, all of it accents, takes no time', () => {
  const begun = performance.now()
  const [key] = keysOf({ firstName: `a${'\u0301\u0316'.repeat(16_000)}` })
  expect(performance.now() - begun).toBeLessThan(100)
  expect(key).toBe('a')
})

import { expect, test } from 'vitest'
import { matchKeysChanged, matchKeysOf } from './match-keys.ts'

const ada = {
  ...{ first_name: 'Ada', last_name: 'Lovelace', city: 'London', company_name: 'Engines', country: 'GB' },
  ...{ linkedin_url: 'https://www.linkedin.com/in/ada', emails: ['ada@example.com'], phones: [] },
  ...{ external_ids: {}, aliases: [] },
}
const changes: [object, boolean][] = [
  [{ external_ids: { espocrm_lead: '42' } }, false],
  [{ aliases: [['salesforce', '42']] }, false],
  [{ emails: ['ada@example.org'] }, false],
  [{ country: 'FR' }, false],
  [{ job_title: 'Countess' }, false],
  [{ first_name: 'Augusta' }, true],
  [{ last_name: 'King' }, true],
  [{ city: 'Paris' }, true],
  [{ company_name: 'Looms' }, true],
  [{ linkedin_url: null }, true],
]

test.each(changes)('the match keys of %o change only if one of their fields changed', (change, isOther) => {
  const after = { ...ada, ...change }
  expect(matchKeysChanged('contact', ada, after)).toBe(isOther)
  if (!isOther) expect(matchKeysOf('contact', after)).toEqual(matchKeysOf('contact', ada))
  else expect(matchKeysOf('contact', after)).not.toEqual(matchKeysOf('contact', ada))
})

test('creating or archiving a record changes all of its match keys', () => {
  expect(matchKeysChanged('contact', null, ada)).toBe(true)
  expect(matchKeysChanged('contact', ada, null)).toBe(true)
  expect(matchKeysChanged('contact', null, null)).toBe(false)
})

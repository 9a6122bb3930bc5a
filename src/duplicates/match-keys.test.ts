import { expect, test } from 'vitest'
import { hasOtherMatchKeys, matchKeysOf } from './match-keys.ts'

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

test.each(changes)('%o: match keys are made anew only where one may differ', (change, isOther) => {
  const after = { ...ada, ...change }
  expect(hasOtherMatchKeys('contact', ada, after)).toBe(isOther)
  if (!isOther) expect(matchKeysOf('contact', after)).toEqual(matchKeysOf('contact', ada))
  else expect(matchKeysOf('contact', after)).not.toEqual(matchKeysOf('contact', ada))
})

test('a record that comes or goes has all of its keys made', () => {
  expect(hasOtherMatchKeys('contact', null, ada)).toBe(true)
  expect(hasOtherMatchKeys('contact', ada, null)).toBe(true)
  expect(hasOtherMatchKeys('contact', null, null)).toBe(false)
})

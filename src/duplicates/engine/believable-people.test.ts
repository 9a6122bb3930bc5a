import { expect, test } from 'vitest'
import { contacts } from '../../contacts/contacts.ts'
import { demoPeople } from '../../demo/people.ts'
import { matchKeysOf } from '../../matching/match-keys.ts'
import { defaultSettings } from '../settings.ts'
import { readComparable } from './comparable-record.ts'
import { defaultMatcher } from './decision-model.ts'
import { judge } from './judge.ts'

test('the engine merges more than 85 % of the duplicates among generated people, and never two different people', () => {
  const size = 3000
  const { contacts: people, person } = demoPeople({ seed: 11, contacts: size, companies: size / 10 })
  const model = { ...defaultMatcher('contact', size), settings: defaultSettings }
  const sharers = new Map<string, number[]>()
  const drawn = people.map((fields, index) => {
    const sent = contacts.input.parse(fields)
    const state = contacts.apply(null, sent, { defaultCountry: null }, false)
    const keys = matchKeysOf('contact', state).map(({ kind, hash }) => `${kind} ${hash}`)
    const exact = contacts.keys(state).map(({ kind, value }) => `${kind} ${value}`)
    for (const key of [...keys, ...exact]) sharers.set(key, [...(sharers.get(key) ?? []), index])
    return readComparable.contact(state, model.matcher)
  })
  const pairs = new Map<string, [number, number]>()
  for (const sharing of sharers.values()) {
    if (sharing.length > 30) continue
    for (const a of sharing) for (const b of sharing) if (a < b) pairs.set(`${a} ${b}`, [a, b])
  }
  const merged = [...pairs.values()].filter(
    ([a, b]) => judge('contact', model, drawn[a]!, drawn[b]!).wouldApply,
  )
  const groups = [...Map.groupBy(person.keys(), (index) => person[index]!).values()]
  const duplicates = groups.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0)
  expect(merged.filter(([a, b]) => person[a] !== person[b])).toEqual([])
  expect(merged.length / duplicates).toBeGreaterThan(0.85)
  expect(duplicates).toBeGreaterThan(200)
})

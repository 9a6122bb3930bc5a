import { expect, test } from 'vitest'
import { type NameFields, readPersonName } from './person.ts'

const shown = (name: string | NameFields) => {
  const { tokens, familyFrom, particles, generation } = readPersonName(name)
  const texts = tokens.map(({ text }) => text)
  const parts = [texts.slice(0, familyFrom).join(' '), texts.slice(familyFrom).join(' ')]
  return [...parts, particles, generation]
}

test.each<[string, string, string, string?, number?]>([
  ['Ada Lovelace', 'ada', 'lovelace'],
  ['Dr. Ada M. Lovelace, PhD', 'ada m', 'lovelace'],
  ['Dr. Ada M. Lovelace, Ph.D.', 'ada m', 'lovelace'],
  ['Prof. Dr. h.c. Hans Meier', 'hans', 'meier'],
  ['LOVELACE, Ada', 'ada', 'lovelace'],
  ['van der Berg, Jan', 'jan', 'berg', 'van der'],
  ['Jan van der Berg', 'jan', 'berg', 'van der'],
  ['Ludwig van Beethoven', 'ludwig', 'beethoven', 'van'],
  ['AL BEN ALI, Isa Ben Tarif', 'isa tarif', 'ali', 'bin al bin'],
  ['Osama ibn Laden', 'osama', 'laden', 'bin'],
  ['Bashar al-Assad', 'bashar', 'assad', 'al'],
  ['Abd al-Aziz Nuristani', 'abdulaziz', 'nuristani'],
  ['Abdelaziz Nuristani', 'abdulaziz', 'nuristani'],
  ['Anna Müller', 'anna', 'muller'],
  ["Pat O'Brien", 'pat', 'obrien'],
  ['Pat O’Brien', 'pat', 'obrien'],
  ['J.-C. Juncker', 'j c', 'juncker'],
  ['JC Juncker', 'j c', 'juncker'],
  ['J.R.R. Tolkien', 'j r r', 'tolkien'],
  ['Martin Luther King, Jr.', 'martin luther', 'king', '', 2],
  ['John Smith III', 'john', 'smith', '', 3],
  ['Smith, John, Sr.', 'john', 'smith', '', 1],
  ['Robert (Bob) Smith', 'robert', 'smith'],
  ['Robert "Bob" Smith', 'robert', 'smith'],
  ['John Smith MBA', 'john', 'smith'],
  ['Jack Ma', 'jack', 'ma'],
  ['Al Gore', 'al', 'gore'],
  ['Ben Affleck', 'ben', 'affleck'],
  ['DUPONT Jean', 'jean', 'dupont'],
  ['Jean DUPONT', 'jean', 'dupont'],
  ['VladimirPutin', 'vladimir', 'putin'],
  ['Ig0r Sech1n', 'igor', 'sechin'],
  ['DeShawn McKenzie', 'deshawn', 'mckenzie'],
  ['习近平', 'jin ping', 'xi'],
  ['Фрэнк Рихтер', 'frenk', 'rikhter'],
  ['バラク・オバマ', 'baraku', 'obama'],
  ['Madonna', '', 'madonna'],
  ['Le', '', 'le'],
  ['', '', ''],
  [' .-, ', '', ''],
])('the full name %s is read as %s, %s', (name, given, family, particles = '', generation = 0) => {
  expect(shown(name)).toEqual([given, family, particles, generation])
})

test.each<[NameFields, string, string, string?, number?]>([
  [{ given: 'Jan', family: 'van der Berg' }, 'jan', 'berg', 'van der'],
  [{ given: 'Jan van der', family: 'Berg' }, 'jan', 'berg', 'van der'],
  [{ given: 'Dr. Ann', family: 'Lee' }, 'ann', 'lee'],
  [{ given: 'Al', family: 'Gore' }, 'al', 'gore'],
  [{ given: 'John', family: 'Smith Jr.' }, 'john', 'smith', '', 2],
  [{ given: 'María', family: 'García Márquez' }, 'maria', 'garcia marquez'],
  [{ given: 'John Smith', family: '' }, 'john', 'smith'],
  [{ given: null, family: 'Smith, John' }, 'john', 'smith'],
  [{ given: 'John' }, '', 'john'],
  [{}, '', ''],
])('the name fields %j are read as %s, %s', (name, given, family, particles = '', generation = 0) => {
  expect(shown(name)).toEqual([given, family, particles, generation])
})

test('a text of any length can be read', () => {
  expect(readPersonName('Ada '.repeat(10_000)).tokens.length).toBeLessThanOrEqual(10)
  expect(readPersonName('x'.repeat(100_000)).text.length).toBeLessThanOrEqual(300)
})

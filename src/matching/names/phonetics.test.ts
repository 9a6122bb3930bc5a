import { assert, property, stringMatching } from 'fast-check'
import { expect, test } from 'vitest'
import { phoneticKey, soundSpelling } from './phonetics.ts'

test.each([
  ['SMT', 'schmidt schmitt schmid smit smith smyth'],
  ['XKFSK', 'tchaikovsky tschaikowski czajkowski chaikovskij'],
  ['PTRFX', 'petrovic petrovich petrovitch petrowitsch petrovicz'],
  ['SLNSK', 'zelensky zelenskyy zelenskiy selenskyj'],
  ['SLS', 'schulz schultz schulze'],
  ['MR', 'meier maier meyer mayer'],
  ['MLR', 'mueller muller miller'],
  ['SMNSK', 'szymanski shimanski schimanski'],
  ['MKTNLT', 'mcdonald macdonald'],
  ['KNSLS', 'gonzalez gonzales'],
  ['FRR', 'ferreira ferrara'],
  ['JNSN', 'johnson jonson jansen'],
  ['AKNR', 'oconnor'],
  ['FKNR', 'wagner vagner'],
  ['NKN', 'nguyen'],
  ['HFMN', 'hoffmann hofmann'],
  ['A', 'ay eu'],
  ['', "' 7"],
])('%s is the phonetic key of %s', (key, words) => {
  for (const word of words.split(' ')) expect([word, phoneticKey(word)]).toEqual([word, key])
})

test.each([
  ['sergey', 'sergej'],
  ['sergei', 'sergey'],
  ['yuri', 'jurij'],
  ['yuri', 'iurii'],
  ['evgeny', 'yevgenyy'],
  ['zelenskyy', 'zelensky'],
  ['philip', 'filip'],
  ['sarah', 'sara'],
  ['thomas', 'tomas'],
  ['eric', 'erik'],
  ['carl', 'karl'],
  ['johnson', 'jonson'],
  ['petrovic', 'petrovich'],
])('the sound of %s is spelled like that of %s', (a, b) => {
  expect(soundSpelling(a)).toBe(soundSpelling(b))
})

test.each([
  ['maria', 'mario'],
  ['meier', 'maier'],
  ['lee', 'li'],
  ['schmidt', 'schmitt'],
  ['schmidt', 'smith'],
  ['jan', 'ian'],
  ['alan', 'ellen'],
  ['khan', 'han'],
])('the sound of %s is not spelled like that of %s', (a, b) => {
  expect(soundSpelling(a)).not.toBe(soundSpelling(b))
})

test('a phonetic key is short, uses only its own letters, and ignores doubled letters', () => {
  assert(
    property(stringMatching(/^[a-z]{0,20}$/), (word) => {
      const key = phoneticKey(word)
      expect(key).toMatch(/^[AFHJKLMNPRSTX]{0,6}$/)
      expect(phoneticKey(word.replace(/([flnr])/g, '$1$1'))).toBe(key)
      if (word !== '') expect(key).not.toBe('')
    }),
  )
})

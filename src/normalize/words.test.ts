import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { queryParts, searchWords } from './words.ts'

describe('the words of a record', () => {
  test.each([
    ['Jörg Müller', ['jorg', 'muller']],
    ['Jo\u0308rg', ['jorg']],
    ['ØYSTEIN Łukasz Straße ẞ Æon', ['oystein', 'lukasz', 'strasse', 'ss', 'aeon']],
    ['İstanbul', ['istanbul']],
    ['ΟΔΟΣ Αθήνα', ['οδοσ', 'αθηνα']],
    ['Андрей', ['андреи']],
    ['हिन्दी', ['हिन्दी']],
    ['が 한국', ['が', '한국']],
    ['ﬁne ＡＣＭＥ', ['fine', 'acme']],
    ["O'Brien", ['o', 'brien', 'obrien']],
    ['Jean-Luc_2', ['jean', 'luc', '2']],
    ['Acme.com Inc.', ['acme.com', 'acme', 'com', 'inc']],
    ['J. P. Morgan & Co', ['j', 'p', 'morgan', 'co']],
    ['Anna.LEE+x@Acme.Example', ['anna.lee+x@acme.example', 'anna', 'lee', 'x', 'acme.example']],
    ['a@mail.acme.com', ['a@mail.acme.com', 'a', 'mail.acme.com', 'acme']],
    ['a@acme.software', ['a@acme.software', 'a', 'acme.software', 'acme', 'software']],
    ['+1 (415) 555-0100', ['14155550100']],
    ['😀 --- ', []],
    ['\ud800', []],
  ])('the value %j is split into the expected search words', (value, words) => {
    expect(searchWords([value])).toEqual(words)
  })

  test('the words of a record are distinct, and an empty value has no words', () => {
    expect(searchWords(['Ann Ann', null, undefined, '', 'ANN'])).toEqual(['ann'])
  })

  test('the words of a record are at most 64, of at most 64 characters each', () => {
    expect(searchWords(['x'.repeat(100)])).toEqual(['x'.repeat(64)])
    expect(searchWords([`${'x'.repeat(63)}𝒳`])).toEqual([`${'x'.repeat(64)}`])
    expect(searchWords([`${'x'.repeat(63)}𠀀`])).toEqual(['x'.repeat(63)])
    expect(searchWords([Array.from({ length: 100 }, (_, index) => `w${index}`).join(' ')])).toHaveLength(64)
  })
})

describe('the words of a query', () => {
  test.each([
    ['müll an', ['mull', 'an']],
    ['anna@ac', ['anna@ac']],
    ['anna@', ['anna']],
    ['@acme.com', ['acme.com']],
    ['Acme.co', ['acme.co']],
    ['acme.software', ['acme', 'software']],
    ['St.Gallen', ['st', 'gallen']],
    ["o'br", ['o', 'br']],
    ['+1 415 555', ['1415555']],
    ['  ', []],
    ['acme-bau', ['acme', 'bau']],
  ])('the query %j is split into the expected search words', (query, words) => {
    expect(queryParts(query).flatMap((part) => part.words)).toEqual(words)
  })

  const finds = (query: string, values: string[]) => {
    const found = searchWords(values)
    const begins = (wanted: string) => found.some((word) => word.startsWith(wanted))
    return queryParts(query).every(
      ({ words, whole }) => words.every(begins) || (whole !== null && begins(whole)),
    )
  }

  test('the words of a query match a record by each of its values, even if the last word is incomplete', () => {
    const record = [
      'Jörg',
      "O'Brien",
      'joerg.obrien@mail.acme.software',
      'joerg@shop.co.uk',
      'Acme.com GmbH',
      '+4930231250',
    ]
    for (const value of record) {
      for (let length = 1; length <= value.length; length += 1) {
        expect([value.slice(0, length), finds(value.slice(0, length), record)]).toEqual([
          value.slice(0, length),
          true,
        ])
      }
    }
    for (const query of [
      'obrien jorg',
      'JÖRG ACME',
      'acme.software',
      'mail.acme',
      'shop.co.uk',
      'gmbh acme.com',
    ]) {
      expect([query, finds(query, record)]).toEqual([query, true])
    }
  })

  test('a domain with hyphens finds a record by its addresses, even if the domain is incomplete', () => {
    const domain = 'muller-bau-nord.example'
    for (let length = 1; length <= domain.length; length += 1) {
      const query = domain.slice(0, length)
      expect([query, finds(query, ['jo@muller-bau-nord.example'])]).toEqual([query, true])
      expect([query, finds(`jo ${query}`, ['jo@muller-bau-nord.example'])]).toEqual([query, true])
    }
    expect(finds('muller-sud', ['jo@muller-bau-nord.example'])).toBe(false)
  })

  test('the words of a query match a record with exactly that value, for any value', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.emailAddress(),
      fc.domain(),
      fc.string({ unit: fc.constantFrom(..."aé.@' +1-ßΣ،"), maxLength: 20 }),
    )
    fc.assert(
      fc.property(value, (text) => {
        expect(finds(text, [text])).toBe(true)
        for (const word of searchWords([text])) expect(word.length).toBeLessThanOrEqual(64)
      }),
      { numRuns: 5000 },
    )
  })
})
